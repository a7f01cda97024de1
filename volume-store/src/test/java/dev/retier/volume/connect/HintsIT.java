package dev.retier.volume.connect;

import static dev.retier.volume.connect.OneServer.random;
import static dev.retier.volume.connect.OneServer.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.volume.Volume.Hint;
import dev.retier.volume.VolumeName;
import dev.retier.volume.cache.CacheFigures;
import dev.retier.volume.stream.RawExport;
import dev.retier.volume.wire.Listing;
import dev.retier.volume.wire.Looked;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What comes of hints in the cache of a server, a MiB, over software iWARP on loopback. */
@Timeout(60)
class HintsIT extends ServerFixture {
    private static final VolumeName HOT = new VolumeName("hot");
    private static final int BLOCK = 4096;

    /** Of a server that was started anew, so that nothing is in its cache. */
    private VolumeClient started(VolumeName name, int bytes) throws IOException {
        try (RemoteVolume volume = made(name)) {
            volume.write(0, random(1, bytes));
        }
        server.stop();
        server.start();
        return client();
    }

    private RemoteVolume made(VolumeName name) throws IOException {
        VolumeClient client = client();
        client.create(name, BYTES);
        return client.attach(name, false);
    }

    @Test
    void shouldBeInMemory_fromWhenItWillBeNeededUntilItWillNot() throws IOException {
        VolumeClient client = started(ACCOUNTS, 64 * BLOCK);
        try (RemoteVolume volume = client.attach(ACCOUNTS, false)) {
            assertThat(server.cache().figures().used()).isZero();
            volume.hint(8 * BLOCK, 32 * BLOCK, Hint.WILL_NEED);
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> server.cache().figures().used() == 32);

            assertThat(read(volume, 8 * BLOCK, 32 * BLOCK))
                    .isEqualTo(random(1, 64 * BLOCK).slice(8 * BLOCK, 32 * BLOCK));
            assertThat(server.cache().figures())
                    .returns(32L, CacheFigures::hits)
                    .returns(0L, CacheFigures::misses)
                    .returns(32L, CacheFigures::aheadUsed);

            volume.write(8 * BLOCK, random(2, BLOCK)); // that no flush has brought to the disk
            volume.hint(0, 20 * BLOCK, Hint.WILL_NOT_NEED);
            assertThat(server.cache().figures().used()).isEqualTo(20);
            assertThat(read(volume, 8 * BLOCK, BLOCK)).isEqualTo(random(2, BLOCK));
            assertThat(read(volume, 9 * BLOCK, 11 * BLOCK))
                    .isEqualTo(random(1, 64 * BLOCK).slice(9 * BLOCK, 11 * BLOCK));
            assertThat(server.cache().figures().misses()).isEqualTo(12);
        }
    }

    /** Eight times what the cache has room for passes it by. */
    @Test
    void shouldFindWhatIsUsedOften_afterAnExportAndAScrub() throws IOException {
        VolumeClient client = started(ACCOUNTS, (int) BYTES);
        try (RemoteVolume hot = made(HOT)) {
            hot.write(0, random(3, 100 * BLOCK));
            for (int round = 0; round < 2; round++) {
                var _ = read(hot, 0, 100 * BLOCK);
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            CacheFigures before;
            try (RemoteVolume cold = client.attachForReading(ACCOUNTS)) {
                var _ = read(cold, 0, 16 * BLOCK); // that nobody uses often
                before = server.cache().figures();
                assertThat(RawExport.run(cold, RawExport.pipe(Channels.newChannel(out)), (_, _) -> {}))
                        .isEqualTo(BYTES);
            }
            assertThat(out.toByteArray()).isEqualTo(random(1, (int) BYTES).array());
            Listing listing = client.show(ACCOUNTS).volume();
            long scrubbed = 0;
            for (long next = 0; next < BYTES / BLOCK; ) {
                Looked part = client.scrub(listing, next, false);
                scrubbed += part.bytes();
                next = part.next();
            }
            assertThat(scrubbed).isEqualTo(BYTES);
            assertThat(server.cache().figures()).isEqualTo(before);

            assertThat(read(hot, 0, 100 * BLOCK)).isEqualTo(random(3, 100 * BLOCK));
            assertThat(server.cache().figures().hits()).isEqualTo(before.hits() + 100);
            assertThat(server.cache().figures().misses()).isEqualTo(before.misses());
        }
    }
}
