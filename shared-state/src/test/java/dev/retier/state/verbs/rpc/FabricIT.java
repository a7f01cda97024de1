package dev.retier.state.verbs.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.state.rpc.CallOutcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
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
            return ByteBuffer.allocate(12)
                    .putLong(registered.place().address())
                    .putInt(registered.place().key())
                    .array();
        });
        CallOutcome.Answered answered = (CallOutcome.Answered) nodes.at(1)
                .call(Nodes.node(2), ECHO, new byte[0], Nodes.PATIENCE)
                .await();
        ByteBuffer fields = ByteBuffer.wrap(answered.answer());
        RemotePlace place = new RemotePlace(fields.getLong(), fields.getInt());
        PeerLink link = nodes.at(1).link(Nodes.node(2)).orElseThrow();
        Registration own = link.register(Arena.ofAuto().allocate(64, 64), Set.of(Access.LOCAL_WRITE));
        own.memory().set(ValueLayout.JAVA_LONG, 0, 41);

        assertThat(link.post(new OneSided.Write(List.of(new OneSided.Piece(own, 0, 8)), place))
                        .get())
                .isEqualTo(new OpOutcome.Done(0));
        assertThat(link.post(new OneSided.FetchAndAdd(place, 1, new OneSided.Piece(own, 8, 8)))
                        .get())
                .isEqualTo(new OpOutcome.Done(41));
        assertThat(link.post(new OneSided.CompareAndSwap(place, 42, 99, new OneSided.Piece(own, 8, 8)))
                        .get())
                .isEqualTo(new OpOutcome.Done(42));
        assertThat(link.post(new OneSided.Read(
                                place, List.of(new OneSided.Piece(own, 40, 3), new OneSided.Piece(own, 16, 5))))
                        .get())
                .isEqualTo(new OpOutcome.Done(0));
        assertThat(own.memory().get(ValueLayout.JAVA_BYTE, 40)).isEqualTo((byte) 99);
        assertThat(shared.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(99);
        Objects.requireNonNull(kept.get()).close();
    }

    private static Registration register(Caller caller, MemorySegment memory) {
        try {
            return caller.register(memory, Set.of(Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
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
