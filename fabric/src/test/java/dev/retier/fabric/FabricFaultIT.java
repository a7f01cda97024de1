package dev.retier.fabric;

import static dev.retier.testsupport.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.fabric.calls.CallOutcome;
import dev.retier.fabric.calls.CallOutcome.Why;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.testsupport.Detour;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class FabricFaultIT {
    private static final int ECHO = 1;
    private static final int STUCK = 2;
    private static final Duration SHORT = Duration.ofMillis(300);

    private final Nodes nodes = new Nodes(3, Nodes.LIMITS);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicInteger ran = new AtomicInteger();

    @AfterEach
    void close() {
        gate.countDown();
        nodes.close();
    }

    @Test
    void shouldBringAllAnswers_whenManyCallsOfOddSizesAreInFlight() throws InterruptedException {
        openAll();
        SplittableRandom random = new SplittableRandom(1);
        List<byte[]> bodies = new ArrayList<>();
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            byte[] body = new byte[random.nextInt(1501)];
            random.nextBytes(body);
            bodies.add(body);
            while (calls.size() - 60 >= 0
                    && !calls.get(calls.size() - 60).outcome().isDone()) {
                calls.get(calls.size() - 60).await();
            }
            calls.add(nodes.at(1).call(Nodes.node(2), ECHO, body, Nodes.PATIENCE));
        }

        for (int i = 0; i < calls.size(); i++) {
            assertThat(answer(calls.get(i).await())).as("answer %d", i).isEqualTo(bodies.get(i));
        }
        assertThat(ran.get()).isEqualTo(calls.size());
    }

    @Test
    void shouldRefuseAndStayUp_whenMoreIsAskedThanTheLimitsAllow() throws InterruptedException {
        openAll();
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            calls.add(nodes.at(1).call(Nodes.node(2), STUCK, new byte[1500], Nodes.PATIENCE));
        }
        long refused = calls.stream()
                .filter(call -> call.outcome().isDone())
                .filter(call ->
                        call.outcome().join() instanceof CallOutcome.NotDone(Why why, String _) && why == Why.BUSY)
                .count();
        assertThat(refused).isEqualTo(500 - 16 - 64);

        // The handlers are stuck, but others are not held up, nor is node 2's own end.
        assertThat(answer(nodes.at(1)
                        .call(Nodes.node(3), ECHO, new byte[3], Nodes.PATIENCE)
                        .await()))
                .hasSize(3);
        assertThat(answer(nodes.at(2)
                        .call(Nodes.node(3), ECHO, new byte[4], Nodes.PATIENCE)
                        .await()))
                .hasSize(4);
        gate.countDown();
        for (Call call : calls) {
            assertThat(call.await()).isNotInstanceOf(CallOutcome.Unknown.class);
        }
        assertThat(answer(nodes.at(1)
                        .call(Nodes.node(2), ECHO, new byte[5], Nodes.PATIENCE)
                        .await()))
                .hasSize(5);
    }

    @Test
    void shouldEndByTheDeadline_whenTheHandlerDoesNot() throws InterruptedException {
        openAll();

        assertThat(nodes.at(1).call(Nodes.node(2), STUCK, new byte[0], SHORT).await())
                .isInstanceOfSatisfying(
                        CallOutcome.Unknown.class,
                        unknown -> assertThat(unknown.why()).isEqualTo(Why.TIMED_OUT));
        Call cancelled = nodes.at(1).call(Nodes.node(2), STUCK, new byte[0], Nodes.PATIENCE);
        cancelled.cancel();
        assertThat(cancelled.await())
                .isInstanceOfSatisfying(
                        CallOutcome.Unknown.class,
                        unknown -> assertThat(unknown.why()).isEqualTo(Why.CANCELLED));
        assertThat(answer(nodes.at(1)
                        .call(Nodes.node(2), ECHO, new byte[5], Nodes.PATIENCE)
                        .await()))
                .hasSize(5);
    }

    @Test
    void shouldSayThatItIsUnknown_whenTheServerDiesInMidCall() throws InterruptedException {
        openAll();
        Call call = nodes.at(1).call(Nodes.node(2), STUCK, new byte[0], Nodes.PATIENCE);
        await().until(() -> ran.get() == 1);
        nodes.close(2);

        assertThat(call.await())
                .isInstanceOfSatisfying(
                        CallOutcome.Unknown.class,
                        unknown -> assertThat(unknown.why()).isEqualTo(Why.LOST));
        await().untilAsserted(() -> assertThat(nodes.at(1)
                        .call(Nodes.node(2), ECHO, new byte[0], SHORT)
                        .await())
                .isInstanceOf(CallOutcome.NotDone.class));
        assertThat(answer(nodes.at(1)
                        .call(Nodes.node(3), ECHO, new byte[1], Nodes.PATIENCE)
                        .await()))
                .hasSize(1);
        serve(nodes.open(2));
        await().until(nodes::allConnected);
        assertThat(answer(nodes.at(1)
                        .call(Nodes.node(2), ECHO, new byte[2], Nodes.PATIENCE)
                        .await()))
                .hasSize(2);
    }

    @Test
    void shouldGiveUpThePeer_whenItStopsInMidOperation() throws Exception {
        try (Detour detour = new Detour(nodes.address(2))) {
            nodes.open(1, Nodes.SECRET, Map.of(Nodes.node(2), detour.address()));
            serve(nodes.open(2));
            serve(nodes.open(3));
            await().until(nodes::allConnected);
            PeerLink before = nodes.at(1).link(Nodes.node(2)).orElseThrow();
            detour.block();
            Call call = nodes.at(1).call(Nodes.node(2), ECHO, new byte[0], Nodes.PATIENCE);

            assertThat(call.await())
                    .isInstanceOfSatisfying(
                            CallOutcome.Unknown.class,
                            unknown -> assertThat(unknown.why()).isEqualTo(Why.LOST));
            assertThat(before.isOpen()).isFalse();
            assertThat(answer(nodes.at(1)
                            .call(Nodes.node(3), ECHO, new byte[1], Nodes.PATIENCE)
                            .await()))
                    .hasSize(1);
            detour.unblock();
            await().until(nodes::allConnected);
            assertThat(answer(nodes.at(1)
                            .call(Nodes.node(2), ECHO, new byte[2], Nodes.PATIENCE)
                            .await()))
                    .hasSize(2);
        }
    }

    @Test
    void shouldKeepStrangersOut_whenTheirSecretIsWrong() throws InterruptedException {
        serve(nodes.open(1));
        serve(nodes.open(2));
        nodes.open(3, ClusterSecret.of("not the secret of this fabric"), Map.of());
        await().until(() -> nodes.at(1).link(Nodes.node(2)).isPresent());

        for (int i = 0; i < 20; i++) {
            assertThat(nodes.at(3).call(Nodes.node(1), ECHO, new byte[0], SHORT).await())
                    .isInstanceOf(CallOutcome.NotDone.class);
            assertThat(answer(nodes.at(1)
                            .call(Nodes.node(2), ECHO, new byte[i], Nodes.PATIENCE)
                            .await()))
                    .hasSize(i);
        }
        assertThat(nodes.at(1).link(Nodes.node(3))).isEmpty();
        assertThat(ran.get()).isEqualTo(20);
    }

    @Test
    void shouldRefuse_whenAWholeConversationIsReplayed() throws Exception {
        try (Detour detour = new Detour(nodes.address(2))) {
            nodes.open(1, Nodes.SECRET, Map.of(Nodes.node(2), detour.address()));
            serve(nodes.open(2));
            await().until(() -> nodes.at(1).link(Nodes.node(2)).isPresent());
            assertThat(answer(nodes.at(1)
                            .call(Nodes.node(2), ECHO, new byte[1], Nodes.PATIENCE)
                            .await()))
                    .hasSize(1);
            List<byte[]> recorded = detour.heard();
            nodes.close(1);

            try (Socket replay =
                    new Socket(nodes.address(2).getAddress(), nodes.address(2).getPort())) {
                replay(recorded, replay);
                // The responder drops a peer that does not prove the secret.
                replay.setSoTimeout((int) Nodes.PATIENCE.toMillis());
                while (replay.getInputStream().read(new byte[512]) >= 0) {
                    assertThat(ran.get()).isEqualTo(1);
                }
            }
            assertThat(ran.get()).isEqualTo(1);
        }
    }

    @Test
    void shouldRefuse_whenABodyIsTooLong() throws InterruptedException {
        openAll();
        Fabric one = nodes.at(1);
        byte[] tooLong = new byte[1501];

        assertThatThrownBy(() -> one.call(Nodes.node(2), ECHO, tooLong, SHORT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 1500");
        nodes.at(2).register(77, _ -> tooLong);
        assertThat(one.call(Nodes.node(2), 77, new byte[0], Nodes.PATIENCE).await())
                .isEqualTo(new CallOutcome.Failed("the answer is longer than can be carried"));
        nodes.at(2).register(78, _ -> {
            throw new IllegalStateException("no bread today");
        });
        assertThat(one.call(Nodes.node(2), 78, new byte[0], Nodes.PATIENCE).await())
                .isInstanceOfSatisfying(
                        CallOutcome.Failed.class,
                        failed -> assertThat(failed.reason()).contains("no bread today"));
        assertThat(one.call(Nodes.node(2), 79, new byte[0], Nodes.PATIENCE).await())
                .isInstanceOfSatisfying(
                        CallOutcome.NotDone.class,
                        notDone -> assertThat(notDone.why()).isEqualTo(Why.NO_FUNCTION));
    }

    private static void replay(List<byte[]> recorded, Socket to) {
        try {
            for (byte[] piece : recorded) {
                to.getOutputStream().write(piece);
                to.getOutputStream().flush();
            }
        } catch (IOException dropped) {
            assertThat(dropped).hasMessageNotContaining("timed out");
        }
    }

    private void openAll() {
        for (int node = 1; node <= 3; node++) {
            serve(nodes.open(node));
        }
        await().until(nodes::allConnected);
    }

    private void serve(Fabric fabric) {
        fabric.register(ECHO, request -> {
            ran.incrementAndGet();
            return request.body();
        });
        fabric.register(STUCK, _ -> {
            ran.incrementAndGet();
            try {
                gate.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            return new byte[0];
        });
    }

    private static byte[] answer(CallOutcome outcome) {
        assertThat(outcome).isInstanceOf(CallOutcome.Answered.class);
        return ((CallOutcome.Answered) outcome).answer();
    }
}
