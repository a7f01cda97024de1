package dev.retier.fabric;

import static dev.retier.fabric.MemoryNodes.PATIENCE;
import static dev.retier.fabric.MemoryNodes.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.fabric.calls.CallOutcome;
import dev.retier.testsupport.Logged;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Functions that fail in ways that a function should not. */
@Timeout(60)
class HandlerFaultTest {
    private static final int ECHO = 7;
    private static final int FAULTY = 8;
    /** As often as there are handlers, and once more. */
    private static final int TIMES = MemoryNodes.LIMITS.handlers() + 1;

    private final MemoryNodes nodes = new MemoryNodes(2, MemoryNodes.LIMITS).openAll();
    private final Logged logged = new Logged();

    HandlerFaultTest() {
        nodes.at(2).register(ECHO, IncomingCall::body);
    }

    @AfterEach
    void close() {
        nodes.close();
        logged.close();
    }

    @Test
    void shouldSayFailedAndGoOn_whenAFunctionThrowsAnError() throws InterruptedException {
        nodes.at(2).register(FAULTY, HandlerFaultTest::fail);

        for (int i = 0; i < TIMES; i++) {
            assertThat(call(FAULTY)).isEqualTo(new CallOutcome.Failed("java.lang.AssertionError: as planned"));
        }
        assertThat(call(ECHO)).isInstanceOf(CallOutcome.Answered.class);
    }

    @Test
    void shouldSayFailedAndGoOn_whenAnInlineFunctionThrowsAnError() throws InterruptedException {
        nodes.at(2).registerInline(FAULTY, HandlerFaultTest::fail);

        for (int i = 0; i < TIMES; i++) {
            assertThat(call(FAULTY)).isEqualTo(new CallOutcome.Failed("java.lang.AssertionError: as planned"));
        }
        assertThat(call(ECHO)).isInstanceOf(CallOutcome.Answered.class);
    }

    @Test
    void shouldLogAndGoOn_whenAFunctionThrowsAnErrorOnAOneWayCall() throws InterruptedException {
        nodes.at(2).register(FAULTY, HandlerFaultTest::fail);

        for (int i = 0; i < TIMES; i++) {
            assertThat(nodes.at(1)
                            .callOneWay(node(2), FAULTY, new byte[0], PATIENCE)
                            .await())
                    .isInstanceOf(CallOutcome.Answered.class);
        }
        assertThat(call(ECHO)).isInstanceOf(CallOutcome.Answered.class);
        MemoryNodes.until(
                () -> logged.warnings("function 8 failed on a one-way call").size() == TIMES);
    }

    @Test
    void shouldGoOn_whenAFunctionLeavesItsThreadInterrupted() throws InterruptedException {
        nodes.at(2).register(FAULTY, request -> {
            Thread.currentThread().interrupt();
            return request.body();
        });

        for (int i = 0; i < TIMES; i++) {
            assertThat(call(FAULTY)).isInstanceOf(CallOutcome.Answered.class);
        }
        assertThat(call(ECHO)).isInstanceOf(CallOutcome.Answered.class);
    }

    private static byte[] fail(IncomingCall request) {
        throw new AssertionError("as planned");
    }

    private CallOutcome call(int function) throws InterruptedException {
        return nodes.at(1).call(node(2), function, new byte[0], PATIENCE).await();
    }
}
