package dev.retier.fabric.regions;

import static dev.retier.fabric.regions.MemoryRegions.CHUNK_BYTES;
import static dev.retier.fabric.regions.MemoryRegions.PATIENCE;
import static dev.retier.fabric.regions.MemoryRegions.bytes;
import static dev.retier.fabric.regions.MemoryRegions.failureOf;
import static dev.retier.fabric.regions.MemoryRegions.node;
import static dev.retier.fabric.regions.MemoryRegions.read;
import static dev.retier.fabric.regions.MemoryRegions.word;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.fabric.directory.Permission;
import dev.retier.fabric.directory.Permissions;
import dev.retier.fabric.directory.RegionFailure;
import dev.retier.fabric.directory.RegionName;
import dev.retier.fabric.directory.RegionSpec;
import dev.retier.link.LinkMetric;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Regions of three nodes in memory, none of which fails, by processors and by the device alone. */
@Timeout(60)
@ParameterizedClass
@ValueSource(booleans = {true, false})
class RegionsTest {
    private static final RegionName NAME = new RegionName("orders/today");
    private static final Permissions READ = Permissions.of(Permission.READ);
    private static final Permissions WRITE = Permissions.of(Permission.WRITE);

    private final MemoryRegions cell;

    RegionsTest(boolean isShared) {
        this.cell = new MemoryRegions(3, MemoryRegions.CONFIG, world -> world.atomics(true, isShared));
    }

    @AfterEach
    void close() {
        cell.close();
    }

    @Test
    void shouldShareARegion_whenOthersMapItByName() {
        Region made = cell.at(1).create(NAME, RegionSpec.on(node(2), 5000, Permissions.ALL), PATIENCE);
        MemorySegment written = bytes(3000, 1);

        made.write(1234, List.of(written.asSlice(0, 1000), written.asSlice(1000)), PATIENCE);

        assertThat(made.name()).isEqualTo(NAME);
        assertThat(made.lengthBytes()).isEqualTo(5000);
        assertThat(made.permissions()).isEqualTo(Permissions.ALL);
        assertThat(made.placement()).containsExactly(node(2));
        for (int node = 1; node <= 3; node++) {
            Region mapped = cell.at(node).map(NAME, READ, PATIENCE);
            assertThat(read(mapped, 1234, 3000).mismatch(written)).isEqualTo(-1);
            assertThat(word(mapped, 0)).isZero();
            assertThat(mapped.permissions()).isEqualTo(READ);
        }
    }

    @Test
    void shouldRefuse_whenItMayNotOrCannotBe() {
        Region made = cell.at(1).create(NAME, RegionSpec.on(node(2), 5000, Permissions.ALL), PATIENCE);
        Region reader = cell.at(3).map(NAME, READ, PATIENCE);
        Region writer = cell.at(3).map(NAME, WRITE, PATIENCE);

        assertThat(failureOf(() -> reader.write(0, List.of(bytes(8, 1)), PATIENCE)))
                .isEqualTo(RegionFailure.NOT_PERMITTED);
        assertThat(failureOf(() -> word(writer, 0))).isEqualTo(RegionFailure.NOT_PERMITTED);
        assertThat(failureOf(() -> reader.free(PATIENCE))).isEqualTo(RegionFailure.NOT_PERMITTED);
        assertThat(failureOf(() -> reader.grant(node(3), Permissions.ALL, PATIENCE)))
                .isEqualTo(RegionFailure.NOT_PERMITTED);
        assertThat(failureOf(() -> reader.move(node(2), node(3), PATIENCE))).isEqualTo(RegionFailure.NOT_PERMITTED);
        assertThat(reader.compareAndSet(0, 0, 1, PATIENCE)).isInstanceOf(AtomicOutcome.Refused.class);
        assertThat(failureOf(() -> read(made, 4999, 2))).isEqualTo(RegionFailure.OUT_OF_BOUNDS);
        assertThat(failureOf(() -> read(made, -1, 1))).isEqualTo(RegionFailure.OUT_OF_BOUNDS);
        assertThat(failureOf(() -> read(made, 0, 5001))).isEqualTo(RegionFailure.OUT_OF_BOUNDS);
        read(made, 0, 5000);
        assertThat(refusal(made.fetchAdd(4993, 1, PATIENCE))).isEqualTo(RegionFailure.OUT_OF_BOUNDS);
        assertThat(refusal(made.fetchAdd(4, 1, PATIENCE))).isEqualTo(RegionFailure.OUT_OF_BOUNDS);
        assertThat(made.fetchAdd(4992, 1, PATIENCE)).isEqualTo(new AtomicOutcome.Done(0));
        assertThat(failureOf(() -> cell.at(3).create(NAME, RegionSpec.on(node(3), 8, READ), PATIENCE)))
                .isEqualTo(RegionFailure.NAME_TAKEN);
        assertThat(failureOf(() -> cell.at(3).map(new RegionName("no-such"), READ, PATIENCE)))
                .isEqualTo(RegionFailure.NO_SUCH_REGION);
        assertThatThrownBy(() -> cell.at(1).map(new RegionName("no-such"), READ, PATIENCE))
                .hasMessageStartingWith("NO_SUCH_REGION: ");
    }

    @Test
    void shouldRefuse_whenMemoryIsOfAConfinedArena() {
        Region made = cell.at(1).create(NAME, RegionSpec.on(node(2), 64, Permissions.ALL), PATIENCE);
        try (Arena confined = Arena.ofConfined()) {
            MemorySegment memory = confined.allocate(8);
            assertThatThrownBy(() -> made.read(0, List.of(bytes(8, 1), memory), PATIENCE))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("confined");
        }
        made.write(0, List.of(MemorySegment.ofArray(new byte[] {5})), PATIENCE);
        assertThat(word(made, 0)).isEqualTo(5);
        made.read(0, List.of(), PATIENCE);
    }

    @Test
    void shouldRefuse_whenMemoryToReadIntoIsReadOnly() {
        Region made = cell.at(1).create(NAME, RegionSpec.on(node(2), 64, Permissions.ALL), PATIENCE);
        MemorySegment memory = bytes(8, 1).asReadOnly();
        assertThatThrownBy(() -> made.read(0, List.of(bytes(8, 1), memory), PATIENCE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("read-only");
        made.write(0, List.of(memory), PATIENCE);
        assertThat(read(made, 0, 8).mismatch(memory)).isEqualTo(-1);
    }

    @Test
    void shouldReachEveryByte_whenARegionIsOnSeveralNodes() {
        RegionSpec spec = new RegionSpec(2 * 4096 + 1000, List.of(node(1), node(2), node(3)), Permissions.ALL);
        Region region = cell.at(1).create(NAME, spec, PATIENCE);
        assertThat(region.placement()).containsExactly(node(1), node(2), node(3));
        MemorySegment written = bytes(spec.lengthBytes(), 3);
        region.write(0, List.of(written), PATIENCE);

        for (int node = 1; node <= 3; node++) {
            Region mapped = cell.at(node).map(NAME, Permissions.ALL, PATIENCE);
            assertThat(read(mapped, 0, spec.lengthBytes()).mismatch(written)).isEqualTo(-1);
            for (long offset = 0; offset + 8 <= spec.lengthBytes(); offset += 1024) {
                assertThat(mapped.fetchAdd(offset, 0, PATIENCE))
                        .isEqualTo(new AtomicOutcome.Done(written.get(ValueLayout.JAVA_LONG_UNALIGNED, offset)));
            }
        }
    }

    @Test
    void shouldCopyEachByteToItsPlace_whenPiecesAndChunksHaveOddSizes() {
        Region region = cell.at(1).create(NAME, RegionSpec.on(node(2), 1000, Permissions.ALL), PATIENCE);
        for (int length : new int[] {1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 997}) {
            MemorySegment written = bytes(length, length);
            int border = length / 3;
            region.write(3, List.of(written.asSlice(0, border), written.asSlice(border)), PATIENCE);
            MemorySegment whole = Arena.ofAuto().allocate(length + 16);
            region.read(
                    3,
                    List.of(whole.asSlice(8, length - border), whole.asSlice(8 + length - border, border)),
                    PATIENCE);
            assertThat(whole.asSlice(8, length).mismatch(written)).isEqualTo(-1);
            assertThat(whole.get(ValueLayout.JAVA_LONG, 0)).isZero();
            assertThat(whole.get(ValueLayout.JAVA_LONG_UNALIGNED, 8 + length)).isZero();
        }
        assertThat(read(region, 0, 3).toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
    }

    @Test
    void shouldEndByItself_whenNobodyWaits() {
        Region region = cell.at(1).create(NAME, RegionSpec.on(node(2), 1000, Permissions.ALL), PATIENCE);
        MemorySegment written = bytes(1000, 9);
        MemorySegment found = Arena.ofAuto().allocate(1000);

        region.writeAsync(0, List.of(written), PATIENCE).join();
        region.readAsync(0, List.of(found), PATIENCE).join();
        assertThat(found.mismatch(written)).isEqualTo(-1);
        long word = written.get(ValueLayout.JAVA_LONG, 8);
        assertThat(region.compareAndSetAsync(8, word, 77, PATIENCE).join()).isEqualTo(new AtomicOutcome.Done(word));
        assertThat(region.fetchAddAsync(8, 3, PATIENCE).join()).isEqualTo(new AtomicOutcome.Done(77));
        assertThat(word(region, 8)).isEqualTo(80);
        CompletableFuture<Void> refused = region.readAsync(999, List.of(found), PATIENCE);
        assertThatThrownBy(refused::join).hasCauseInstanceOf(RegionException.class);
        assertThat(refusal(region.fetchAddAsync(4, 3, PATIENCE).join())).isEqualTo(RegionFailure.OUT_OF_BOUNDS);
    }

    @Test
    void shouldSwapOnlyWhatIsExpected_whenAWordIsHereOrThere() {
        cell.at(1).create(NAME, RegionSpec.on(node(2), 64, Permissions.ALL), PATIENCE);
        for (int node = 1; node <= 2; node++) {
            Region region = cell.at(node).map(NAME, Permissions.ALL, PATIENCE);
            long offset = 8L * node;
            assertThat(region.compareAndSet(offset, 1, 2, PATIENCE)).isEqualTo(new AtomicOutcome.Done(0));
            assertThat(word(region, offset)).isZero();
            assertThat(region.compareAndSet(offset, 0, 5, PATIENCE)).isEqualTo(new AtomicOutcome.Done(0));
            assertThat(region.fetchAdd(offset, 7, PATIENCE)).isEqualTo(new AtomicOutcome.Done(5));
            assertThat(word(region, offset)).isEqualTo(12);
        }
    }

    @Test
    void shouldCountRight_whenManyAddAtOnce() {
        cell.at(1).create(NAME, RegionSpec.on(node(2), 64, Permissions.ALL), PATIENCE);
        AtomicLong swaps = new AtomicLong();
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            for (int node : new int[] {1, 3}) {
                Region region = cell.at(node).map(NAME, Permissions.ALL, PATIENCE);
                threads.execute(() -> {
                    for (int i = 0; i < 50; i++) {
                        region.fetchAdd(8, 3, PATIENCE);
                        long seen = word(region, 16);
                        if (region.compareAndSet(16, seen, seen + 1, PATIENCE).equals(new AtomicOutcome.Done(seen))) {
                            swaps.incrementAndGet();
                        }
                    }
                });
            }
        }

        Region own = cell.at(2).map(NAME, READ, PATIENCE);
        assertThat(word(own, 8)).isEqualTo(2 * 50 * 3);
        assertThat(word(own, 16)).isEqualTo(swaps.get());
    }

    @Test
    void shouldSayMoved_whenTheRegionGoesElsewhereUnderAReader() {
        Region owner = cell.at(1).create(NAME, RegionSpec.on(node(2), 600_000, Permissions.ALL), PATIENCE);
        MemorySegment written = bytes(600_000, 7);
        owner.write(0, List.of(written), PATIENCE);
        Region reader = cell.at(3).map(NAME, READ, PATIENCE);

        owner.move(node(2), node(3), PATIENCE);

        assertThat(failureOf(() -> word(reader, 0))).isEqualTo(RegionFailure.MOVED);
        assertThat(failureOf(() -> word(owner, 0))).isEqualTo(RegionFailure.MOVED);
        Region fresh = reader.remap(PATIENCE);
        assertThat(fresh.placement()).containsExactly(node(3));
        assertThat(fresh.version()).isGreaterThan(reader.version());
        assertThat(fresh.permissions()).isEqualTo(READ);
        assertThat(read(fresh, 0, 600_000).mismatch(written)).isEqualTo(-1);
    }

    @Test
    void shouldSayFreed_whenOthersUseTheRegion() {
        Region owner = cell.at(1).create(NAME, RegionSpec.on(node(1), 4096, Permissions.ALL), PATIENCE);
        Region reader = cell.at(2).map(NAME, READ, PATIENCE);
        word(reader, 0);

        owner.free(PATIENCE);

        assertThat(failureOf(() -> word(reader, 0))).isEqualTo(RegionFailure.FREED);
        assertThat(failureOf(() -> word(owner, 0))).isEqualTo(RegionFailure.FREED);
        cell.at(2).create(NAME, RegionSpec.on(node(3), 4096, READ), PATIENCE);
    }

    @Test
    void shouldTakeAway_whenAGrantIsReduced() {
        Region owner = cell.at(1).create(NAME, RegionSpec.on(node(2), 4096, Permissions.ALL), PATIENCE);
        Region writer = cell.at(3).map(NAME, WRITE, PATIENCE);
        writer.write(0, List.of(bytes(8, 1)), PATIENCE);

        owner.grant(node(3), READ, PATIENCE);

        assertThat(failureOf(() -> writer.write(0, List.of(bytes(8, 1)), PATIENCE)))
                .isEqualTo(RegionFailure.REVOKED);
        assertThat(failureOf(() -> cell.at(3).map(NAME, WRITE, PATIENCE))).isEqualTo(RegionFailure.NOT_PERMITTED);
        word(cell.at(3).map(NAME, READ, PATIENCE), 0);
    }

    @Test
    void shouldSayUnmapped_whenTheHandleWasGivenUp() {
        Region owner = cell.at(1).create(NAME, RegionSpec.on(node(2), 4096, Permissions.ALL), PATIENCE);
        Region second = cell.at(1).map(NAME, Permissions.ALL, PATIENCE);
        owner.unmap();
        owner.close();

        assertThat(failureOf(() -> word(owner, 0))).isEqualTo(RegionFailure.UNMAPPED);
        assertThat(refusal(owner.fetchAdd(0, 1, PATIENCE))).isEqualTo(RegionFailure.UNMAPPED);
        assertThat(failureOf(() -> owner.free(PATIENCE))).isEqualTo(RegionFailure.UNMAPPED);
        assertThat(word(second, 0)).isZero();
        assertThat(word(owner.remap(PATIENCE), 0)).isZero();
    }

    @Test
    void shouldSayClosed_whenTheNodesRegionsWereClosed() {
        Region region = cell.at(1).create(NAME, RegionSpec.on(node(2), 4096, Permissions.ALL), PATIENCE);
        cell.at(1).close();
        cell.at(1).close();

        assertThat(failureOf(() -> word(region, 0))).isEqualTo(RegionFailure.CLOSED);
        assertThat(failureOf(() -> cell.at(1).map(NAME, READ, PATIENCE))).isEqualTo(RegionFailure.CLOSED);
        assertThat(failureOf(() -> cell.at(1).create(NAME, RegionSpec.on(node(2), 1, READ), PATIENCE)))
                .isEqualTo(RegionFailure.CLOSED);
    }

    @Test
    void shouldGiveAHandleUpAtOnce_whenTheRegionsWereClosedBefore() {
        Region region = cell.at(1).create(NAME, RegionSpec.on(node(2), 4096, Permissions.ALL), PATIENCE);
        cell.at(1).close();

        assertThat(CompletableFuture.runAsync(region::close)).succeedsWithin(PATIENCE);
    }

    @Test
    void shouldCountWhatTheConnectionsDo_whenAskedForMetrics() {
        assertThat(cell.metric(1, LinkMetric.CONNECTIONS)).isEqualTo(3);
        assertThat(cell.at(1).metrics()).containsKeys(RegionMetric.values()).containsKeys(LinkMetric.values());
    }

    @Test
    void shouldSayWhatIsNotThere_whenTheDeadlineIsShort() {
        Region region = cell.at(1).create(NAME, RegionSpec.on(node(2), 64, Permissions.ALL), PATIENCE);
        cell.nodes.cut(1, 2);
        assertThat(failureOf(() -> region.read(0, List.of(bytes(8, 1)), Duration.ofMillis(50))))
                .isEqualTo(RegionFailure.TIMED_OUT);
    }

    private static RegionFailure refusal(AtomicOutcome outcome) {
        assertThat(outcome).isInstanceOf(AtomicOutcome.Refused.class);
        return ((AtomicOutcome.Refused) outcome).failure();
    }
}
