package dev.retier.fabric.regions;

import static dev.retier.fabric.regions.RegionCell.PATIENCE;
import static dev.retier.fabric.regions.RegionCell.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.fabric.directory.Permission;
import dev.retier.fabric.directory.Permissions;
import dev.retier.fabric.directory.RegionFailure;
import dev.retier.fabric.directory.RegionName;
import dev.retier.fabric.directory.RegionSpec;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Regions of four nodes over soft-iwarp on the loopback interface. */
@Timeout(120)
class RegionsIT {
    private static final RegionName NAME = new RegionName("orders/today");
    private static final Permissions READ = Permissions.of(Permission.READ);
    private static final long GIB = 1L << 30;

    @TempDir
    private Path backing;

    private RegionCell cell;

    @BeforeEach
    void open() {
        cell = new RegionCell(4, backing);
    }

    @AfterEach
    void close() throws IOException {
        cell.close();
    }

    private static MemorySegment bytes(long length, int seed) {
        MemorySegment memory = Arena.ofAuto().allocate(length, Long.BYTES);
        for (long i = 0; i < length; i++) {
            memory.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + seed));
        }
        return memory;
    }

    private static MemorySegment read(Region region, long offset, long length) {
        MemorySegment memory = Arena.ofAuto().allocate(length, Long.BYTES);
        region.read(offset, List.of(memory), PATIENCE);
        return memory;
    }

    private static RegionFailure failureOf(Runnable action) {
        try {
            action.run();
        } catch (RegionException refused) {
            return refused.failure();
        }
        throw new AssertionError("it was not refused");
    }

    @Test
    void shouldShareARegion_whenOthersMapItByName() {
        // Given
        Region made = cell.at(1).create(NAME, RegionSpec.on(node(2), 100_000, Permissions.ALL), PATIENCE);
        MemorySegment written = bytes(70_000, 1);

        // When
        made.write(12_345, List.of(written.asSlice(0, 30_000), written.asSlice(30_000)), PATIENCE);

        // Then
        for (int node = 1; node <= 4; node++) {
            Region mapped = cell.at(node).map(NAME, READ, PATIENCE);
            assertThat(read(mapped, 12_345, 70_000).mismatch(written)).isEqualTo(-1);
            assertThat(failureOf(() -> mapped.write(0, List.of(written), PATIENCE)))
                    .isEqualTo(RegionFailure.NOT_PERMITTED);
        }
        assertThat(failureOf(() -> read(made, 99_999, 2))).isEqualTo(RegionFailure.OUT_OF_BOUNDS);
        assertThat(failureOf(() -> cell.at(3).create(NAME, RegionSpec.on(node(3), 8, READ), PATIENCE)))
                .isEqualTo(RegionFailure.NAME_TAKEN);
        assertThat(failureOf(() -> cell.at(3).map(new RegionName("no-such"), READ, PATIENCE)))
                .isEqualTo(RegionFailure.NO_SUCH_REGION);
    }

    @Test
    void shouldReachEveryByte_whenARegionIsLargerThan2GibOnThreeNodes() {
        // Given
        long length = 5 * GIB / 2;
        RegionSpec spec = new RegionSpec(length, List.of(node(1), node(2), node(3)), Permissions.ALL);

        // When
        Region region = cell.at(4).create(NAME, spec, PATIENCE);

        // Then
        assertThat(region.placement()).containsExactly(node(1), node(2), node(3));
        Region own = cell.at(2).map(NAME, Permissions.ALL, PATIENCE);
        long border = region.lengthBytes() / 3 / 4096 * 4096;
        for (long offset : new long[] {0, border - 4096, 2 * border - 4096, length - 100_000}) {
            MemorySegment written = bytes(100_000, (int) (offset % 251));
            region.write(offset, List.of(written), PATIENCE);
            assertThat(read(own, offset, 100_000).mismatch(written)).isEqualTo(-1);
        }
    }

    @Test
    void shouldCountRight_whenTheHolderAndOthersAddAtOnce() throws Exception {
        // Given
        cell.at(1).create(NAME, RegionSpec.on(node(2), 64, Permissions.ALL), PATIENCE);
        AtomicLong swaps = new AtomicLong();

        // When
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (int node = 1; node <= 4; node++) {
                Region region = cell.at(node).map(NAME, Permissions.ALL, PATIENCE);
                threads.execute(() -> {
                    for (int i = 0; i < 500; i++) {
                        region.fetchAdd(8, 3, PATIENCE);
                        long seen = read(region, 16, 8).get(ValueLayout.JAVA_LONG, 0);
                        if (region.compareAndSet(16, seen, seen + 1, PATIENCE) instanceof AtomicOutcome.Done(long found)
                                && found == seen) {
                            swaps.incrementAndGet();
                        }
                    }
                });
            }
        }

        // Then
        MemorySegment words = read(cell.at(3).map(NAME, READ, PATIENCE), 8, 16);
        assertThat(words.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(4 * 500 * 3);
        assertThat(words.get(ValueLayout.JAVA_LONG, 8)).isEqualTo(swaps.get());
    }
}
