package dev.retier.fabric;

import static dev.retier.testsupport.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.fabric.OneSided.Piece;
import dev.retier.fabric.calls.CallOutcome;
import dev.retier.fabric.calls.Priority;
import dev.retier.link.NodeId;
import dev.retier.link.StateException;
import dev.retier.link.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class FabricIT {
    private static final int ECHO = 7;

    private final Nodes nodes = new Nodes(3, Nodes.LIMITS);

    @AfterEach
    void close() {
        nodes.close();
    }

    @Test
    void shouldAnswerEveryNode_whenAFunctionIsRegistered() throws InterruptedException {
        openAll();
        nodes.at(2)
                .register(
                        ECHO,
                        request -> (request.caller().node() + " says " + text(request.body()))
                                .getBytes(StandardCharsets.UTF_8));

        for (int caller = 1; caller <= 3; caller++) {
            CallOutcome outcome = nodes.at(caller)
                    .call(Nodes.node(2), ECHO, bytes("hello"), Nodes.PATIENCE)
                    .await();
            assertThat(outcome).isInstanceOf(CallOutcome.Answered.class);
            assertThat(text(((CallOutcome.Answered) outcome).answer())).isEqualTo(Nodes.node(caller) + " says hello");
        }
    }

    @Test
    void shouldReadWriteSwapAndAdd_whenAHandlerHasRegisteredMemory() throws Exception {
        openAll();
        MemorySegment shared = Arena.ofAuto().allocate(64, 64);
        AtomicReference<Registration> kept = new AtomicReference<>();
        nodes.at(2).register(ECHO, request -> {
            Registration registered = register(request.caller(), shared);
            kept.set(registered);
            return place(registered);
        });
        PeerLink link = nodes.at(1).link(Nodes.node(2)).orElseThrow();
        RemotePlace place = place(link.call(ECHO, new byte[0], Nodes.PATIENCE));
        Registration own = link.register(Arena.ofAuto().allocate(64, 64), Set.of(MemoryAccess.LOCAL_WRITE));
        own.memory().set(ValueLayout.JAVA_LONG, 0, 41);

        assertThat(link.post(new OneSided.Write(List.of(new Piece(own, 0, 8)), place))
                        .get())
                .isEqualTo(new OpOutcome.Done(0));
        assertThat(link.post(new OneSided.FetchAndAdd(place, 1, new Piece(own, 8, 8)))
                        .get())
                .isEqualTo(new OpOutcome.Done(41));
        assertThat(link.post(new OneSided.CompareAndSwap(place, 42, 99, new Piece(own, 8, 8)))
                        .get())
                .isEqualTo(new OpOutcome.Done(42));
        assertThat(link.post(new OneSided.Read(place, List.of(new Piece(own, 40, 3), new Piece(own, 16, 5))))
                        .get())
                .isEqualTo(new OpOutcome.Done(0));
        assertThat(own.memory().get(ValueLayout.JAVA_BYTE, 40)).isEqualTo((byte) 99);
        assertThat(shared.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(99);
        Objects.requireNonNull(kept.get()).close();
    }

    @Test
    void shouldTellTheOutcomeOfEach_whenOneOfManyIsAway() throws InterruptedException {
        nodes.open(1);
        nodes.open(2).register(ECHO, IncomingCall::body);
        nodes.at(1).register(ECHO, IncomingCall::body);
        await().until(nodes::allConnected);

        Map<NodeId, CallOutcome> outcomes =
                nodes.at(1).callAll(nodes.at(1).nodes(), ECHO, bytes("hello"), Nodes.PATIENCE);

        assertThat(outcomes.keySet()).containsExactly(Nodes.node(1), Nodes.node(2), Nodes.node(3));
        assertThat(outcomes.get(Nodes.node(1))).isInstanceOf(CallOutcome.Answered.class);
        assertThat(outcomes.get(Nodes.node(2))).isInstanceOf(CallOutcome.Answered.class);
        assertThat(outcomes.get(Nodes.node(3))).isInstanceOf(CallOutcome.NotDone.class);
    }

    @Test
    void shouldDoAllOfLowPriority_whileUrgentCallsNeverCease() throws Exception {
        openAll();
        nodes.at(2).register(ECHO, IncomingCall::body);
        PeerLink link = nodes.at(1).link(Nodes.node(2)).orElseThrow();
        MemorySegment shared = Arena.ofAuto().allocate(64, 64);
        nodes.at(2).register(ECHO + 1, request -> place(register(request.caller(), shared)));
        RemotePlace place = place(link.call(ECHO + 1, new byte[0], Nodes.PATIENCE));
        Registration own = link.register(Arena.ofAuto().allocate(64, 64), Set.of(MemoryAccess.LOCAL_WRITE));
        List<CompletableFuture<?>> low = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            low.add(nodes.at(1)
                    .call(Nodes.node(2), ECHO, new byte[i], Nodes.PATIENCE, Priority.LOW)
                    .outcome()
                    .thenAccept(outcome -> assertThat(outcome).isInstanceOf(CallOutcome.Answered.class)));
            low.add(link.post(new OneSided.Read(place, List.of(Piece.all(own))), Priority.LOW)
                    .thenAccept(outcome -> assertThat(outcome).isEqualTo(new OpOutcome.Done(0))));
        }
        CompletableFuture<Void> all = CompletableFuture.allOf(low.toArray(CompletableFuture[]::new));
        while (!all.isDone()) {
            assertThat(nodes.at(1)
                            .call(Nodes.node(2), ECHO, new byte[8], Nodes.PATIENCE)
                            .await())
                    .isInstanceOf(CallOutcome.Answered.class);
        }
        all.get();
    }

    @Test
    void shouldAnswerPromptly_whenAllHandlersAreBusy() throws InterruptedException {
        openAll();
        CountDownLatch busy = new CountDownLatch(Nodes.LIMITS.handlers());
        CountDownLatch gate = new CountDownLatch(1);
        nodes.at(2).register(ECHO, request -> {
            busy.countDown();
            awaitUninterruptibly(gate);
            return request.body();
        });
        nodes.at(2).registerInline(ECHO + 1, IncomingCall::body);
        List<Call> stuck = new ArrayList<>();
        for (int i = 0; i < Nodes.LIMITS.handlers(); i++) {
            stuck.add(nodes.at(1).call(Nodes.node(2), ECHO, bytes("later"), Nodes.PATIENCE));
        }
        busy.await();

        assertThat(nodes.at(3)
                        .call(Nodes.node(2), ECHO + 1, bytes("now"), Nodes.PATIENCE)
                        .await())
                .isInstanceOf(CallOutcome.Answered.class);
        assertThat(stuck).noneMatch(call -> call.outcome().isDone());
        gate.countDown();
        for (Call call : stuck) {
            assertThat(call.await()).isInstanceOf(CallOutcome.Answered.class);
        }
    }

    @Test
    void shouldBringEachOneWayCallOnce_whenManyAreSent() throws InterruptedException {
        openAll();
        Set<Integer> received = ConcurrentHashMap.newKeySet();
        nodes.at(3).register(ECHO, request -> {
            assertThat(received.add(ByteBuffer.wrap(request.body()).getInt())).isTrue();
            return new byte[0];
        });
        List<Call> sent = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            byte[] body = ByteBuffer.allocate(4).putInt(i).array();
            sent.add(nodes.at(1).callOneWay(Nodes.node(3), ECHO, body, Nodes.PATIENCE));
        }

        for (Call call : sent) {
            assertThat(call.await()).isInstanceOf(CallOutcome.Answered.class);
        }
        await().until(() -> received.size() == 50);
    }

    /** They wait behind urgent ones when the connection breaks: each ends, and none within the end of another. */
    @Test
    void shouldEndOneAfterTheOther_whenAConnectionBreaksThatHoldsOperationsBack() throws Exception {
        openAll();
        CountDownLatch answersWait = new CountDownLatch(1);
        CountDownLatch urgent = new CountDownLatch(1);
        PeerLink link = nodes.at(1).link(Nodes.node(2)).orElseThrow();
        nodes.at(2)
                .register(
                        ECHO,
                        request ->
                                place(register(request.caller(), Arena.ofAuto().allocate(64, 64))));
        RemotePlace place = place(link.call(ECHO, new byte[0], Nodes.PATIENCE));
        Registration own = link.register(Arena.ofAuto().allocate(64, 64), Set.of(MemoryAccess.LOCAL_WRITE));
        AtomicReference<String> blocked = new AtomicReference<>("");
        nodes.at(1).registerInline(ECHO + 1, request -> {
            blocked.set("the completion thread");
            awaitUninterruptibly(answersWait);
            return request.body();
        });
        nodes.at(1).register(ECHO + 2, request -> {
            awaitUninterruptibly(urgent);
            return request.body();
        });
        Call local = nodes.at(1).call(Nodes.node(1), ECHO + 2, new byte[0], Nodes.PATIENCE);
        nodes.at(2).call(Nodes.node(1), ECHO + 1, new byte[0], Nodes.PATIENCE);
        await().until(() -> !blocked.get().isEmpty());

        List<CompletableFuture<Long>> depths = new ArrayList<>();
        for (int i = 0; i < Nodes.LIMITS.waitingCalls(); i++) {
            depths.add(link.post(new OneSided.Read(place, List.of(Piece.all(own))), Priority.LOW)
                    .thenApply(_ -> StackWalker.getInstance().walk(Stream::count)));
        }
        link.abort("a test ends it");
        urgent.countDown();
        local.await();

        await().until(() -> depths.stream().filter(CompletableFuture::isDone).count() >= depths.size() - 2);
        answersWait.countDown();
        assertThat(depths.stream().filter(CompletableFuture::isDone).map(CompletableFuture::join))
                .allMatch(depth -> depth < 60);
    }

    @Test
    void shouldLeaveNoThread_whenItsAddressIsTaken() {
        nodes.open(1);
        Map<NodeId, InetSocketAddress> peers = Map.of(Nodes.node(9), nodes.address(1));
        FabricConfig taken = new FabricConfig(
                Nodes.node(9), nodes.address(1), peers, Nodes.SECRET, Transport.IWARP, Nodes.LIMITS, true);

        assertThatThrownBy(() -> Fabric.open(taken))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("cannot listen");
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().contains(Nodes.node(9).toString())));
    }

    private static byte[] place(Registration registered) {
        return registered.place().emit();
    }

    private static RemotePlace place(Call call) throws InterruptedException {
        return RemotePlace.parse(((CallOutcome.Answered) call.await()).answer()).orElseThrow();
    }

    private static Registration register(Caller caller, MemorySegment memory) {
        try {
            return caller.register(
                    memory, Set.of(MemoryAccess.REMOTE_READ, MemoryAccess.REMOTE_WRITE, MemoryAccess.REMOTE_ATOMIC));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void awaitUninterruptibly(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void openAll() {
        for (int node = 1; node <= 3; node++) {
            nodes.open(node);
        }
        await().until(nodes::allConnected);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
