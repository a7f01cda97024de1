package dev.retier.fabric;

import static dev.retier.fabric.MemoryNodes.PATIENCE;
import static dev.retier.fabric.MemoryNodes.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.fabric.calls.CallOutcome;
import dev.retier.fabric.calls.CallOutcome.Why;
import dev.retier.fabric.calls.Priority;
import dev.retier.testsupport.verbs.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that have to wait, or whose callers do not. */
@Timeout(60)
class WaitingCallsTest {
    private static final int ECHO = 7;
    private static final int STUCK = 8;
    private static final Duration SHORT = Duration.ofMillis(100);

    private final MemoryNodes nodes = new MemoryNodes(3, MemoryNodes.LIMITS).openAll();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final Queue<IncomingCall> running = new ConcurrentLinkedQueue<>();

    WaitingCallsTest() {
        for (int node = 1; node <= 3; node++) {
            nodes.at(node).register(ECHO, IncomingCall::body);
            nodes.at(node).register(STUCK, request -> {
                running.add(request);
                awaitQuietly(gate);
                return request.body();
            });
        }
    }

    @AfterEach
    void close() {
        gate.countDown();
        nodes.close();
    }

    @Test
    void shouldRefuseAndStayUp_whenMoreIsAskedThanTheLimitsAllow() throws InterruptedException {
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            calls.add(nodes.at(1).call(node(2), STUCK, new byte[1500], PATIENCE));
        }
        List<CallOutcome> refused = calls.stream()
                .filter(call -> call.outcome().isDone())
                .map(call -> call.outcome().join())
                .toList();
        assertThat(refused)
                .hasSize(200 - 16 - 64)
                .containsOnly(new CallOutcome.NotDone(Why.BUSY, "too many calls to this node wait already"));

        assertThat(answer(call(1, 3, ECHO, new byte[3]))).hasSize(3);
        assertThat(answer(call(2, 3, ECHO, new byte[4]))).hasSize(4);
        gate.countDown();
        for (Call call : calls.subList(0, 80)) {
            assertThat(answer(call.await())).hasSize(1500);
        }
        assertThat(running).hasSize(80);
        assertThat(answer(call(1, 2, ECHO, new byte[5]))).hasSize(5);
    }

    @Test
    void shouldEndByTheDeadline_whenTheHandlerDoesNot() throws InterruptedException {
        for (int called = 1; called <= 2; called++) {
            int before = running.size();
            List<Call> calls = new ArrayList<>();
            for (int i = 0; i < 17; i++) {
                calls.add(nodes.at(1).call(node(called), STUCK, bytes(""), Duration.ofMillis(200)));
            }
            MemoryNodes.until(() -> running.size() == before + 4);

            assertThat(calls.getFirst().await())
                    .isEqualTo(new CallOutcome.Unknown(Why.TIMED_OUT, "no answer within the deadline"));
            assertThat(calls.getLast().await())
                    .isEqualTo(new CallOutcome.NotDone(Why.TIMED_OUT, "no answer within the deadline"));
        }
    }

    @Test
    void shouldNeverBegin_whenItsTurnComesAfterTheDeadline() throws InterruptedException {
        List<Call> stuck = stuckAt(2);
        Call late = nodes.at(1).call(node(2), STUCK, bytes("late"), SHORT);
        assertThat(late.await()).isInstanceOf(CallOutcome.Unknown.class);
        // The server counts from the call's arrival, which is later than its beginning here.
        long givenUpNanos = System.nanoTime();
        MemoryNodes.until(() -> System.nanoTime() - givenUpNanos > SHORT.toNanos());
        gate.countDown();
        for (Call call : stuck) {
            assertThat(call.await()).isInstanceOf(CallOutcome.Answered.class);
        }
        assertThat(answer(call(1, 2, ECHO, bytes("after")))).isEqualTo(bytes("after"));
        assertThat(running).hasSize(4);
    }

    @Test
    void shouldTellTheHandler_whenItsCallerCancels() throws InterruptedException {
        for (int called = 1; called <= 2; called++) {
            CompletableFuture<IncomingCall> taken = new CompletableFuture<>();
            CountDownLatch goOn = new CountDownLatch(1);
            nodes.at(called).register(100, request -> {
                taken.complete(request);
                awaitQuietly(goOn);
                return new byte[0];
            });
            Call call = nodes.at(1).call(node(called), 100, bytes(""), PATIENCE);
            assertThat(taken.join().isCancelled()).isFalse();

            call.cancel();

            assertThat(call.await()).isEqualTo(new CallOutcome.Unknown(Why.CANCELLED, "its caller has cancelled it"));
            MemoryNodes.until(() -> taken.join().isCancelled());
            goOn.countDown();
            call.cancel();
            assertThat(answer(call(1, called, ECHO, bytes("after")))).isEqualTo(bytes("after"));
        }
    }

    @Test
    void shouldNeverBegin_whenItIsCancelledBeforeItsTurn() throws InterruptedException {
        List<Call> stuck = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            stuck.add(nodes.at(1).call(node(2), STUCK, bytes(""), PATIENCE));
        }
        MemoryNodes.until(() -> running.size() == 4);
        Call unsent = nodes.at(1).call(node(2), STUCK, bytes(""), PATIENCE);
        unsent.cancel();
        assertThat(unsent.await()).isEqualTo(new CallOutcome.NotDone(Why.CANCELLED, "its caller has cancelled it"));
        stuck.getLast().cancel();
        stuck.getFirst().cancel();
        assertThat(stuck.getLast().await()).isInstanceOf(CallOutcome.Unknown.class);
        MemoryNodes.until(() -> running.stream().anyMatch(IncomingCall::isCancelled));
        gate.countDown();
        for (Call call : stuck.subList(1, 15)) {
            assertThat(call.await()).isInstanceOf(CallOutcome.Answered.class);
        }
        assertThat(answer(call(1, 2, ECHO, bytes("after")))).isEqualTo(bytes("after"));
        assertThat(running).hasSize(15);
    }

    @Test
    void shouldAnswerPromptly_whenAllHandlersAreBusy() throws InterruptedException {
        nodes.at(2).registerInline(1, IncomingCall::body);
        List<Call> stuck = stuckAt(2);

        assertThat(answer(call(3, 2, 1, bytes("now")))).isEqualTo(bytes("now"));
        assertThat(stuck).noneMatch(call -> call.outcome().isDone());
        gate.countDown();
        for (Call call : stuck) {
            assertThat(call.await()).isInstanceOf(CallOutcome.Answered.class);
        }
    }

    @Test
    void shouldAnswerInOnePost_whenCallsAreFoundTogether() throws InterruptedException {
        nodes.at(2).registerInline(1, IncomingCall::body);
        for (int from = 1; from <= 3; from++) {
            for (int to = 1; to <= 3; to++) {
                assertThat(answer(call(from, to, ECHO, bytes("once each knows the other's ring"))))
                        .isNotEmpty();
            }
        }
        int posts = postsOfSixAnswers();
        for (int more = 0; more < 100 && posts > 1; more++) { // none waits long for others: the first ones take a while
            posts = postsOfSixAnswers();
        }
        assertThat(posts).isEqualTo(1);
    }

    private int postsOfSixAnswers() throws InterruptedException {
        nodes.world().holdCompletions(true);
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            calls.add(nodes.at(1).call(node(2), 1, bytes("together"), PATIENCE));
        }
        nodes.world().holdCompletions(false);
        int posted = nodes.world().calls("postSend");
        nodes.world().releaseCompletions(false);
        for (Call call : calls) {
            assertThat(answer(call.await())).isEqualTo(bytes("together"));
        }
        return nodes.world().calls("postSend") - posted;
    }

    /** Else what several threads had asked would be lost, and nobody would know. */
    @Test
    void shouldEndTheConnection_whenPostingFailsUnexpectedly() throws InterruptedException {
        PeerLink link = nodes.link(1, 2);
        assertThat(answer(call(1, 2, ECHO, bytes("before")))).isEqualTo(bytes("before"));
        nodes.world().fail("postSend", 1, new IllegalStateException("a fault"));
        CallOutcome outcome = call(1, 2, ECHO, bytes("lost"));

        assertThat(outcome).isInstanceOf(CallOutcome.Unknown.class);
        assertThat(link.isOpen()).isFalse();
    }

    @Test
    void shouldGoOnWithLowPriority_whenNothingElseHappens() throws InterruptedException {
        assertThat(answer(call(1, 2, ECHO, bytes("urgent")))).isEqualTo(bytes("urgent"));
        List<Call> low = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            low.add(nodes.at(1).call(node(2), STUCK, bytes(""), PATIENCE, Priority.LOW));
        }
        MemoryNodes.until(() -> running.size() == 4);
        gate.countDown();
        for (Call call : low) {
            assertThat(call.await()).isInstanceOf(CallOutcome.Answered.class);
        }
    }

    /** Else a connection that is never idle would seem to have stalled. */
    @Test
    void shouldWaitForTheNextWriteFromTheEndOfTheLastOn_whenSeveralAreUnderWay() throws InterruptedException {
        PeerLink link = nodes.link(1, 2);
        assertThat(answer(call(1, 2, ECHO, bytes("once each knows the other's ring"))))
                .isNotEmpty();
        nodes.world().hold(Kind.WRITE);
        nodes.at(1).call(node(2), ECHO, bytes("first"), PATIENCE);
        nodes.at(1).call(node(2), ECHO, bytes("second"), PATIENCE);
        MemoryNodes.until(() -> nodes.world().waiting() == 2);
        long bothPostedNanos = System.nanoTime();
        assertThat(link.oldestNanos(bothPostedNanos) - bothPostedNanos).isNegative();
        nodes.world().release(0);

        MemoryNodes.until(() -> link.oldestNanos(System.nanoTime()) - bothPostedNanos > 0);
        assertThat(link.isOpen()).isTrue();
    }

    @Test
    void shouldDoNothingMore_whenItIsClosed() throws InterruptedException {
        List<Call> stuck = stuckAt(1);
        Fabric one = nodes.at(1);
        one.close();
        one.close();

        for (Call call : stuck) {
            assertThat(call.await()).isInstanceOf(CallOutcome.Unknown.class);
        }
        assertThat(one.call(node(1), ECHO, bytes(""), PATIENCE).await())
                .isEqualTo(new CallOutcome.NotDone(Why.LOST, "this node is closed"));
        assertThat(one.call(node(2), ECHO, bytes(""), PATIENCE).await())
                .isEqualTo(new CallOutcome.NotDone(Why.LOST, node(2) + " is not connected"));
        gate.countDown();
        MemoryNodes.until(() -> Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .noneMatch(name -> name.startsWith("fabric-handler-node-1-")
                        || name.equals("fabric-clock-node-1")
                        || name.equals("state-cm-node-1")
                        || name.startsWith("state-cq-node-1-")));
    }

    /** Four calls by node 1, which keep all handlers busy. */
    private List<Call> stuckAt(int node) {
        List<Call> stuck = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            stuck.add(nodes.at(1).call(node(node), STUCK, bytes("later"), PATIENCE));
        }
        MemoryNodes.until(() -> running.size() == 4);
        return stuck;
    }

    private CallOutcome call(int from, int to, int function, byte[] body) throws InterruptedException {
        return nodes.at(from).call(node(to), function, body, PATIENCE).await();
    }

    private static byte[] answer(CallOutcome outcome) {
        assertThat(outcome).isInstanceOf(CallOutcome.Answered.class);
        return ((CallOutcome.Answered) outcome).answer();
    }

    private static void awaitQuietly(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
