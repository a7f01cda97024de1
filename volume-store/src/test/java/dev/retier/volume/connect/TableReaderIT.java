package dev.retier.volume.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.retier.link.Transport;
import dev.retier.volume.VolumeName;
import dev.retier.volume.config.Care;
import dev.retier.volume.config.Limits;
import dev.retier.volume.config.Times;
import dev.retier.volume.connect.TableReader.Outcome;
import dev.retier.volume.table.VolumeRow;
import dev.retier.volume.table.VolumeTable;
import dev.retier.volume.wire.ClientName;
import dev.retier.volume.wire.Listing;
import dev.retier.volume.wire.Looked;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The table of a server over software iWARP on loopback, read while clients use it. */
@Timeout(120)
class TableReaderIT {
    private static final VolumeName NAME = new VolumeName("accounts");
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    /** No client that is connected, beside the one of the test, finds a place. */
    private static final Limits ONE_CLIENT = new Limits(64, (8 << 10) + 64, 1, 2);

    @TempDir
    private Path folder = Path.of("");

    private OneServer server;
    private TableReader reader;

    @BeforeEach
    void make() throws IOException {
        server = new OneServer(folder, ONE_CLIENT, Times.DEFAULT, Care.LEAST, 0);
        reader = TableReader.open(new TableReader.Server(server.address(), OneServer.SECRETS, Transport.IWARP));
    }

    @AfterEach
    void end() throws IOException {
        reader.close();
        server.close();
    }

    private VolumeClient client() {
        return VolumeClient.open(server.config());
    }

    private Optional<VolumeTable> table() {
        return reader.read(PATIENCE) instanceof Outcome.Read(VolumeTable table) ? Optional.of(table) : Optional.empty();
    }

    private Optional<VolumeRow> row() {
        return table().flatMap(table -> table.named(NAME));
    }

    @Test
    void shouldTellOfVolumesAndOfTheirUse() throws IOException {
        await().until(() -> table().isPresent());
        assertThat(table().orElseThrow().rows()).isEmpty();
        try (VolumeClient client = client()) {
            client.create(NAME, 1 << 20);
            await().until(() -> row().isPresent());
            VolumeRow fresh = row().orElseThrow();
            assertThat(fresh.bytes()).isEqualTo(1 << 20);
            assertThat(fresh.isAttached()).isFalse();
            assertThat(fresh.health()).isEqualTo(VolumeRow.Health.GOOD);
            assertThat(fresh.room()).isEqualTo(new VolumeRow.Room(0, 0));

            try (RemoteVolume volume = client.attach(NAME, false)) {
                volume.write(0, ByteBuffer.allocate(8192).put(0, (byte) 1));
                await().until(() ->
                        row().filter(row -> row.load().requestsPerSecond() > 0).isPresent());
                VolumeRow used = row().orElseThrow();
                assertThat(used.isAttached()).isTrue();
                assertThat(used.writer())
                        .isEqualTo("process " + ProcessHandle.current().pid());
                assertThat(used.epoch()).isEqualTo(volume.epoch());
                assertThat(used.load().bytesPerSecond()).isPositive();
                assertThat(used.room()).isEqualTo(new VolumeRow.Room(0, 8192));
                await().until(() -> row().filter(row -> row.load().equals(VolumeRow.Load.NONE))
                        .isPresent());
                server.pool().checkpoint();
                await().until(() ->
                        row().filter(row -> row.room().usedBytes() == 65536).isPresent());
                assertThat(row().orElseThrow().room().journalBytes()).isZero();
            }
            await().until(() -> row().filter(VolumeRow::isAttached).isEmpty());
            client.delete(NAME);
            await().until(() -> table().orElseThrow().rows().isEmpty());
        }
    }

    /** Nobody could be taken for no writer, and its server's node be moved. */
    @Test
    void shouldTellOfAWriterThatSaysNoName() throws IOException {
        try (VolumeClient client = VolumeClient.open(server.config().withName(new ClientName("")))) {
            client.create(NAME, 1 << 20);
            try (RemoteVolume _ = client.attach(NAME, false)) {
                await().until(() -> row().filter(VolumeRow::isAttached).isPresent());
                assertThat(row().orElseThrow().writer()).isEqualTo("a client that has not said who it is");
            }
        }
    }

    private static long scrub(VolumeClient client, Listing volume) throws IOException {
        long broken = 0;
        for (long next = 0; next < volume.bytes() / 4096; ) {
            Looked part = client.scrub(volume, next, true);
            broken += part.blocks().size();
            next = part.next();
        }
        return broken;
    }

    @Test
    void shouldTellThatAVolumeIsDamaged_untilAllOfItWasReadAndIsGood() throws IOException {
        try (VolumeClient client = client()) {
            client.create(NAME, 1 << 20);
            client.create(new VolumeName("other"), 1 << 20);
            Listing listing = client.list().getFirst();
            try (RemoteVolume volume = client.attach(NAME, false)) {
                volume.write(0, ByteBuffer.allocate(1 << 20).put(0, (byte) 1));
                server.pool().checkpoint();
                assertThat(scrub(client, listing)).isZero();
                try (FileChannel clusters = FileChannel.open(folder.resolve("clusters"), StandardOpenOption.WRITE)) {
                    clusters.write(ByteBuffer.allocate(1).put(0, (byte) 7), 200 * 4096);
                }
                assertThatThrownBy(() -> volume.read(200 * 4096, ByteBuffer.allocate(1)))
                        .hasMessageContaining("is not what was written");
                await().until(() -> row().orElseThrow().health() == VolumeRow.Health.DAMAGED);
                assertThat(table().flatMap(table -> table.named(new VolumeName("other")))
                                .orElseThrow()
                                .health())
                        .isEqualTo(VolumeRow.Health.GOOD);
                assertThat(scrub(client, listing)).isEqualTo(1);
                volume.write(200 * 4096, ByteBuffer.allocate(4096));
                server.pool().checkpoint();
                VolumeTable before = table().orElseThrow();
                await().until(() -> table().orElseThrow().number() > before.number() + 1);
                assertThat(row().orElseThrow().health())
                        .as("others may be broken, too")
                        .isEqualTo(VolumeRow.Health.DAMAGED);
            }
            assertThat(scrub(client, listing)).isZero();
            await().until(() -> row().orElseThrow().health() == VolumeRow.Health.GOOD);
        }
    }

    /** It has no row of its own. */
    @Test
    void shouldTellThatAVolumeIsDamaged_whenOnlyASnapshotOfItIs() throws IOException {
        try (VolumeClient client = client()) {
            client.create(NAME, 1 << 20);
            try (RemoteVolume volume = client.attach(NAME, false)) {
                volume.write(0, ByteBuffer.allocate(1 << 20).put(0, (byte) 1));
                client.snapshot(NAME, new VolumeName("before"));
                server.pool().checkpoint();
                try (FileChannel clusters = FileChannel.open(folder.resolve("clusters"), StandardOpenOption.WRITE)) {
                    clusters.write(ByteBuffer.allocate(1).put(0, (byte) 7), 200 * 4096);
                }
                volume.write(192 * 4096, ByteBuffer.allocate(16 * 4096));
                server.pool().checkpoint();
            }
            List<Listing> all = client.list().stream()
                    .sorted(Comparator.comparingInt(Listing::parent))
                    .toList();
            assertThat(scrub(client, all.getFirst())).isZero();
            assertThat(scrub(client, all.getLast())).as("of the snapshot").isEqualTo(1);
            await().until(() -> row().orElseThrow().health() == VolumeRow.Health.DAMAGED);
            VolumeTable before = table().orElseThrow();
            await().until(() -> table().orElseThrow().number() > before.number() + 2);
            assertThat(row().orElseThrow().health()).isEqualTo(VolumeRow.Health.DAMAGED);
        }
    }

    @Test
    void shouldTellThatAVolumeCanOnlyBeRead_onceItsPoolHasFailed() throws IOException {
        try (VolumeClient client = client()) {
            client.create(NAME, 1 << 20);
            RemoteVolume volume = client.attach(NAME, false);
            volume.write(0, ByteBuffer.allocate(4096));
            server.isToFail.set(true);
            assertThatThrownBy(volume::flush).isInstanceOf(IOException.class);
            await().until(() -> row().orElseThrow().health() == VolumeRow.Health.READ_ONLY);
        }
        server.restartAfterAFailure();
    }

    @Test
    void shouldTellOfAllThatThereIsRoomFor() throws IOException {
        for (int i = 0; i < 1030; i++) {
            server.pool().create(new VolumeName("v" + i), 4096);
        }
        await().until(() -> table().filter(table -> table.volumes() == 1030).isPresent());
        VolumeTable table = table().orElseThrow();
        assertThat(table.rows()).hasSize(1024);
        assertThat(table.rows().getLast().name()).isEqualTo(new VolumeName("v1023"));
    }

    @Test
    void shouldReadOnAtOnce_whenTheServerIsStartedAnew() throws IOException {
        await().until(() -> table().isPresent());
        long life = table().orElseThrow().life();
        server.stop();
        long beganNanos = System.nanoTime();
        await().until(() -> reader.read(PATIENCE).equals(new Outcome.Unread("it is not connected")));
        assertThat(reader.read(Duration.ofHours(1))).isEqualTo(new Outcome.Unread("it is not connected"));
        assertThat(Duration.ofNanos(System.nanoTime() - beganNanos)).isLessThan(Duration.ofSeconds(30));
        server.start();
        await().until(() -> table().filter(table -> table.life() != life).isPresent());
    }
}
