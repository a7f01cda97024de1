package dev.retier.fabric;

import static dev.retier.fabric.MemoryNodes.PATIENCE;
import static dev.retier.fabric.MemoryNodes.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.fabric.calls.CallOutcome;
import dev.retier.fabric.calls.CallOutcome.Why;
import dev.retier.fabric.calls.RingLimits;
import dev.retier.link.LinkMetric;
import dev.retier.testsupport.verbs.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections that break, stall, or never come about. */
@Timeout(60)
class LostConnectionTest {
    private static final int ECHO = 7;
    private static final int STUCK = 8;
    private static final Duration STALL_BOUND = Duration.ofMillis(600);

    private final MemoryNodes nodes = new MemoryNodes(3, MemoryNodes.limits(STALL_BOUND));
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<IncomingCall> begun = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        gate.countDown();
        nodes.close();
    }

    @Test
    void shouldSayThatItIsUnknown_whenTheServerDiesInMidCall() throws InterruptedException {
        openAll();
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < 17; i++) {
            calls.add(nodes.at(1).call(node(2), STUCK, new byte[0], PATIENCE));
        }
        MemoryNodes.until(() -> begun.size() == 4);
        nodes.close(2);

        assertThat(calls.getFirst().await())
                .isInstanceOfSatisfying(
                        CallOutcome.Unknown.class,
                        unknown -> assertThat(unknown.why()).isEqualTo(Why.LOST));
        assertThat(calls.getLast().await())
                .isInstanceOfSatisfying(
                        CallOutcome.NotDone.class,
                        notDone -> assertThat(notDone.why()).isEqualTo(Why.LOST));
        assertThat(call(1, 2)).isEqualTo(new CallOutcome.NotDone(Why.LOST, node(2) + " is not connected"));
        assertThat(call(1, 3)).isInstanceOf(CallOutcome.Answered.class);
        serve(nodes.open(2));
        nodes.awaitConnected();
        assertThat(call(1, 2)).isInstanceOf(CallOutcome.Answered.class);
    }

    @Test
    void shouldNeverBegin_whenTheCallerIsGoneBeforeItsTurn() throws InterruptedException {
        openAll();
        for (int i = 0; i < 6; i++) {
            nodes.at(1).call(node(2), STUCK, new byte[0], PATIENCE);
        }
        MemoryNodes.until(() -> begun.size() == 4);

        nodes.lose(1, 2);
        MemoryNodes.until(() -> begun.stream().allMatch(IncomingCall::isCancelled));
        gate.countDown();

        MemoryNodes.until(() -> nodes.at(1).link(node(2)).isPresent());
        assertThat(call(1, 2)).isInstanceOf(CallOutcome.Answered.class);
        assertThat(begun).hasSize(4);
    }

    @Test
    void shouldCountIt_whenAConnectionBreaks() {
        openAll();
        assertThat(count(1, LinkMetric.CONNECTIONS)).isEqualTo(3);
        nodes.world().hold(Kind.CONNECT);
        nodes.lose(1, 2);

        MemoryNodes.until(() -> count(1, LinkMetric.CONNECTIONS) == 2);
        MemoryNodes.until(() -> count(1, LinkMetric.CONNECTIONS_LOST) == 1);
        nodes.world().release();
        nodes.awaitConnected();
        assertThat(count(1, LinkMetric.CONNECTIONS)).isEqualTo(3);
    }

    @Test
    void shouldGiveUpThePeer_whenItStopsInMidCall() throws InterruptedException {
        openAll();
        PeerLink before = nodes.link(1, 2);
        nodes.cut(1, 2);
        long begunNanos = System.nanoTime();

        assertThat(call(1, 2))
                .isInstanceOfSatisfying(
                        CallOutcome.Unknown.class,
                        unknown -> assertThat(unknown.why()).isEqualTo(Why.LOST));
        assertThat(System.nanoTime() - begunNanos).isGreaterThan(STALL_BOUND.toNanos());
        assertThat(before.isOpen()).isFalse();
        assertThat(call(1, 3)).isInstanceOf(CallOutcome.Answered.class);
        assertThat(count(1, LinkMetric.CONNECTIONS_STALLED)).isEqualTo(1);
        nodes.awaitConnected();
        assertThat(call(1, 2)).isInstanceOf(CallOutcome.Answered.class);
    }

    @Test
    void shouldFindItOutAtBothEnds_whenAPeerFallsSilentAndNobodyCalls() {
        openAll();
        PeerLink before = nodes.link(1, 2);
        nodes.cut(1, 2);

        MemoryNodes.until(() -> !before.isOpen());
        nodes.awaitConnected();
        assertThat(nodes.link(1, 2)).isNotEqualTo(before);
    }

    @Test
    void shouldKeepTheConnection_whenNobodyCallsForLongerThanTheStallBound() {
        openAll();
        List<PeerLink> before = List.of(nodes.link(1, 2), nodes.link(2, 1), nodes.link(1, 1));
        long begunNanos = System.nanoTime();
        MemoryNodes.until(() -> System.nanoTime() - begunNanos > 3 * STALL_BOUND.toNanos());

        assertThat(before).allMatch(PeerLink::isOpen);
        assertThat(count(1, LinkMetric.CONNECTIONS_STALLED)).isZero();
    }

    @Test
    void shouldAskForASignOfLife_whenAPeerIsSilent() {
        openAll();
        nodes.world().hold(Kind.READ);
        MemoryNodes.until(() -> nodes.world().waiting() >= 2);
        nodes.world().release();
        assertThat(nodes.link(1, 2).isOpen()).isTrue();
    }

    @Test
    void shouldNotConnect_whenTheRingsDiffer() throws InterruptedException {
        serve(nodes.open(1));
        FabricConfig other = nodes.config(2);
        FabricLimits limits = new FabricLimits(new RingLimits(8192, 16, 1400), 64, 4, 16, 4, STALL_BOUND);
        nodes.open(new FabricConfig(
                other.self(),
                other.listen(),
                other.peers(),
                other.secrets(),
                other.transport(),
                limits,
                true,
                Optional.empty()));

        MemoryNodes.until(() -> nodes.at(1).link(node(1)).isPresent());
        MemoryNodes.until(() -> nodes.at(2).link(node(2)).isPresent());
        assertThat(call(1, 2)).isInstanceOf(CallOutcome.NotDone.class);
        assertThat(call(2, 1)).isInstanceOf(CallOutcome.NotDone.class);
    }

    private void openAll() {
        nodes.openAll();
        for (int node = 1; node <= 3; node++) {
            serve(nodes.at(node));
        }
    }

    private void serve(Fabric fabric) {
        fabric.register(ECHO, IncomingCall::body);
        fabric.register(STUCK, request -> {
            begun.add(request);
            try {
                gate.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            return new byte[0];
        });
    }

    private CallOutcome call(int from, int to) throws InterruptedException {
        return nodes.at(from).call(node(to), ECHO, new byte[3], PATIENCE).await();
    }

    private long count(int node, LinkMetric metric) {
        return nodes.at(node).metrics().getOrDefault(metric, 0L);
    }
}
