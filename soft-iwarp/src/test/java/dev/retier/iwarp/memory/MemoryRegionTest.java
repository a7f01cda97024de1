package dev.retier.iwarp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes and words of a region, in one window of 1 GiB and across several. */
class MemoryRegionTest {
    private static final int RIGHTS = Access.LOCAL_WRITE | Access.REMOTE_READ;
    private static final MemoryRegion.Grant GRANT = new MemoryRegion.Grant(1, 7, RIGHTS);
    private static final int BYTES = 48;
    private static final int KEPT_VIEWS = 32;

    @Test
    void shouldTellWhatItWasRegisteredWith() {
        MemorySegment memory = Arena.ofAuto().allocate(BYTES, 8);
        MemoryRegion region = register(memory);

        assertThat(region.domain()).isEqualTo(1);
        assertThat(region.stream()).isEqualTo(7);
        assertThat(region.rights()).isEqualTo(RIGHTS);
        assertThat(region.address()).isEqualTo(memory.address());
        assertThat(region.length()).isEqualTo(BYTES);
    }

    @Test
    void shouldRefuseOtherStreamsAndDomains_whenItIsForOneStream() {
        MemoryRegion region = register(Arena.ofAuto().allocate(BYTES, 8));
        long base = region.address();

        assertThat(region.check(new StreamIdentity(7, 1), RIGHTS, base, BYTES)).isEqualTo(AccessResult.GRANTED);
        assertThat(region.check(new StreamIdentity(8, 1), RIGHTS, base, BYTES)).isEqualTo(AccessResult.NOT_ASSOCIATED);
        assertThat(region.check(new StreamIdentity(7, 2), RIGHTS, base, BYTES)).isEqualTo(AccessResult.NOT_ASSOCIATED);
    }

    /** The file has holes, so that next to no memory is used. */
    @Test
    void shouldPutAndGetWhatWasAsked_whereverWindowsMeet(@TempDir Path folder) throws IOException {
        long length = 2 * Windows.WINDOW_BYTES + BYTES;
        try (Arena arena = Arena.ofShared();
                FileChannel file = FileChannel.open(
                        folder.resolve("sparse"),
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.SPARSE)) {
            MemorySegment memory = file.map(FileChannel.MapMode.READ_WRITE, 0, length, arena);
            MemoryRegion region = register(memory);
            byte[] told = random(BYTES);
            long[] froms = LongStream.of(
                            0,
                            Windows.WINDOW_BYTES - BYTES,
                            Windows.WINDOW_BYTES - 5,
                            Windows.WINDOW_BYTES,
                            2 * Windows.WINDOW_BYTES - 5,
                            length - BYTES)
                    .toArray();
            for (long from : froms) {
                ByteBuffer source = ByteBuffer.allocateDirect(BYTES + 3).put(3, told);
                region.put(region.address() + from, source, 3, BYTES);

                assertThat(memory.asSlice(from, BYTES).toArray(ValueLayout.JAVA_BYTE))
                        .as("put at %d", from)
                        .isEqualTo(told);
                ByteBuffer target = ByteBuffer.allocate(BYTES + 2).position(2);
                region.get(region.address() + from, target, BYTES);
                assertThat(target.position()).isEqualTo(BYTES + 2);
                assertThat(ByteBuffer.wrap(target.array(), 2, BYTES))
                        .as("get at %d", from)
                        .isEqualTo(ByteBuffer.wrap(told));
                memory.asSlice(from, BYTES).fill((byte) 0);
            }
        }
    }

    @Test
    void shouldLendABufferButNoSegment_whenASocketIsToReadIt() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
        Windows ofBuffer = Windows.of(buffer);
        Windows ofSegment = Windows.of(Arena.ofAuto().allocate(BYTES));

        assertThat(ofBuffer.gathers()).isTrue();
        assertThat(ofSegment.gathers()).isFalse();
        assertThat(ofBuffer.inOneView(Windows.WINDOW_BYTES - BYTES, BYTES)).isTrue();
        assertThat(ofBuffer.inOneView(Windows.WINDOW_BYTES - BYTES + 1, BYTES)).isFalse();
        assertThat(register(Arena.ofAuto().allocate(BYTES)).lends(0, 0)).isFalse();
    }

    @Test
    void shouldShowTheBytesAskedFor_whenAViewIsBorrowed() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES).put(0, random(BYTES));
        Windows windows = Windows.of(buffer);

        assertThat(windows.borrow(5, 11))
                .isEqualTo(buffer.duplicate().position(5).limit(16));
    }

    @Test
    void shouldReuseAsManyViewsAsItKeeps_whenMoreAreGivenBack() {
        Windows windows = Windows.of(ByteBuffer.allocateDirect(BYTES));
        Set<ByteBuffer> first = borrow(windows);
        first.forEach(windows::giveBack);

        Set<ByteBuffer> second = borrow(windows);

        assertThat(second).as("nobody shares").hasSize(KEPT_VIEWS + 1);
        assertThat(second).allSatisfy(view -> assertThat(view).isEqualTo(ByteBuffer.allocate(BYTES)));
        second.retainAll(first);
        assertThat(second).hasSize(KEPT_VIEWS);
    }

    /** One view more than are kept, each by its identity. */
    private static Set<ByteBuffer> borrow(Windows windows) {
        Set<ByteBuffer> views = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i <= KEPT_VIEWS; i++) {
            views.add(windows.borrow(0, BYTES));
        }
        return views;
    }

    @Test
    void shouldSayWhetherItSwapped_whenAWordIsCompared() {
        MemoryRegion region = register(Arena.ofAuto().allocate(BYTES, 8));
        long at = region.address() + 8;

        assertThat(region.compareAndSet(at, 0, 5)).isTrue();
        assertThat(region.compareAndSet(at, 0, 6)).isFalse();
        assertThat(region.word(at)).isEqualTo(5);
        assertThat(region.word(region.address())).isZero();
    }

    private static MemoryRegion register(MemorySegment memory) {
        return Objects.requireNonNull(new StagTable(new SplittableRandom(1), 1).register(GRANT, memory));
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(1).nextBytes(bytes);
        return bytes;
    }
}
