package dev.retier.fabric.locks;

import static dev.retier.fabric.MemoryNodes.PATIENCE;
import static dev.retier.fabric.MemoryNodes.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.fabric.Fabric;
import dev.retier.fabric.MemoryNodes;
import dev.retier.testsupport.verbs.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Locks whose home is node 1, between three nodes in memory. */
@Timeout(60)
class LocksTest {
    /** For what is to be kept, also on a busy machine; a home grants nothing for as long after its start. */
    private static final Duration LEASE = Duration.ofMillis(1500);
    /** For what is to come to its end. */
    private static final Duration SHORT_LEASE = Duration.ofMillis(600);
    /** For what is to come sooner than anybody asks again. */
    private static final Duration LONG_LEASE = Duration.ofSeconds(60);

    private static final Duration SHORT = Duration.ofMillis(50);
    private static final LockPlace PLACE = new LockPlace(node(1), 3);

    private final MemoryNodes nodes = new MemoryNodes(3, MemoryNodes.LIMITS);
    private final Map<Integer, Locks> locks = new TreeMap<>();

    @BeforeEach
    void open() {
        nodes.openAll();
        openLocks(LEASE);
    }

    @AfterEach
    void close() {
        locks.values().forEach(Locks::close);
        nodes.close();
    }

    private interface Acquire {
        Optional<HeldLock> from(Locks locks, Duration deadline) throws InterruptedException;
    }

    private static final Acquire TICKET = (locks, deadline) -> locks.acquire(PLACE, deadline);
    private static final Acquire READ = (locks, deadline) -> locks.acquireRead(PLACE, deadline);
    private static final Acquire WRITE = (locks, deadline) -> locks.acquireWrite(PLACE, deadline);

    @Test
    void shouldLetOneInAtATimeWithGrowingTokens_whenSixThreadsOfThreeNodesWantIt() throws Exception {
        for (Acquire kind : List.of(TICKET, WRITE)) {
            AtomicInteger inside = new AtomicInteger();
            List<Long> tokens = new ArrayList<>();
            run(6, thread -> {
                for (int i = 0; i < 20; i++) {
                    try (HeldLock held = kind.from(at(1 + thread % 3), PATIENCE).orElseThrow()) {
                        assertThat(inside.incrementAndGet()).isEqualTo(1);
                        tokens.add(held.token());
                        inside.decrementAndGet();
                    }
                }
            });
            assertThat(tokens).hasSize(120).isSorted().doesNotHaveDuplicates();
        }
    }

    @Test
    void shouldTellWhetherItIsSafe_whenItIsHeldAndGivenUp() throws InterruptedException {
        for (Acquire kind : List.of(TICKET, READ, WRITE)) {
            HeldLock first = kind.from(at(2), PATIENCE).orElseThrow();
            assertThat(first.isSafe()).isTrue();
            first.close();
            assertThat(first.isSafe()).isFalse();
            HeldLock second = kind.from(at(2), PATIENCE).orElseThrow();
            first.close();
            assertThat(second.isSafe()).isTrue();
            assertThat(first.isSafe()).isFalse();
            assertThat(second.token()).isGreaterThan(first.token());
            second.close();
        }
    }

    @Test
    void shouldKeepTheLock_whenItsHolderLivesLongerThanTheLease() throws InterruptedException {
        LockPlace readPlace = new LockPlace(node(1), 4);
        HeldLock ticket = at(2).acquire(PLACE, PATIENCE).orElseThrow();
        HeldLock write = at(2).acquireWrite(PLACE, PATIENCE).orElseThrow();
        HeldLock read = at(2).acquireRead(readPlace, PATIENCE).orElseThrow();

        assertThat(at(3).acquire(PLACE, LEASE.multipliedBy(2))).isEmpty();
        assertThat(at(3).acquireRead(PLACE, SHORT)).isEmpty();
        assertThat(at(3).acquireWrite(readPlace, SHORT)).isEmpty();
        assertThat(ticket.isSafe() && write.isSafe() && read.isSafe()).isTrue();
        List.of(ticket, write, read).forEach(HeldLock::close);
        assertThat(at(3).acquire(PLACE, PATIENCE)).isPresent();
        assertThat(at(3).acquireWrite(PLACE, PATIENCE)).isPresent();
        assertThat(at(3).acquireWrite(readPlace, PATIENCE)).isPresent();
    }

    @Test
    void shouldGiveItOn_whenItsHolderIsGone() throws InterruptedException {
        reopen(SHORT_LEASE);
        HeldLock ticket = at(2).acquire(PLACE, PATIENCE).orElseThrow();
        HeldLock read = at(2).acquireRead(PLACE, PATIENCE).orElseThrow();
        at(2).close();
        nodes.close(2);

        HeldLock next = at(3).acquire(PLACE, PATIENCE).orElseThrow();
        assertThat(ticket.isSafe()).isFalse();
        assertThat(next.token()).isGreaterThan(ticket.token());
        assertThat(at(3).acquireWrite(PLACE, PATIENCE)).isPresent();
        assertThat(read.isSafe()).isFalse();
    }

    @Test
    void shouldGiveItOn_whenItsHolderTakesPartNoMore() throws InterruptedException {
        reopen(SHORT_LEASE);
        HeldLock ticket = at(2).acquire(PLACE, PATIENCE).orElseThrow();
        HeldLock write = at(2).acquireWrite(PLACE, PATIENCE).orElseThrow();
        at(2).close();

        assertThat(at(3).acquireWrite(PLACE, PATIENCE)).isPresent();
        assertThat(at(3).acquire(PLACE, PATIENCE)).isPresent();
        assertThat(write.isSafe() || ticket.isSafe()).isFalse();
    }

    @Test
    void shouldKnowThatItIsLost_whenTheHomeIsSilent() throws InterruptedException {
        reopen(SHORT_LEASE);
        HeldLock ticket = at(2).acquire(PLACE, PATIENCE).orElseThrow();
        HeldLock read = at(2).acquireRead(PLACE, PATIENCE).orElseThrow();
        nodes.cut(2, 1);

        MemoryNodes.until(() -> !ticket.isSafe() && !read.isSafe());
        assertThat(at(3).acquire(PLACE, PATIENCE)).isPresent();
        assertThat(at(3).acquireWrite(PLACE, PATIENCE)).isPresent();
    }

    @Test
    void shouldLetReadersInTogetherAndWritersAlone_whenBothWantIt() throws Exception {
        AtomicInteger readers = new AtomicInteger();
        AtomicInteger writers = new AtomicInteger();
        run(6, thread -> {
            for (int i = 0; i < 5; i++) {
                Locks own = at(1 + thread % 3);
                if (thread < 2) {
                    try (HeldLock _ = own.acquireWrite(PLACE, PATIENCE).orElseThrow()) {
                        assertThat(writers.incrementAndGet()).isEqualTo(1);
                        assertThat(readers.get()).isZero();
                        writers.decrementAndGet();
                    }
                } else {
                    try (HeldLock _ = own.acquireRead(PLACE, PATIENCE).orElseThrow()) {
                        readers.incrementAndGet();
                        assertThat(writers.get()).isZero();
                        readers.decrementAndGet();
                    }
                }
            }
        });

        HeldLock one = at(1).acquireRead(PLACE, PATIENCE).orElseThrow();
        HeldLock other = at(2).acquireRead(PLACE, PATIENCE).orElseThrow();
        assertThat(at(3).acquireWrite(PLACE, SHORT)).isEmpty();
        assertThat(one.isSafe() && other.isSafe()).isTrue();
    }

    @Test
    void shouldStandInNobodysWay_whenTheDeadlineCameFirst() throws InterruptedException {
        for (Acquire kind : List.of(TICKET, WRITE)) {
            HeldLock held = kind.from(at(1), PATIENCE).orElseThrow();
            assertThat(kind.from(at(2), SHORT)).isEmpty();
            assertThat(kind.from(at(1), SHORT)).isEmpty();
            held.close();

            kind.from(at(3), PATIENCE).orElseThrow().close();
            kind.from(at(2), PATIENCE).orElseThrow().close();
        }
    }

    @Test
    void shouldStandInNobodysWay_whenAWaitIsInterrupted() throws Exception {
        for (Acquire kind : List.of(TICKET, WRITE)) {
            HeldLock held = kind.from(at(1), PATIENCE).orElseThrow();
            AtomicBoolean interrupted = new AtomicBoolean();
            Thread waiter = Thread.ofPlatform().start(() -> {
                try {
                    kind.from(at(2), PATIENCE);
                } catch (InterruptedException expected) {
                    interrupted.set(true);
                }
            });
            MemoryNodes.until(() -> waiter.getState() == Thread.State.TIMED_WAITING);
            waiter.interrupt();
            waiter.join();
            assertThat(interrupted).isTrue();
            held.close();

            kind.from(at(3), PATIENCE).orElseThrow().close();
        }
    }

    @Test
    void shouldBeNudged_whenItsTurnComesLongBeforeItAsksAgain() throws Exception {
        int rounds = 40;
        at(1).acquireWrite(PLACE, PATIENCE).orElseThrow().close();
        long begunNanos = System.nanoTime();
        run(2, thread -> {
            for (int i = 0; i < rounds; i++) {
                at(2 + thread).acquireWrite(PLACE, PATIENCE).orElseThrow().close();
            }
        });

        Duration asked = LEASE.dividedBy(3).multipliedBy(rounds);
        assertThat(Duration.ofNanos(System.nanoTime() - begunNanos)).isLessThan(asked.dividedBy(2));
    }

    @Test
    void shouldPassTogetherRoundAfterRound_whenAllCome() throws Exception {
        reopen(LONG_LEASE);
        List<Long> rounds = new ArrayList<>();
        run(3, thread -> {
            for (int i = 0; i < 10; i++) {
                BarrierOutcome outcome = at(1 + thread).await(PLACE, 3, PATIENCE);
                assertThat(outcome).isInstanceOf(BarrierOutcome.Passed.class);
                if (thread == 0) {
                    rounds.add(((BarrierOutcome.Passed) outcome).round());
                }
            }
        });

        assertThat(rounds).hasSize(10).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void shouldBreakForAll_whenOneGivesUp() throws Exception {
        reopen(LONG_LEASE);
        Map<Integer, BarrierOutcome> outcomes = new TreeMap<>();
        run(2, thread -> {
            BarrierOutcome outcome = at(1 + thread).await(PLACE, 3, thread == 0 ? Duration.ofSeconds(1) : PATIENCE);
            synchronized (outcomes) {
                outcomes.put(thread, outcome);
            }
        });

        assertThat(outcomes.get(0)).isEqualTo(new BarrierOutcome.Broken("not all came before the deadline"));
        assertThat(outcomes.get(1))
                .isEqualTo(new BarrierOutcome.Broken("another gave up, or was not heard of for a lease"));
    }

    @Test
    void shouldBeLost_whenTheHomeHasNotAnsweredForALease() throws InterruptedException {
        reopen(SHORT_LEASE);
        nodes.close(1);

        assertThat(at(2).await(PLACE, 2, PATIENCE))
                .isEqualTo(new BarrierOutcome.Lost(node(1) + " has not answered for a lease"));
    }

    @Test
    void shouldNotWaitWithOthers_whenItSaysAnotherNumberOfParties() throws Exception {
        reopen(LONG_LEASE);
        assertThat(at(2).await(PLACE, 2, SHORT)).isInstanceOf(BarrierOutcome.Broken.class);
        CompletableFuture<BarrierOutcome> two = CompletableFuture.supplyAsync(() -> {
            try {
                return at(2).await(PLACE, 2, PATIENCE);
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        });
        assertThat(at(3).await(new LockPlace(node(1), 4), 1, PATIENCE)).isInstanceOf(BarrierOutcome.Passed.class);
        assertThat(two).isNotDone();
        assertThatThrownBy(() -> at(3).await(PLACE, 3, PATIENCE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("barrier 3 has 2 parties, not 3");
        assertThatThrownBy(() -> at(3).await(new LockPlace(node(1), 5), 0, PATIENCE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a barrier of 0 parties");

        assertThat(at(1).await(PLACE, 2, PATIENCE)).isInstanceOf(BarrierOutcome.Passed.class);
        assertThat(two.get()).isInstanceOf(BarrierOutcome.Passed.class);
    }

    @Test
    void shouldBeLocksOfTheirOwn_whenTheirPlacesDiffer() throws Exception {
        List<LockPlace> places = List.of(
                PLACE,
                new LockPlace(node(1), 0),
                new LockPlace(node(1), LockPlace.MAX_NUMBER),
                new LockPlace(node(2), LockPlace.MAX_NUMBER));
        run(places.size(), thread -> {
            HeldLock ticket = at(1).acquire(places.get(thread), PATIENCE).orElseThrow();
            HeldLock write = at(2).acquireWrite(places.get(thread), PATIENCE).orElseThrow();
            assertThat(ticket.isSafe() && write.isSafe()).isTrue();
        });
    }

    @Test
    void shouldFindTheWordsAgain_whenItsConnectionWasLost() throws InterruptedException {
        reopen(SHORT_LEASE);
        at(2).acquire(PLACE, PATIENCE).orElseThrow().close();
        nodes.world().hold(Kind.CONNECT);
        nodes.lose(2, 1);
        MemoryNodes.until(() -> nodes.at(2).link(node(1)).isEmpty());
        assertThat(at(2).acquire(PLACE, SHORT)).isEmpty();
        nodes.world().release();

        HeldLock held = at(2).acquire(PLACE, PATIENCE).orElseThrow();
        assertThat(at(3).acquire(PLACE, SHORT)).isEmpty();
        held.close();
        at(3).acquire(PLACE, PATIENCE).orElseThrow().close();
    }

    @Test
    void shouldFindTheWords_whenTheHomeTakesPartLater() throws InterruptedException {
        for (int node = 1; node <= 3; node++) {
            nodes.close(node);
        }
        nodes.openAll();
        locks.put(2, new Locks(nodes.at(2), SHORT_LEASE));
        assertThat(at(2).acquire(PLACE, SHORT)).isEmpty();
        locks.put(1, new Locks(nodes.at(1), SHORT_LEASE));

        at(2).acquire(PLACE, PATIENCE).orElseThrow().close();
    }

    @Test
    void shouldRefuse_whenLocksCannotBe() {
        Fabric one = nodes.at(1);
        assertThatThrownBy(() -> new Locks(one, Duration.ofMillis(299)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a lease of 299 ms; at least 300 are needed");
        assertThatThrownBy(() -> new Locks(one, Duration.ofMillis(300))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> new LockPlace(node(1), -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LockPlace(node(1), 256))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("number 256, must be 0 to 255");
    }

    private void openLocks(Duration lease) {
        for (int node = 1; node <= 3; node++) {
            locks.put(node, new Locks(nodes.at(node), lease));
        }
    }

    /** All of it again, with another lease. */
    private void reopen(Duration lease) {
        for (int node = 1; node <= 3; node++) {
            at(node).close();
            nodes.close(node);
        }
        nodes.openAll();
        openLocks(lease);
    }

    private Locks at(int node) {
        return Objects.requireNonNull(locks.get(node));
    }

    private interface Work {
        void run(int thread) throws InterruptedException;
    }

    private static void run(int threads, Work work) throws ExecutionException, InterruptedException {
        List<Future<?>> running = new ArrayList<>();
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            for (int i = 0; i < threads; i++) {
                int thread = i;
                running.add(executor.submit(() -> {
                    work.run(thread);
                    return thread;
                }));
            }
        }
        for (Future<?> one : running) {
            one.get();
        }
    }
}
