package dev.retier.fabric.locks;

import static dev.retier.testsupport.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.fabric.Nodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class LocksIT {
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final LockPlace PLACE = new LockPlace(Nodes.node(1), 3);

    private final Nodes nodes = new Nodes(3, Nodes.LIMITS);
    private final Map<Integer, Locks> locks = new TreeMap<>();

    @BeforeEach
    void open() {
        for (int node = 1; node <= 3; node++) {
            locks.put(node, new Locks(nodes.open(node), LEASE));
        }
        await().until(nodes::allConnected);
    }

    @AfterEach
    void close() {
        locks.values().forEach(Locks::close);
        nodes.close();
    }

    @Test
    void shouldLetOneInAtATimeWithGrowingTokens_whenSixThreadsOfThreeNodesWantIt() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        List<Long> tokens = new ArrayList<>();
        run(6, thread -> {
            for (int i = 0; i < 40; i++) {
                try (HeldLock held =
                        at(1 + thread % 3).acquire(PLACE, Nodes.PATIENCE).orElseThrow()) {
                    assertThat(inside.incrementAndGet()).isEqualTo(1);
                    assertThat(held.isSafe()).isTrue();
                    tokens.add(held.token());
                    inside.decrementAndGet();
                }
            }
        });

        assertThat(tokens).hasSize(240).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void shouldTakeTheLockOver_whenItsHolderIsGone() throws InterruptedException {
        HeldLock lost = at(2).acquire(PLACE, Nodes.PATIENCE).orElseThrow();
        at(2).close();
        nodes.close(2);

        HeldLock next = at(3).acquire(PLACE, Nodes.PATIENCE).orElseThrow();
        assertThat(lost.isSafe()).isFalse();
        assertThat(next.token()).isGreaterThan(lost.token());
    }

    @Test
    void shouldKeepTheLock_whenItsHolderLivesLongerThanTheLease() throws InterruptedException {
        HeldLock held = at(2).acquire(PLACE, Nodes.PATIENCE).orElseThrow();

        assertThat(at(3).acquire(PLACE, LEASE.plusSeconds(1))).isEmpty();
        assertThat(held.isSafe()).isTrue();
        held.close();
        assertThat(at(3).acquire(PLACE, Nodes.PATIENCE)).isPresent();
    }

    @Test
    void shouldLetReadersInTogetherAndWritersAlone_whenBothWantIt() throws Exception {
        AtomicInteger readers = new AtomicInteger();
        AtomicInteger writers = new AtomicInteger();
        List<Long> writes = new ArrayList<>();
        run(6, thread -> {
            for (int i = 0; i < 10; i++) {
                Locks own = at(1 + thread % 3);
                if (thread < 2) {
                    try (HeldLock held = own.acquireWrite(PLACE, Nodes.PATIENCE).orElseThrow()) {
                        assertThat(writers.incrementAndGet()).isEqualTo(1);
                        assertThat(readers.get()).isZero();
                        writes.add(held.token());
                        writers.decrementAndGet();
                    }
                } else {
                    try (HeldLock _ = own.acquireRead(PLACE, Nodes.PATIENCE).orElseThrow()) {
                        readers.incrementAndGet();
                        assertThat(writers.get()).isZero();
                        readers.decrementAndGet();
                    }
                }
            }
        });
        assertThat(writes).hasSize(20).isSorted().doesNotHaveDuplicates();

        HeldLock one = at(1).acquireRead(PLACE, Nodes.PATIENCE).orElseThrow();
        HeldLock other = at(2).acquireRead(PLACE, Nodes.PATIENCE).orElseThrow();
        assertThat(at(3).acquireWrite(PLACE, LEASE)).isEmpty();
        assertThat(one.isSafe() && other.isSafe()).isTrue();
    }

    @Test
    void shouldGiveTheWriteLockOn_whenAReaderDies() throws InterruptedException {
        HeldLock lost = at(2).acquireRead(PLACE, Nodes.PATIENCE).orElseThrow();
        at(2).close();
        nodes.close(2);

        Optional<HeldLock> next = at(3).acquireWrite(PLACE, Nodes.PATIENCE);
        assertThat(next).isPresent();
        assertThat(lost.isSafe()).isFalse();
    }

    @Test
    void shouldPassTogetherRoundAfterRound_whenAllCome() throws Exception {
        List<Long> rounds = new ArrayList<>();
        run(3, thread -> {
            for (int i = 0; i < 20; i++) {
                BarrierOutcome outcome = at(1 + thread).await(PLACE, 3, Nodes.PATIENCE);
                assertThat(outcome).isInstanceOf(BarrierOutcome.Passed.class);
                if (thread == 0) {
                    rounds.add(((BarrierOutcome.Passed) outcome).round());
                }
            }
        });

        assertThat(rounds).hasSize(20).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void shouldBreakForAll_whenOneGivesUp() throws Exception {
        List<BarrierOutcome> outcomes = new ArrayList<>();
        run(2, thread -> {
            BarrierOutcome outcome =
                    at(1 + thread).await(PLACE, 3, thread == 0 ? Duration.ofMillis(500) : Nodes.PATIENCE);
            synchronized (outcomes) {
                outcomes.add(outcome);
            }
        });

        assertThat(outcomes).hasSize(2).allMatch(BarrierOutcome.Broken.class::isInstance);
    }

    private Locks at(int node) {
        return Objects.requireNonNull(locks.get(node));
    }

    private interface Work {
        void run(int thread) throws Exception;
    }

    private static void run(int threads, Work work) throws Exception {
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
