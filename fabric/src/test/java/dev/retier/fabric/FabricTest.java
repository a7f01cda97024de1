package dev.retier.fabric;

import static dev.retier.fabric.MemoryNodes.PATIENCE;
import static dev.retier.fabric.MemoryNodes.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.fabric.calls.CallOutcome;
import dev.retier.fabric.calls.CallOutcome.Why;
import dev.retier.fabric.calls.Message;
import dev.retier.fabric.calls.Priority;
import dev.retier.link.NodeId;
import dev.retier.link.Transport;
import dev.retier.link.TransportException;
import dev.retier.testsupport.Logged;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls between nodes that are connected. */
@Timeout(60)
class FabricTest {
    private static final int ECHO = 7;
    private static final Duration SHORT = Duration.ofMillis(100);

    private final MemoryNodes nodes = new MemoryNodes(3, MemoryNodes.LIMITS).openAll();
    private final AtomicInteger begun = new AtomicInteger();

    FabricTest() {
        for (int node = 1; node <= 3; node++) {
            nodes.at(node).register(ECHO, IncomingCall::body);
        }
    }

    @AfterEach
    void close() {
        nodes.close();
    }

    @Test
    void shouldAnswerEveryNode_whenAFunctionIsRegistered() throws InterruptedException {
        nodes.at(2).register(1, request -> bytes(request.caller().node() + " says " + text(request.body())));

        for (int caller = 1; caller <= 3; caller++) {
            assertThat(text(answer(call(caller, 2, 1, bytes("hello"))))).isEqualTo(node(caller) + " says hello");
        }
    }

    @Test
    void shouldTellWhatItIs_whenAsked() {
        assertThat(nodes.at(2).self()).isEqualTo(node(2));
        assertThat(nodes.at(2).nodes()).containsExactly(node(1), node(2), node(3));
        assertThat(nodes.at(2).transport()).isEqualTo(Transport.IWARP);
        assertThat(nodes.at(2).limits()).isEqualTo(MemoryNodes.LIMITS);
        assertThat(nodes.link(1, 2).node()).isEqualTo(node(2));
        assertThat(nodes.link(1, 2).peer().node()).isEqualTo(node(2));
    }

    @Test
    void shouldBringAllAnswers_whenManyCallsOfOddSizesAreInFlight() throws InterruptedException {
        SplittableRandom random = new SplittableRandom(1);
        List<byte[]> bodies = new ArrayList<>();
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            byte[] body = new byte[random.nextInt(1501)];
            random.nextBytes(body);
            bodies.add(body);
            if (i >= 60) {
                calls.get(i - 60).await();
            }
            calls.add(nodes.at(1).call(node(2), ECHO, body, PATIENCE));
        }

        for (int i = 0; i < calls.size(); i++) {
            assertThat(answer(calls.get(i).await())).as("answer %d", i).isEqualTo(bodies.get(i));
        }
    }

    @Test
    void shouldTellTheOutcomeOfEach_whenOneOfManyIsAway() throws InterruptedException {
        nodes.close(3);
        MemoryNodes.until(() -> nodes.at(1).link(node(3)).isEmpty());

        Map<NodeId, CallOutcome> outcomes =
                nodes.at(1).callAll(List.of(node(1), node(2), node(3), node(1)), ECHO, bytes("hello"), PATIENCE);

        assertThat(outcomes.keySet()).containsExactly(node(1), node(2), node(3));
        assertThat(text(answer(Objects.requireNonNull(outcomes.get(node(1)))))).isEqualTo("hello");
        assertThat(text(answer(Objects.requireNonNull(outcomes.get(node(2)))))).isEqualTo("hello");
        assertThat(outcomes.get(node(3))).isEqualTo(new CallOutcome.NotDone(Why.LOST, node(3) + " is not connected"));
    }

    @Test
    void shouldRefuseToCallAny_whenOneIsNotOfThisFabric() {
        nodes.at(2).register(1, request -> {
            begun.incrementAndGet();
            return request.body();
        });
        assertThatThrownBy(() -> nodes.at(1).callAll(List.of(node(2), node(4)), 1, bytes(""), PATIENCE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("node-4 is not of this fabric");
        assertThat(begun).hasValue(0);
        assertThatThrownBy(() -> nodes.at(1).link(node(4))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldSayWhy_whenAFunctionFails() throws InterruptedException {
        for (int called = 1; called <= 2; called++) {
            Fabric fabric = nodes.at(called);
            fabric.register(77, _ -> new byte[1501]);
            fabric.register(78, _ -> {
                throw new IllegalStateException("no bread today");
            });
            fabric.register(79, _ -> {
                throw new IllegalStateException("x".repeat(3000));
            });
            fabric.register(80, _ -> new byte[1500]);

            assertThat(call(1, called, 77, bytes("")))
                    .isEqualTo(new CallOutcome.Failed("the answer is longer than can be carried"));
            assertThat(call(1, called, 78, bytes("")))
                    .isEqualTo(new CallOutcome.Failed("java.lang.IllegalStateException: no bread today"));
            assertThat(call(1, called, 79, bytes("")))
                    .isInstanceOfSatisfying(
                            CallOutcome.Failed.class,
                            failed -> assertThat(failed.reason()).hasSize(1500));
            assertThat(answer(call(1, called, 80, bytes("")))).hasSize(1500);
            assertThat(call(1, called, 81, bytes("")))
                    .isEqualTo(new CallOutcome.NotDone(Why.NO_FUNCTION, "the node has no such function"));
        }
    }

    @Test
    void shouldRefuse_whenACallCannotBe() {
        Fabric one = nodes.at(1);
        assertThatThrownBy(() -> one.call(node(2), ECHO, new byte[1501], SHORT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 1500");
        assertThatThrownBy(() -> one.call(node(2), -1, bytes(""), SHORT)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> one.register(Message.MAX_FUNCTION + 1, IncomingCall::body))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("65536");
        assertThatThrownBy(() -> one.registerInline(-1, IncomingCall::body))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> one.registerInline(ECHO, IncomingCall::body))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("registered already");
        one.register(0, IncomingCall::body);
        one.register(Message.MAX_FUNCTION, IncomingCall::body);
    }

    @Test
    void shouldBringEachNoteOnce_whenManyAreSent() throws InterruptedException {
        Set<Integer> received = ConcurrentHashMap.newKeySet();
        nodes.at(3).register(1, request -> {
            assertThat(received.add(ByteBuffer.wrap(request.body()).getInt())).isTrue();
            return new byte[3];
        });
        List<Call> notes = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            byte[] body = ByteBuffer.allocate(4).putInt(i).array();
            notes.add(nodes.at(i % 2 == 0 ? 1 : 3).callOneWay(node(3), 1, body, PATIENCE));
        }

        for (Call note : notes) {
            assertThat(answer(note.await())).isEmpty();
        }
        MemoryNodes.until(() -> received.size() == 50);
    }

    @Test
    void shouldWarnAndGoOn_whenAFunctionFailsOnAOneWayCall() throws InterruptedException {
        nodes.at(2).register(1, _ -> {
            throw new IllegalStateException("no bread today");
        });
        try (Logged logged = new Logged()) {
            assertThat(nodes.at(1).callOneWay(node(2), 1, bytes(""), PATIENCE).await())
                    .isInstanceOf(CallOutcome.Answered.class);
            MemoryNodes.until(
                    () -> logged.warnings("function 1 failed on a one-way call").size() == 1);
        }
        assertThat(answer(call(1, 2, ECHO, bytes("after")))).isEqualTo(bytes("after"));
    }

    @Test
    void shouldTellWhoAskedForTheEnd_whenACallIsOver() throws InterruptedException {
        CompletableFuture<CallOutcome> told = new CompletableFuture<>();
        Call call = nodes.at(1).call(node(2), ECHO, bytes("x"), PATIENCE);
        call.whenOver(told::complete);
        assertThat(told.join()).isEqualTo(call.await());
        try (Logged logged = new Logged()) {
            call.whenOver(_ -> {
                throw new IllegalStateException("played");
            });
            assertThat(logged.warnings("the end of a call could not be handled"))
                    .hasSize(1);
        }
    }

    @Test
    void shouldDoAllOfLowPriority_whileUrgentCallsNeverCease() throws Exception {
        for (int called = 1; called <= 2; called++) {
            List<CompletableFuture<CallOutcome>> low = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                low.add(nodes.at(1)
                        .call(node(called), ECHO, new byte[i], PATIENCE, Priority.LOW)
                        .outcome());
            }
            CompletableFuture<Void> all = CompletableFuture.allOf(low.toArray(CompletableFuture[]::new));
            do {
                assertThat(answer(call(1, called, ECHO, new byte[8]))).hasSize(8);
            } while (!all.isDone());
            for (int i = 0; i < 30; i++) {
                assertThat(answer(low.get(i).get())).hasSize(i);
            }
        }
    }

    private CallOutcome call(int from, int to, int function, byte[] body) throws InterruptedException {
        return nodes.at(from).call(node(to), function, body, PATIENCE).await();
    }

    private static byte[] answer(CallOutcome outcome) {
        assertThat(outcome).isInstanceOf(CallOutcome.Answered.class);
        return ((CallOutcome.Answered) outcome).answer();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Its connections would come up and break, again and again. */
    @Test
    void shouldSayWhy_whenTheDeviceCannotCarryAFabric() {
        try (MemoryNodes nodes = new MemoryNodes(1, MemoryNodes.LIMITS)) {
            nodes.world().immediates(false);
            assertThatThrownBy(() -> nodes.open(1))
                    .isInstanceOf(TransportException.class)
                    .hasMessageStartingWith("memory has no RDMA writes with immediate data");
            assertThat(nodes.world().live()).as("objects that are left").isEmpty();
        }
    }
}
