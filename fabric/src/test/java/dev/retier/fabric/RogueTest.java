package dev.retier.fabric;

import static dev.retier.fabric.MemoryNodes.PATIENCE;
import static dev.retier.fabric.MemoryNodes.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.fabric.calls.CallOutcome;
import dev.retier.fabric.calls.Kind;
import dev.retier.fabric.calls.Message;
import dev.retier.fabric.calls.Priority;
import dev.retier.fabric.calls.Status;
import dev.retier.testsupport.Logged;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Node 2 breaks the protocol; node 1 ends that connection and no other. */
@Timeout(60)
class RogueTest {
    private static final int ECHO = 7;
    private static final int STUCK = 8;

    private final MemoryNodes nodes = new MemoryNodes(2, MemoryNodes.LIMITS);
    private final Rogue rogue = new Rogue(nodes.config(2));
    private final Fabric one = nodes.open(1);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicInteger ran = new AtomicInteger();
    private final Logged logged = new Logged();

    RogueTest() {
        one.register(ECHO, request -> {
            ran.incrementAndGet();
            return request.body();
        });
        one.register(STUCK, request -> {
            try {
                gate.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            return request.body();
        });
        MemoryNodes.until(
                () -> one.link(node(1)).isPresent() && one.link(node(2)).isPresent());
    }

    @AfterEach
    void close() {
        gate.countDown();
        nodes.close();
        rogue.stop();
        logged.close();
    }

    @Test
    void shouldAnswer_whenItKeepsToTheProtocol() {
        Rogue.End calling = open();
        calling.send(call(Kind.CALL, 1, ECHO));
        calling.send(call(Kind.ONE_WAY, 2, ECHO));

        MemoryNodes.until(() -> calling.received(Kind.ANSWER).size() == 2 && ran.get() == 2);
        assertThat(calling.received(Kind.ANSWER)).allMatch(answer -> answer.status() == Status.DONE);
        assertThat(calling.isOpen()).isTrue();
    }

    @Test
    void shouldEndTheConnection_whenItAnswersUnasked() throws InterruptedException {
        Rogue.End calling = open();
        calling.send(Message.answer(1, Priority.HIGH, Status.DONE, new byte[0]));
        isOver(calling);
    }

    @Test
    void shouldEndTheConnection_whenItNamesNoPlaceForAnswers() throws InterruptedException {
        Rogue.End calling = rogue.calling();
        calling.send(Message.open(new byte[11]));
        isOver(calling);
    }

    @Test
    void shouldEndTheConnection_whenACallNumberComesTwice() throws InterruptedException {
        Rogue.End calling = open();
        calling.send(call(Kind.CALL, 1, ECHO));
        calling.send(call(Kind.CALL, 1, ECHO));
        isOver(calling);
        assertThat(ran.get()).isLessThanOrEqualTo(2);
    }

    @Test
    void shouldEndTheConnection_whenItCallsMoreThanAgreed() throws InterruptedException {
        Rogue.End calling = open();
        for (int i = 1; i <= 17; i++) {
            calling.send(call(Kind.CALL, i, STUCK));
        }
        MemoryNodes.until(() -> !calling.isOpen());
        gate.countDown();
        isOver(calling);
    }

    @Test
    void shouldEndTheConnection_whenItSendsACallWhereAnswersAreDue() throws InterruptedException {
        for (Kind kind : List.of(Kind.CALL, Kind.OPEN, Kind.CANCEL)) {
            Rogue.End called = asked();
            Call call = one.call(node(2), ECHO, new byte[0], PATIENCE);
            called.send(call(kind, 1, ECHO));

            assertThat(call.await())
                    .isInstanceOfSatisfying(
                            CallOutcome.Unknown.class,
                            unknown -> assertThat(unknown.why()).isEqualTo(CallOutcome.Why.LOST));
            isOver(called);
            assertThat(logged.warnings("it sends " + kind + " where answers are due"))
                    .hasSize(1);
        }
    }

    @Test
    void shouldEndTheConnection_whenItAnswersWhatWasNotAsked() throws InterruptedException {
        Rogue.End called = asked();
        Call call = one.call(node(2), ECHO, new byte[0], PATIENCE);
        MemoryNodes.until(() -> called.received(Kind.CALL).size() == 1);
        long number = called.received(Kind.CALL).getFirst().call();
        called.send(Message.answer(number, Priority.HIGH, Status.DONE, new byte[] {3}));
        assertThat(call.await())
                .isInstanceOfSatisfying(
                        CallOutcome.Answered.class,
                        answered -> assertThat(answered.answer()).containsExactly(3));
        called.send(Message.answer(number, Priority.HIGH, Status.DONE, new byte[0]));
        isOver(called);
        assertThat(logged.warnings("it answers call " + number + ", which is not under way"))
                .hasSize(1);
    }

    @Test
    void shouldEndEachCall_whenItsAnswerSaysThatItDidNotRun() throws InterruptedException {
        Rogue.End called = asked();
        for (Status status : List.of(Status.EXPIRED, Status.CANCELLED)) {
            int before = called.received(Kind.CALL).size();
            Call call = one.call(node(2), ECHO, new byte[0], PATIENCE);
            MemoryNodes.until(() -> called.received(Kind.CALL).size() > before);
            long number = called.received(Kind.CALL).getLast().call();
            called.send(Message.answer(number, Priority.HIGH, status, new byte[0]));
            assertThat(call.await())
                    .isInstanceOfSatisfying(
                            CallOutcome.NotDone.class,
                            notDone -> assertThat(notDone.why())
                                    .isEqualTo(
                                            status == Status.EXPIRED
                                                    ? CallOutcome.Why.TIMED_OUT
                                                    : CallOutcome.Why.CANCELLED));
        }
    }

    /** The connection on which it calls, after its beginning. */
    private Rogue.End open() {
        Rogue.End calling = rogue.calling();
        calling.send(Message.open(calling.ring().emit()));
        return calling;
    }

    /** The connection on which node 1 calls it. */
    private Rogue.End asked() {
        MemoryNodes.until(() -> one.link(node(2)).isPresent());
        Rogue.End called = rogue.called();
        MemoryNodes.until(() -> called.received(Kind.OPEN).size() == 1);
        return called;
    }

    /** That connection ends, and another one is as good as ever. */
    private void isOver(Rogue.End end) throws InterruptedException {
        MemoryNodes.until(() -> !end.isOpen());
        MemoryNodes.until(() -> one.link(node(1)).isPresent());
        assertThat(one.call(node(1), ECHO, new byte[0], PATIENCE).await()).isInstanceOf(CallOutcome.Answered.class);
        Rogue.End calling = rogue.calling();
        assertThat(calling.isOpen()).isTrue();
    }

    private static Message call(Kind kind, long number, int function) {
        return new Message(kind, number, function, Priority.HIGH, Status.DONE, 10_000_000, new byte[] {1, 2});
    }
}
