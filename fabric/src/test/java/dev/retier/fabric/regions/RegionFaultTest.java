package dev.retier.fabric.regions;

import static dev.retier.fabric.regions.MemoryRegions.PATIENCE;
import static dev.retier.fabric.regions.MemoryRegions.bytes;
import static dev.retier.fabric.regions.MemoryRegions.failureOf;
import static dev.retier.fabric.regions.MemoryRegions.node;
import static dev.retier.fabric.regions.MemoryRegions.read;
import static dev.retier.fabric.regions.MemoryRegions.word;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.fabric.MemoryNodes;
import dev.retier.fabric.calls.CallOutcome;
import dev.retier.fabric.directory.Permission;
import dev.retier.fabric.directory.Permissions;
import dev.retier.fabric.directory.RegionAnswer;
import dev.retier.fabric.directory.RegionFailure;
import dev.retier.fabric.directory.RegionName;
import dev.retier.fabric.directory.RegionSpec;
import dev.retier.link.LinkMetric;
import dev.retier.testsupport.Logged;
import dev.retier.testsupport.verbs.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Regions of three nodes in memory, whose connections break and which die. */
@Timeout(60)
@ParameterizedClass
@ValueSource(booleans = {true, false})
class RegionFaultTest {
    private static final Permissions READ = Permissions.of(Permission.READ);
    private static final Duration SHORT = Duration.ofMillis(50);

    /** The function by which nodes ask each other about regions, and the kind of a question for a name. */
    private static final int REQUEST = 40;

    private static final byte LOOK_UP = 2;

    private final boolean isShared;
    private final MemoryRegions cell;
    private final RegionName name;
    private final Region region;
    private final Region holder;
    private final Logged logged = new Logged();

    /** {@code isShared} says whether the device's atomics exclude those of the holder's processors. */
    RegionFaultTest(boolean isShared) {
        this.isShared = isShared;
        this.cell = new MemoryRegions(3, MemoryRegions.CONFIG, world -> world.atomics(true, isShared));
        this.name = cell.nameAt(1);
        this.region = cell.at(1).create(name, RegionSpec.on(node(2), 4096, Permissions.ALL), PATIENCE);
        this.holder = cell.at(2).map(name, Permissions.ALL, PATIENCE);
    }

    @AfterEach
    void close() {
        cell.close();
        logged.close();
    }

    @Test
    void shouldRefuseCountAndLogOnce_whenANameIsOversized() throws InterruptedException {
        for (int length : new int[] {RegionName.MAX_LENGTH + 1, 1000, 0xFFFF}) {
            byte[] body = ByteBuffer.allocate(Long.BYTES + 3 + Math.min(length, 1000))
                    .putLong(1)
                    .put(LOOK_UP)
                    .putShort((short) length)
                    .array();
            CallOutcome outcome =
                    cell.nodes.at(3).call(node(2), REQUEST, body, PATIENCE).await();

            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            CallOutcome.Answered.class,
                            answered ->
                                    assertThat(answered.answer()).startsWith(1, 67, RegionFailure.MALFORMED.code()));
        }
        for (int function : new int[] {REQUEST, REQUEST + 1}) {
            assertThat(cell.nodes
                            .at(3)
                            .call(node(2), function, new byte[Long.BYTES], PATIENCE)
                            .await())
                    .isInstanceOf(CallOutcome.Answered.class);
        }

        assertThat(cell.metric(2, RegionMetric.REGIONS_MALFORMED)).isEqualTo(4);
        assertThat(logged.warnings("node-3 sends what is not understood")).hasSize(1);
        assertThat(cell.metric(2, LinkMetric.CONNECTIONS)).isEqualTo(3);
    }

    @Test
    void shouldSayUnknownAndNotRepeat_whenTheAnswerToAnAtomicIsLost() {
        assertThat(region.fetchAdd(0, 1, PATIENCE)).isEqualTo(new AtomicOutcome.Done(0));
        cell.nodes.world().holdCompletions(true);
        CompletableFuture<AtomicOutcome> outcome = region.fetchAddAsync(0, 10, PATIENCE);
        cell.nodes.lose(1, 2);

        assertThat(outcome.join()).isInstanceOf(AtomicOutcome.Unknown.class);
        cell.nodes.world().holdCompletions(false);
        cell.nodes.world().releaseCompletions(false);
        cell.nodes.awaitConnected();
        assertThat(word(region, 0)).as("resolved by reading").isEqualTo(11);
        assertThat(region.compareAndSet(0, 11, 12, PATIENCE)).isEqualTo(new AtomicOutcome.Done(11));
        assertThat(cell.metric(1, RegionMetric.REGIONS_UNKNOWN)).isEqualTo(1);
    }

    @Test
    void shouldSayUnknownAndNotRepeat_whenAnAtomicIsLost() {
        cell.nodes.world().hold(Kind.ATOMIC);
        CompletableFuture<AtomicOutcome> outcome = region.compareAndSetAsync(0, 0, 7, PATIENCE);
        cell.nodes.lose(1, 2);
        cell.nodes.world().release();

        assertThat(outcome.join()).isInstanceOf(AtomicOutcome.Unknown.class);
        assertThat(word(region, 0)).as("resolved by reading").isZero();
        assertThat(region.fetchAdd(0, 1, PATIENCE)).isEqualTo(new AtomicOutcome.Done(0));
        assertThat(cell.metric(1, RegionMetric.REGIONS_UNKNOWN)).isEqualTo(1);
    }

    @Test
    void shouldSayUnknown_whenTheDeadlineComesBeforeTheAnswer() {
        cell.nodes.world().hold(Kind.ATOMIC);
        assertThat(region.fetchAdd(0, 5, SHORT)).isInstanceOf(AtomicOutcome.Unknown.class);
        assertThat(region.fetchAddAsync(0, 5, SHORT).join()).isInstanceOf(AtomicOutcome.Unknown.class);
        MemoryNodes.until(() -> cell.metric(1, RegionMetric.REGIONS_UNKNOWN) == 2);
        cell.nodes.world().release();

        MemoryNodes.until(() -> word(holder, 0) == 10);
        assertThat(cell.metric(1, RegionMetric.REGIONS_UNKNOWN)).isEqualTo(2);
    }

    @Test
    void shouldCountItOnce_whenAnAtomicIsLostAfterItsDeadline() {
        cell.nodes.world().hold(Kind.ATOMIC);
        assertThat(region.fetchAdd(0, 5, SHORT)).isInstanceOf(AtomicOutcome.Unknown.class);
        MemoryNodes.until(() -> cell.metric(1, RegionMetric.REGIONS_UNKNOWN) == 1);
        cell.nodes.lose(1, 2);
        cell.nodes.world().release();

        MemoryNodes.until(((MappedRegion) region).drain(RegionFailure.UNMAPPED)::isDone);
        assertThat(cell.metric(1, RegionMetric.REGIONS_UNKNOWN)).isEqualTo(1);
    }

    @Test
    void shouldBeDrainedOnlyWhenItHasEnded_whenAnAtomicOutlivesItsDeadline() {
        cell.nodes.world().hold(Kind.ATOMIC);
        assertThat(region.fetchAdd(0, 5, SHORT)).isInstanceOf(AtomicOutcome.Unknown.class);
        CompletableFuture<RegionAnswer> drained = ((MappedRegion) region).drain(RegionFailure.UNMAPPED);
        assertThat(drained).isNotDone();
        cell.nodes.world().release();

        assertThat(drained.join()).isEqualTo(new RegionAnswer.Done());
    }

    @Test
    void shouldReadAndWriteAgain_whenAConnectionBreaksUnderIt() {
        MemorySegment written = bytes(1000, 4);
        for (Kind kind : List.of(Kind.READ, Kind.WRITE)) {
            cell.nodes.world().hold(kind);
            MemorySegment found = Arena.ofAuto().allocate(1000);
            CompletableFuture<Void> writing = region.writeAsync(0, List.of(written), PATIENCE);
            CompletableFuture<Void> reading = region.readAsync(2000, List.of(found), PATIENCE);
            cell.nodes.lose(1, 2);
            cell.nodes.world().release();
            writing.join();
            reading.join();
            assertThat(read(holder, 0, 1000).mismatch(written)).isEqualTo(-1);
        }
        assertThat(cell.metric(1, RegionMetric.REGIONS_RETRIED)).isPositive();
    }

    @Test
    void shouldLeaveTheCallersMemoryAlone_whenTheDeadlineHasPassed() {
        holder.write(0, List.of(bytes(1000, 4)), PATIENCE);
        cell.nodes.world().hold(Kind.READ);
        MemorySegment found = Arena.ofAuto().allocate(1000);
        assertThat(failureOf(() -> region.read(0, List.of(found), SHORT))).isEqualTo(RegionFailure.TIMED_OUT);
        CompletableFuture<Void> late = region.readAsync(0, List.of(found), SHORT);
        assertThatThrownBy(late::join)
                .hasCauseInstanceOf(RegionException.class)
                .hasMessageContaining("the deadline passed");
        cell.nodes.world().release();

        assertThat(word(region, 0)).isNotZero();
        assertThat(found.toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
        region.unmap();
    }

    @Test
    void shouldGiveUp_whenItsThreadIsInterrupted() {
        cell.nodes.world().hold(Kind.READ);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> word(region, 0)).hasMessage("TIMED_OUT: interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void shouldDoAllInTheEnd_whenMoreWaitsThanThereAreChunks() {
        cell.nodes.world().hold(Kind.ATOMIC);
        List<CompletableFuture<AtomicOutcome>> adds = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            adds.add(region.fetchAddAsync(0, 1, PATIENCE));
        }
        CompletableFuture<AtomicOutcome> late = region.fetchAddAsync(0, 1, SHORT);
        assertThat(late.join())
                .isInstanceOfSatisfying(
                        AtomicOutcome.Refused.class,
                        refused -> assertThat(refused.failure()).isEqualTo(RegionFailure.TIMED_OUT));
        assertThat(cell.nodes.world().waiting()).isEqualTo(MemoryRegions.CHUNKS);
        cell.nodes.world().release();

        assertThat(adds).allMatch(add -> add.join() instanceof AtomicOutcome.Done);
        assertThat(word(holder, 0)).isEqualTo(20);
    }

    @Test
    void shouldRefuseWhatIsTooMuch_whenThousandsWaitForChunks() {
        cell.nodes.world().hold(Kind.ATOMIC);
        List<CompletableFuture<AtomicOutcome>> adds = new ArrayList<>();
        for (int i = 0; i < 4096 + MemoryRegions.CHUNKS; i++) {
            adds.add(region.fetchAddAsync(0, 1, PATIENCE));
        }
        assertThat(adds).noneMatch(CompletableFuture::isDone);
        assertThat(region.fetchAdd(0, 1, PATIENCE))
                .isEqualTo(
                        new AtomicOutcome.Refused(RegionFailure.BUSY, "BUSY: too many operations wait for this peer"));
        assertThat(failureOf(() -> word(region, 0))).isEqualTo(RegionFailure.BUSY);
        cell.nodes.world().release();
        assertThat(adds).allMatch(add -> add.join() instanceof AtomicOutcome.Done);
    }

    @Test
    void shouldFailAndGoOnElsewhere_whenANodeIsAwayForTooLong() {
        RegionName other = new RegionName("of/two");
        Region both =
                cell.at(1).create(other, new RegionSpec(8192, List.of(node(2), node(3)), Permissions.ALL), PATIENCE);
        cell.kill(2);

        long begunNanos = System.nanoTime();
        assertThat(failureOf(() -> word(both, 0))).isEqualTo(RegionFailure.NODE_UNREACHABLE);
        assertThat(System.nanoTime() - begunNanos).isLessThan(PATIENCE.toNanos());
        assertThat(both.fetchAdd(0, 1, PATIENCE))
                .isInstanceOfSatisfying(
                        AtomicOutcome.Refused.class,
                        refused -> assertThat(refused.failure()).isEqualTo(RegionFailure.NODE_UNREACHABLE));
        assertThat(both.fetchAdd(4096, 1, PATIENCE)).isEqualTo(new AtomicOutcome.Done(0));
        assertThat(failureOf(() -> cell.at(1)
                        .create(new RegionName("on/two"), RegionSpec.on(node(2), 8, READ), Duration.ofMillis(500))))
                .isEqualTo(RegionFailure.NODE_UNREACHABLE);
    }

    @Test
    void shouldSayThatThePartIsLost_whenItsNodeHasRestarted() {
        region.fetchAdd(0, 1, PATIENCE);
        cell.kill(2);
        assertThat(failureOf(() -> word(region, 0))).isEqualTo(RegionFailure.NODE_UNREACHABLE);
        cell.reopen(2);
        cell.nodes.awaitConnected();

        assertThat(failureOf(() -> word(region, 0))).isIn(RegionFailure.LOST, RegionFailure.FREED);
    }

    @Test
    void shouldKnowTheNamesAgain_whenTheirKeeperHasRestarted() {
        cell.kill(1);
        Region before = cell.at(3).map(name, READ, PATIENCE);
        cell.reopen(1);
        cell.nodes.awaitConnected();

        Region after = cell.at(1).map(name, READ, PATIENCE);
        assertThat(after.placement()).containsExactly(node(2));
        assertThat(word(before, 0)).isEqualTo(word(after, 0));
        assertThat(failureOf(() -> cell.at(3).create(name, RegionSpec.on(node(3), 8, READ), PATIENCE)))
                .isEqualTo(RegionFailure.NAME_TAKEN);
    }

    @Test
    void shouldAnswerForNames_whenANodeThatShouldReportNeverComes() {
        cell.kill(3);
        cell.kill(1);
        cell.reopen(1);
        MemoryNodes.until(() -> cell.nodes.at(1).link(node(2)).isPresent()
                && cell.nodes.at(2).link(node(1)).isPresent());

        assertThat(word(cell.at(1).map(name, READ, PATIENCE), 0)).isZero();
        assertThat(cell.at(2).create(new RegionName("else"), RegionSpec.on(node(2), 8, READ), PATIENCE))
                .isNotNull();
    }

    @Test
    void shouldTakeTheRegistrationAway_whenAnOperationOutlivesItsHandle() {
        Region reader = cell.at(3).map(name, READ, PATIENCE);
        cell.nodes.world().hold(Kind.READ);
        CompletableFuture<Void> stuck =
                reader.readAsync(0, List.of(Arena.ofAuto().allocate(8)), PATIENCE);
        long begunNanos = System.nanoTime();

        region.grant(node(3), Permissions.NONE, PATIENCE);

        assertThat(Duration.ofNanos(System.nanoTime() - begunNanos))
                .isGreaterThan(MemoryRegions.CONFIG.drainBound().minusMillis(1));
        assertThat(cell.metric(2, RegionMetric.REGIONS_FORCED)).isEqualTo(1);
        cell.nodes.world().release();
        assertThatThrownBy(stuck::join).hasMessageContaining("REVOKED");
    }

    @Test
    void shouldWaitForWhatIsUnderWay_whenTheRegionsAreClosed() {
        cell.nodes.world().hold(Kind.ATOMIC);
        CompletableFuture<AtomicOutcome> add = region.fetchAddAsync(0, 1, PATIENCE);
        CompletableFuture<Void> closing = CompletableFuture.runAsync(cell.at(1)::close);
        MemoryNodes.until(() -> region.fetchAdd(0, 1, SHORT) instanceof AtomicOutcome.Refused refused
                && refused.failure() == RegionFailure.CLOSED);
        cell.nodes.world().release();

        assertThat(add.join()).isEqualTo(new AtomicOutcome.Done(0));
        closing.join();
    }

    @Test
    void shouldMoveInTheEnd_whenTheConnectionBreaksUnderTheCopy() {
        MemorySegment written = bytes(4096, 6);
        region.write(0, List.of(written), PATIENCE);
        cell.nodes.world().hold(Kind.READ);
        CompletableFuture<Void> moving = CompletableFuture.runAsync(() -> region.move(node(2), node(3), PATIENCE));
        MemoryNodes.until(() -> cell.nodes.world().waiting() > 0);
        cell.nodes.lose(3, 2);
        cell.nodes.world().release();
        moving.join();

        Region fresh = region.remap(PATIENCE);
        assertThat(fresh.placement()).containsExactly(node(3));
        assertThat(read(fresh, 0, 4096).mismatch(written)).isEqualTo(-1);
    }

    @Test
    void shouldSayThatThereIsNoSpace_whenTheDeviceRegistersNoMore() {
        cell.nodes.world().fail("regMr", 1);
        assertThat(failureOf(() -> cell.at(3).map(name, READ, PATIENCE))).isEqualTo(RegionFailure.NO_SPACE);
        assertThat(word(cell.at(3).map(name, READ, PATIENCE), 0)).isZero();
    }

    @Test
    void shouldMakeItInTheEnd_whenTheKeeperIsLostBeforeItAnswers() {
        CompletableFuture<Region> making = CompletableFuture.supplyAsync(() -> {
            cell.nodes.world().hold(Kind.WRITE);
            return cell.at(2).create(cell.nameAt(3), RegionSpec.on(node(1), 64, Permissions.ALL), PATIENCE);
        });
        MemoryNodes.until(() -> cell.nodes.world().waiting() > 0);
        cell.nodes.lose(2, 3);
        cell.nodes.world().release();

        assertThat(word(making.join(), 0)).isZero();
    }

    /** Its parts are reached over it where the device's atomics do not exclude those of its processors. */
    @Test
    void shouldMapOwnPartsOnceThisNodeIsConnectedToItself_whenItHasJustBegun() {
        cell.kill(2);
        cell.nodes.world().hold(Kind.ANSWER);
        Regions begun = cell.begin(2, Duration.ofMillis(1));
        MemoryNodes.until(() -> cell.nodes.world().waiting() > 0);
        RegionName own = cell.nameAt(2);
        RegionSpec spec = RegionSpec.on(node(2), 4096, Permissions.ALL);
        if (isShared) {
            begun.create(own, spec, PATIENCE);
        } else {
            assertThatThrownBy(() -> begun.create(own, spec, Duration.ofSeconds(1)))
                    .hasMessageContaining("not connected to itself yet, as which it reaches its own parts");
        }
        cell.nodes.world().release();

        assertThat(begun.map(own, Permissions.ALL, PATIENCE).fetchAdd(0, 7, PATIENCE))
                .isEqualTo(new AtomicOutcome.Done(0));
    }
}
