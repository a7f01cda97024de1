package dev.retier.volume.connect;

import static dev.retier.volume.connect.OneServer.random;
import static dev.retier.volume.connect.OneServer.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.retier.volume.NoSpaceException;
import dev.retier.volume.Volume;
import dev.retier.volume.VolumeName;
import dev.retier.volume.config.Care;
import dev.retier.volume.serve.VolumeMetric;
import dev.retier.volume.wire.Listing;
import dev.retier.volume.wire.Looked;
import dev.retier.volume.wire.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is asked of a server about its pool, over software iWARP on loopback. */
@Timeout(60)
class UpkeepIT {
    private static final VolumeName ACCOUNTS = new VolumeName("accounts");
    private static final VolumeName BEFORE = new VolumeName("before");
    private static final VolumeName COPY = new VolumeName("copy");
    private static final int BYTES = 1 << 20;

    @TempDir
    private Path folder = Path.of("");

    private interface Use {
        void of(VolumeClient client, OneServer server) throws IOException;
    }

    private void serving(Use use) throws IOException {
        try (OneServer server = new OneServer(folder, 64 << 10)) {
            use.of(server.client(server.config()), server);
        }
    }

    private static ByteBuffer all(Volume volume) throws IOException {
        return read(volume, 0, BYTES);
    }

    @Test
    void shouldKeepWhatWasThere_whileTheVolumeIsUsed() throws IOException {
        serving((client, _) -> {
            client.create(ACCOUNTS, BYTES);
            RemoteVolume volume = client.attach(ACCOUNTS, false);
            volume.write(0, random(1, BYTES));
            client.snapshot(ACCOUNTS, BEFORE);
            volume.write(100_001, random(2, 5000));
            assertThatThrownBy(() -> client.rollBack(client.list().getFirst(), BEFORE))
                    .isInstanceOfSatisfying(
                            VolumeException.class,
                            held -> assertThat(held.status()).isEqualTo(Status.HELD));
            client.copy(ACCOUNTS, BEFORE, COPY);
            assertThat(client.list())
                    .extracting(Listing::number, Listing::name, Listing::parent, Listing::allocated)
                    .containsExactly(
                            tuple(1, ACCOUNTS, 0, (long) BYTES),
                            tuple(2, BEFORE, 1, (long) BYTES),
                            tuple(3, COPY, 0, (long) BYTES));
            volume.close();

            client.rollBack(client.list().getFirst(), BEFORE);
            try (RemoteVolume again = client.attach(ACCOUNTS, false)) {
                assertThat(again.epoch()).as("who had it is fenced").isEqualTo(volume.epoch() + 2);
                assertThat(all(again)).isEqualTo(random(1, BYTES));
            }
            try (RemoteVolume copy = client.attach(COPY, false)) {
                assertThat(all(copy)).isEqualTo(random(1, BYTES));
            }
        });
    }

    /** As one that is asked again after its answer was lost, and somebody has written meanwhile. */
    @Test
    void shouldRollBackNothing_whenTheVolumeWasAttachedSinceItWasLookedAt() throws IOException {
        serving((client, _) -> {
            client.create(ACCOUNTS, BYTES);
            client.snapshot(ACCOUNTS, BEFORE);
            Listing seen = client.list().getFirst();
            try (RemoteVolume volume = client.attach(ACCOUNTS, false)) {
                volume.write(0, random(1, BYTES));
            }
            assertThatThrownBy(() -> client.rollBack(seen, BEFORE))
                    .hasMessageContaining("it has been attached since it was looked at");
            try (RemoteVolume volume = client.attach(ACCOUNTS, false)) {
                assertThat(all(volume)).isEqualTo(random(1, BYTES));
            }
        });
    }

    @Test
    void shouldRefuse_whatIsNotThere() throws IOException {
        serving((client, _) -> {
            client.create(ACCOUNTS, BYTES);
            assertThatThrownBy(() -> client.snapshot(COPY, BEFORE)).hasMessage("there is no volume \"copy\" here");
            assertThatThrownBy(() -> client.rollBack(client.list().getFirst(), BEFORE))
                    .hasMessage("there is no snapshot \"before\" of accounts");
            client.snapshot(ACCOUNTS, BEFORE);
            assertThatThrownBy(() -> client.snapshot(ACCOUNTS, BEFORE))
                    .hasMessage("there is a snapshot before already");
            assertThatThrownBy(() -> client.copy(ACCOUNTS, BEFORE, ACCOUNTS))
                    .hasMessage("there is a volume accounts already");
            assertThatThrownBy(() -> client.delete(ACCOUNTS)).hasMessageContaining("has snapshots: delete them first");
            client.deleteSnapshot(ACCOUNTS, BEFORE);
            client.delete(ACCOUNTS);
            assertThat(client.list()).isEmpty();
        });
    }

    @Test
    void shouldRefuseWritesAlone_whileTheDiskIsFull() throws IOException {
        serving((client, server) -> {
            client.create(ACCOUNTS, BYTES);
            RemoteVolume volume = client.attach(ACCOUNTS, false);
            volume.write(0, random(1, BYTES));
            server.isFull.set(true);
            assertThatThrownBy(() -> volume.write(0, random(2, 8192))).isInstanceOf(NoSpaceException.class);
            volume.flush();
            assertThat(all(volume)).isEqualTo(random(1, BYTES));
            server.isFull.set(false);
            volume.write(0, random(2, 8192));
            volume.close();
        });
    }

    private static void flip(Path file, long offset) throws IOException {
        try (FileChannel clusters = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            clusters.read(one, offset);
            clusters.write(one.put(0, (byte) ~one.get(0)).flip(), offset);
        }
    }

    private static Looked all(Listing volume, Part part) throws IOException {
        Looked sum = new Looked(0, 0, List.of());
        while (!sum.isLast(volume.bytes())) {
            Looked next = part.of(sum.next());
            sum = new Looked(
                    next.next(),
                    sum.bytes() + next.bytes(),
                    Stream.concat(sum.blocks().stream(), next.blocks().stream()).toList());
        }
        return sum;
    }

    private interface Part {
        Looked of(long from) throws IOException;
    }

    @Test
    void shouldFindWhatIsNotWhatWasWritten_whenItIsAskedOrByItself() throws IOException {
        Care care = new Care(false, 1 << 30, Duration.ofMillis(100), Map.of());
        try (OneServer server = new OneServer(folder, 64 << 10, care)) {
            VolumeClient client = server.client(server.config());
            client.create(ACCOUNTS, BYTES);
            try (RemoteVolume volume = client.attach(ACCOUNTS, false)) {
                volume.write(0, random(1, BYTES));
            }
            Listing volume = client.list().getFirst();
            assertThat(all(volume, from -> client.trim(volume, from)).bytes()).isZero(); // makes a checkpoint
            assertThat(all(volume, from -> client.scrub(volume, from, true)))
                    .isEqualTo(new Looked(BYTES / 4096, BYTES, List.of()));
            assertThat(server.counted(VolumeMetric.SCRUBBED_BROKEN)).isZero();
            flip(folder.resolve("clusters"), 77 * 4096 + 5);

            await().atMost(Duration.ofSeconds(20)).until(() -> server.counted(VolumeMetric.SCRUBBED_BROKEN) > 0);
            assertThat(all(volume, from -> client.scrub(volume, from, false)).blocks())
                    .containsExactly(77L);
            try (RemoteVolume attached = client.attach(ACCOUNTS, false)) {
                assertThatThrownBy(() -> attached.read(77 * 4096, ByteBuffer.allocate(1)))
                        .hasMessage("block 77 of volume 1 is not what was written");
                assertThat(read(attached, 0, 77 * 4096))
                        .isEqualTo(random(1, BYTES).limit(77 * 4096));
            }
            assertThatThrownBy(() -> client.scrub(volume, BYTES, false)).hasMessageContaining("block 1048576 of 256");
        }
    }

    @Test
    void shouldHaveOnItsDiskWhatItAnswers_whenTheFileSaysSo() throws IOException {
        Care care = new Care(true, 0, Duration.ofDays(1), Map.of());
        try (OneServer server = new OneServer(folder, 64 << 10, care)) {
            VolumeClient client = server.client(server.config());
            client.create(ACCOUNTS, BYTES);
            try (RemoteVolume volume = client.attach(ACCOUNTS, false)) {
                int before = server.forces.get();
                for (int i = 0; i < 10; i++) {
                    volume.write(4096L * i, random(i, 4096));
                }
                assertThat(server.forces.get() - before).isEqualTo(10);
                List<Pending> together = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    together.add(volume.startWrite(4096L * i, Set.of(), random(i, 4096)));
                }
                for (Pending each : together) {
                    each.await();
                }
                assertThat(server.forces.get() - before)
                        .as("one for many that wait")
                        .isBetween(11, 100);
            }
        }
    }
}
