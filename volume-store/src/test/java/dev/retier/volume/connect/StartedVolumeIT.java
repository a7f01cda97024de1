package dev.retier.volume.connect;

import static dev.retier.volume.connect.OneServer.random;
import static dev.retier.volume.connect.OneServer.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.retier.volume.Volume.Option;
import dev.retier.volume.VolumeName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The interface for programs, over software iWARP on loopback. */
@Timeout(60)
class StartedVolumeIT {
    private static final VolumeName ACCOUNTS = new VolumeName("accounts");
    private static final int BYTES = 16 << 20;
    /** Not a multiple of a block, so that requests are cut where no program would. */
    private static final int SLOT_BYTES = 20_000;

    @TempDir
    private Path folder = Path.of("");

    private OneServer server;

    @BeforeEach
    void serve() throws IOException {
        server = new OneServer(folder.resolve("pool"), SLOT_BYTES);
    }

    @AfterEach
    void end() throws IOException {
        server.close();
    }

    private RemoteVolume attached(Completion completion) throws IOException {
        VolumeClient client =
                server.client(server.config().withUnflushedBytes(4 << 20).withCompletion(completion));
        client.create(ACCOUNTS, BYTES);
        return client.attach(ACCOUNTS, false);
    }

    @Test
    void shouldStay_whenAnOlderHandleIsClosed() throws IOException {
        VolumeClient client = server.client(server.config());
        client.create(ACCOUNTS, BYTES);
        RemoteVolume older = client.attach(ACCOUNTS, false);
        RemoteVolume volume = client.attach(ACCOUNTS, true);
        assertThatThrownBy(older::close).isInstanceOf(IOException.class);
        volume.write(0, random(1, 4096));
        volume.flush();
        assertThatThrownBy(() -> volume.read(0, ByteBuffer.allocate(4096).asReadOnlyBuffer()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(read(volume, 0, 4096)).isEqualTo(random(1, 4096));
    }

    /** Gathered from three places, scattered to two, deeper than there are slots, in each mode. */
    @ParameterizedTest
    @EnumSource(CompletionMode.class)
    void shouldDoAllThatWasStarted_howeverItsEndIsLearnt(CompletionMode mode) throws Exception {
        RemoteVolume volume = attached(new Completion(mode, Duration.ofNanos(20_000), 4));
        int count = 300;
        int length = 30_000;
        int told = 0;
        List<Pending> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ByteBuffer own = ByteBuffer.allocate(length).put(random(i, length)).flip();
            all.add(volume.startWrite(
                    (long) i * length, Set.of(), own.slice(0, 1), own.slice(1, 20_000), own.slice(20_001, 9_999)));
            Arrays.fill(own.array(), (byte) 7);
            told += volume.poll();
        }
        while (told < count) {
            told += volume.await(Duration.ofSeconds(20));
        }
        assertThat(all).allMatch(Pending::isDone);
        assertThat(volume.await(Duration.ofSeconds(20)))
                .as("nothing is under way")
                .isZero();
        assertThat(volume.facts().underWay()).isZero();
        assertThat(volume.facts().unflushedBytes()).isBetween(1L, 12L << 20);
        volume.startFlush().await();
        assertThat(volume.facts().unflushedBytes()).isZero();

        all.clear();
        List<ByteBuffer> read = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ByteBuffer into = ByteBuffer.allocate(length);
            read.add(into);
            all.add(volume.startRead((long) i * length, into.slice(0, 11_111), into.slice(11_111, length - 11_111)));
        }
        for (int i = 0; i < count; i++) {
            all.get(i).await();
            assertThat(read.get(i)).isEqualTo(random(i, length));
        }
        assertThat(volume.poll()).isEqualTo(count + 1);
    }

    /** They leave together, but none stays behind. */
    @Test
    void shouldDoAllThatWasStarted_whenNobodyPollsOrWaits() throws IOException {
        RemoteVolume volume = attached(Completion.DEFAULT);
        List<Pending> all = new ArrayList<>();
        for (int i = 0; i < 13; i++) {
            all.add(volume.startWrite((long) i * 4096, Set.of(), random(i, 4096)));
        }
        await().atMost(Duration.ofSeconds(20)).until(() -> all.stream().allMatch(Pending::isDone));
        assertThat(read(volume, 12 * 4096, 4096)).isEqualTo(random(12, 4096));
    }

    @Test
    void shouldZeroAndDiscardAndRefuse_asTheBlockingCallsDo() throws IOException {
        RemoteVolume volume = attached(Completion.DEFAULT);
        volume.write(0, random(1, 40_000));
        volume.startZero(100, 200, Set.of()).await();
        volume.discard(5_000, 10_000, Set.of());
        ByteBuffer expected = random(1, 40_000);
        expected.put(100, new byte[200]).put(8192, new byte[4096]);
        assertThat(read(volume, 0, 40_000)).isEqualTo(expected);

        assertThatThrownBy(() -> volume.startWrite(BYTES - 1, Set.of(), random(1, 2)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> volume.startRead(-1, ByteBuffer.allocate(2)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> volume.discard(BYTES - 10, 11, Set.of())).isInstanceOf(IllegalArgumentException.class);
        assertThat(volume.facts().underWay())
                .as("what was refused is not under way")
                .isZero();
        assertThat(volume.startWrite(0, Set.of()).isDone()).isTrue();
    }

    /** The third promise, with and without a copy: lent memory is sent as it is when it is sent again. */
    @Test
    void shouldCopyNothing_whenItIsLentRegisteredMemory() throws IOException {
        RemoteVolume volume = attached(Completion.DEFAULT);
        volume.flush();
        Path before = folder.resolve("before");
        server.stop();
        server.keepDisk(before);
        server.start();
        ByteBuffer memory = volume.buffer(64 << 10);
        assertThat(memory.remaining()).isEqualTo(64 << 10);
        memory.put(0, random(1, 64 << 10), 0, 64 << 10);
        ByteBuffer whole = memory.slice(0, 20_000);
        volume.startWrite(0, Set.of(Option.LENT), whole).await();
        volume.startWrite(100_000, Set.of(Option.LENT), memory.slice(7, 9), memory.slice(30_000, 5_000))
                .await();
        volume.startWrite(200_000, Set.of(), whole).await();
        assertThat(read(volume, 0, 20_000)).isEqualTo(random(1, 64 << 10).limit(20_000));
        assertThat(read(volume, 100_009, 5_000)).isEqualTo(random(1, 64 << 10).slice(30_000, 5_000));

        memory.put(0, (byte) 1).put(1, (byte) 2).put(2, (byte) 3);
        server.stop();
        server.bringBackDisk(before);
        server.boot = new UUID(2, 2);
        server.start();

        assertThat(read(volume, 0, 3)).as("as it is").isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertThat(read(volume, 200_000, 20_000))
                .as("as it was")
                .isEqualTo(random(1, 64 << 10).limit(20_000));
        assertThat(read(volume, 100_009, 5_000)).isEqualTo(random(1, 64 << 10).slice(30_000, 5_000));
        assertThatThrownBy(() -> volume.buffer(1 << 30)).hasMessageContaining("of registered memory");
    }

    @Test
    void shouldBeOnTheDiskWhenItIsAnswered_ifItIsForced() throws IOException {
        RemoteVolume volume = attached(Completion.DEFAULT);
        volume.write(0, random(1, 4096));
        assertThat(volume.facts().unflushedBytes()).isEqualTo(4096);
        int before = server.forces.get();

        volume.write(8192, random(2, 4096), Set.of(Option.FORCED));
        assertThat(server.forces.get()).isEqualTo(before + 1);
        assertThat(volume.facts().unflushedBytes())
                .as("nor needs what was answered before to be kept")
                .isZero();
        volume.zero(8192, 4096, Set.of(Option.FORCED));
        volume.startWrite(0, Set.of(Option.FORCED)).await();
        volume.discard(1, 2, Set.of(Option.FORCED));
        assertThat(server.forces.get()).isEqualTo(before + 4);
        assertThat(volume.facts().unflushedBytes()).isZero();
    }

    /** Slots of 19,936 bytes of data: others than these are cut at 19,936, in the middle of the second 16 KiB. */
    @Test
    void shouldBeOneRequest_ifItIsToBeWhole() throws IOException {
        RemoteVolume volume = attached(Completion.DEFAULT);
        volume.write(16 << 10, random(1, 16 << 10), Set.of(Option.WHOLE, Option.FORCED));
        assertThat(read(volume, 16 << 10, 16 << 10)).isEqualTo(random(1, 16 << 10));
        for (int[] odd : new int[][] {{0, 32 << 10}, {8 << 10, 16 << 10}, {0, 12 << 10}, {0, 0}}) {
            assertThatThrownBy(() -> volume.write(odd[0], ByteBuffer.allocate(odd[1]), Set.of(Option.WHOLE)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("cannot be written as a whole");
        }
    }
}
