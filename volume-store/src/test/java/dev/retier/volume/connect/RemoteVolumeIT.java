package dev.retier.volume.connect;

import static dev.retier.volume.connect.OneServer.random;
import static dev.retier.volume.connect.OneServer.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.retier.testsupport.Logged;
import dev.retier.volume.Volume;
import dev.retier.volume.VolumeName;
import dev.retier.volume.config.Limits;
import dev.retier.volume.wire.Listing;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Status;
import dev.retier.volume.wire.TracedRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Volumes of a server over software iWARP on loopback. */
@Timeout(120)
class RemoteVolumeIT extends ServerFixture {
    /** Of a server that takes requests of 8 KiB. */
    private static final Limits SHORT = new Limits(64, (8 << 10) + 64, 64, 4);

    @Test
    void shouldBeMadeListedResizedAndDeleted() throws IOException {
        VolumeClient client = client();
        for (int i = 100; i < 1200; i++) {
            client.create(new VolumeName("a-name-that-takes-some-room-in-the-list-" + i), 4096L * i);
        }
        assertThat(client.list()).hasSize(1100).last().matches(one -> one.bytes() == 4096L * 1199);
        VolumeName name = new VolumeName("a-name-that-takes-some-room-in-the-list-100");
        client.resize(name, 8192);
        client.delete(new VolumeName("a-name-that-takes-some-room-in-the-list-101"));
        assertThat(client.list())
                .hasSize(1099)
                .first()
                .as("who had it before it was made smaller is fenced")
                .isEqualTo(new Listing(1, name, 8192, 1, "", 0, 0));

        assertThatThrownBy(() -> client.create(name, 4096)).hasMessageContaining("already");
        assertThatThrownBy(() -> client.create(ACCOUNTS, 4097)).hasMessageContaining("multiple of 4096");
        assertThatThrownBy(() -> client.delete(ACCOUNTS)).hasMessageContaining("there is no volume \"accounts\"");
        assertThatThrownBy(() -> client.attach(ACCOUNTS, false))
                .isInstanceOfSatisfying(
                        VolumeException.class,
                        failed -> assertThat(failed.status()).isEqualTo(Status.WRONG_NAME));
    }

    /** Row after row: then what comes next is there before it is asked for. */
    @Test
    void shouldReadAhead_whenSomebodyReadsRowAfterRow() throws IOException {
        VolumeClient client = client();
        client.create(ACCOUNTS, BYTES);
        RemoteVolume volume = client.attach(ACCOUNTS, false);
        ByteBuffer written = random(1, 4 << 20);
        volume.write(0, written.duplicate());
        for (int at = 0; at < 4 << 20; at += 16 << 10) {
            assertThat(read(volume, at, 16 << 10)).isEqualTo(written.slice(at, 16 << 10));
        }
        assertThat(server.cache().figures().aheadUsed()).isPositive();
    }

    @Test
    void shouldTellWhatIsAskedOfAVolume_whoeverHasIt() throws IOException {
        VolumeClient client = client();
        client.create(ACCOUNTS, BYTES);
        RemoteVolume volume = client.attach(ACCOUNTS, false);
        volume.write(0, random(1, 8192));
        VolumeClient other = client();
        VolumeClient.Recorded begun = other.trace(ACCOUNTS, -1);
        assertThat(begun).isEqualTo(new VolumeClient.Recorded(0, List.of()));
        volume.write(4096, random(1, 100));
        read(volume, 5, 10);
        volume.flush();
        volume.zero(0, 4096);

        assertThat(other.trace(ACCOUNTS, 0).requests())
                .extracting(TracedRequest::operation, TracedRequest::offset, TracedRequest::length)
                .containsExactly(
                        tuple(Operation.WRITE, 4096L, 100),
                        tuple(Operation.READ, 5L, 10),
                        tuple(Operation.FLUSH, 0L, 0),
                        tuple(Operation.ZERO, 0L, 4096));
        assertThat(other.trace(ACCOUNTS, 3).requests()).hasSize(1);
        assertThat(other.trace(ACCOUNTS, 100).first()).as("what will come next").isEqualTo(4);
        assertThatThrownBy(() -> other.trace(new VolumeName("nobody"), -1)).hasMessageContaining("there is no volume");
    }

    @Test
    void shouldKeepWhatWasWritten_whateverTheEnds() throws IOException {
        VolumeClient client = client();
        client.create(ACCOUNTS, BYTES);
        RemoteVolume volume = client.attach(ACCOUNTS, false);
        assertThat(volume.bytes()).isEqualTo(BYTES);
        volume.write(1000, random(1, 3 << 20));
        volume.zero(100_001, 200_002);
        volume.flush();
        ByteBuffer expected = ByteBuffer.allocate(4 << 20).put(1000, random(1, 3 << 20), 0, 3 << 20);
        expected.put(100_001, new byte[200_002]);
        assertThat(read(volume, 0, 4 << 20)).isEqualTo(expected);
        assertThat(volume.extents(0, BYTES)).hasSizeGreaterThan(3);
        assertThat(volume.extents(4 << 20, 4 << 20)).containsExactly(new Volume.Extent(4 << 20, true));
        assertThatThrownBy(() -> read(volume, BYTES - 1, 2)).isInstanceOf(IllegalArgumentException.class);

        volume.close();
        assertThatThrownBy(() -> read(volume, 0, 1)).hasMessageContaining("not attached");
        RemoteVolume again = client().attach(ACCOUNTS, false);
        assertThat(again.epoch()).isEqualTo(volume.epoch() + 1);
        assertThat(read(again, 0, 4 << 20)).isEqualTo(expected);
    }

    @Test
    void shouldGiveItToOneClient_andFenceTheOneBefore() throws IOException {
        VolumeClient client = client();
        client.create(ACCOUNTS, BYTES);
        RemoteVolume first = client.attach(ACCOUNTS, false);
        first.write(0, random(1, 4096));
        VolumeClient other = client();
        assertThatThrownBy(() -> other.attach(ACCOUNTS, false)).hasMessageContaining("has it attached");
        assertThatThrownBy(() -> other.delete(ACCOUNTS)).hasMessageContaining("has accounts attached");
        assertThatThrownBy(() -> other.resize(ACCOUNTS, 4096)).hasMessageContaining("has accounts attached");

        RemoteVolume second = other.attach(ACCOUNTS, true);
        second.write(0, random(2, 4096));
        assertThatThrownBy(() -> first.write(0, random(3, 4096)))
                .isInstanceOfSatisfying(
                        VolumeException.class,
                        failed -> assertThat(failed.status()).isEqualTo(Status.FENCED));
        assertThatThrownBy(() -> read(first, 0, 1)).hasMessageContaining("not attached");
        assertThat(read(second, 0, 4096)).isEqualTo(random(2, 4096));
    }

    /** A client that died keeps its volume from others no longer than a lease; one that idles keeps it. */
    @Test
    void shouldBeFree_whenTheLeaseOfItsClientHasRunOut() throws Exception {
        VolumeClient client = client();
        client.create(ACCOUNTS, BYTES);
        client.attach(ACCOUNTS, false);
        VolumeClient other = client();
        long until = System.nanoTime() + 2 * TIMES.lease().toNanos();
        while (System.nanoTime() < until) {
            assertThatThrownBy(() -> other.attach(ACCOUNTS, false)).hasMessageContaining("has it attached");
        }
        client.close();
        Optional<RemoteVolume> taken = Optional.empty();
        while (taken.isEmpty()) {
            try {
                taken = Optional.of(other.attach(ACCOUNTS, false));
            } catch (VolumeException held) {
                assertThat(held.status()).isEqualTo(Status.HELD);
            }
        }
        assertThat(taken.get().epoch()).isEqualTo(2);
    }

    @Test
    void shouldPause_whenTheServerIsStartedAnew() throws Exception {
        VolumeClient client = client();
        client.create(ACCOUNTS, BYTES);
        RemoteVolume volume = client.attach(ACCOUNTS, false);
        volume.write(0, random(1, 1 << 20));
        for (int i = 2; i < 4; i++) {
            int round = i;
            server.stop();
            CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
                try {
                    volume.write((long) round << 20, random(round, 1 << 20));
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            server.start();
            writing.get(30, TimeUnit.SECONDS);
        }
        volume.flush();
        for (int i = 2; i < 4; i++) {
            assertThat(read(volume, (long) i << 20, 1 << 20)).isEqualTo(random(i, 1 << 20));
        }
        assertThat(read(volume, 0, 1 << 20)).isEqualTo(random(1, 1 << 20));
    }

    @Test
    void shouldSayWhatToDo_whenTheServerTakesShorterRequestsThanWhatWaits() throws Exception {
        VolumeClient client = client();
        client.create(ACCOUNTS, BYTES);
        RemoteVolume volume = client.attach(ACCOUNTS, false);
        server.stop();
        Pending waiting = volume.startWrite(0, Set.of(), random(1, 64 << 10));
        server.limits = SHORT;
        server.start();
        CompletableFuture<Void> told = CompletableFuture.runAsync(() -> assertThatThrownBy(waiting::await)
                .hasMessageContaining("takes requests of 8192 bytes now")
                .hasMessageContaining("attach the volume anew"));
        told.get(30, TimeUnit.SECONDS);
        RemoteVolume anew = client.attach(ACCOUNTS, true);
        anew.write(0, random(2, 64 << 10));
        assertThat(read(anew, 0, 64 << 10)).isEqualTo(random(2, 64 << 10));
    }

    @Test
    void shouldGoOn_whenTheServerTakesShorterRequestsAndNothingLongWaits() throws Exception {
        VolumeClient client = client();
        client.create(ACCOUNTS, BYTES);
        RemoteVolume volume = client.attach(ACCOUNTS, false);
        server.stop();
        server.limits = SHORT;
        server.start();
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            volume.write(0, random(1, 4096)); // when that has ended the client knows its new server
            return volume.facts().mostBytes() == 8192;
        });
        volume.write(0, random(1, 64 << 10));
        assertThat(read(volume, 0, 64 << 10)).isEqualTo(random(1, 64 << 10));
    }

    @Test
    void shouldSayThatItIsLost_whenNoServerComesBack() throws IOException {
        VolumeClient client = client(Optional.of(Duration.ofSeconds(1)));
        client.create(ACCOUNTS, BYTES);
        RemoteVolume volume = client.attach(ACCOUNTS, false);
        server.stop();
        assertThatThrownBy(() -> volume.write(0, random(1, 4096))).hasMessageContaining("has not been reached for 1 s");
        server.start();
        await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> {
            volume.write(0, random(2, 4096));
            return true;
        });
        assertThat(read(volume, 0, 4096)).isEqualTo(random(2, 4096));
    }

    /** The third promise: the server's machine loses what no flush has brought to its disk, the client does not. */
    @Test
    void shouldSendAgainWhatTheMachineLost_whileTheClientLives() throws Exception {
        VolumeClient client = client(Optional.of(Duration.ofSeconds(1)));
        client.create(ACCOUNTS, BYTES);
        RemoteVolume volume = client.attach(ACCOUNTS, false);
        volume.write(0, random(1, 512 << 10));
        volume.flush();
        Path before = folder.resolve("before");
        server.stop();
        server.keepDisk(before);
        server.start();
        volume.write(256 << 10, random(2, 512 << 10));
        assertThat(read(volume, 256 << 10, 512 << 10)).isEqualTo(random(2, 512 << 10));
        server.stop();
        server.bringBackDisk(before);
        server.boot = new UUID(2, 2);
        assertThatThrownBy(() -> read(volume, 0, 1))
                .as("who waits for it does so no longer than that")
                .hasMessageContaining("has not been reached");
        server.start();
        await().atMost(Duration.ofSeconds(30))
                .ignoreExceptions()
                .until(() -> read(volume, 0, 1).hasRemaining());
        assertThat(read(volume, 256 << 10, 512 << 10)).isEqualTo(random(2, 512 << 10));
        assertThat(read(volume, 0, 256 << 10)).isEqualTo(random(1, 512 << 10).limit(256 << 10));
    }

    /** As of a disk that is not mounted: the numbers of what a client has attached are other volumes there. */
    @Test
    void shouldWaitForItsPool_whenTheServerHasAnotherOne() throws Exception {
        VolumeClient client = client(Optional.empty());
        client.create(ACCOUNTS, BYTES);
        try (RemoteVolume volume = client.attach(ACCOUNTS, false)) {
            volume.write(0, random(1, 4096));
        }
        RemoteVolume reader = client.attachForReading(ACCOUNTS);
        server.stop();
        Path kept = folder.resolve("kept");
        server.keepDisk(kept);
        Path another = folder.resolve("another");
        try (OneServer other = new OneServer(another, (64 << 10) + 64)) {
            other.client(other.config()).create(new VolumeName("others"), BYTES);
        }
        server.bringBackDisk(another);
        try (Logged logged = new Logged()) {
            server.start();
            await().until(() -> !logged.warnings("has another pool").isEmpty());
            assertThat(logged.warnings("not attached any more")).isEmpty();
        }
        server.stop();
        server.bringBackDisk(kept);
        server.start();
        assertThat(read(reader, 0, 4096)).isEqualTo(random(1, 4096));
    }
}
