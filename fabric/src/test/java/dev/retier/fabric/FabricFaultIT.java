package dev.retier.fabric;

import static dev.retier.testsupport.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.fabric.OneSided.Piece;
import dev.retier.fabric.calls.CallOutcome;
import dev.retier.fabric.calls.CallOutcome.Why;
import dev.retier.fabric.calls.Priority;
import dev.retier.link.NodeId;
import dev.retier.link.SecretSource;
import dev.retier.link.StateException;
import dev.retier.link.Transport;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Secrets;
import dev.retier.testsupport.Detour;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class FabricFaultIT {
    private static final int ECHO = 1;
    private static final Duration SHORT = Duration.ofMillis(300);

    private final Nodes nodes = new Nodes(3, Nodes.LIMITS);
    private final AtomicInteger ran = new AtomicInteger();

    @AfterEach
    void close() {
        nodes.close();
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
                awaitEnd(replay);
            }
            assertThat(ran.get()).isEqualTo(1);
        }
    }

    /** An end in order, or a reset where something of ours was still unread. */
    private void awaitEnd(Socket replay) throws IOException {
        try {
            while (replay.getInputStream().read(new byte[512]) >= 0) {
                assertThat(ran.get()).isEqualTo(1);
            }
        } catch (SocketException reset) {
            assertThat(reset).hasMessageContaining("reset");
        }
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

    private void serve(Fabric fabric) {
        fabric.register(ECHO, request -> {
            ran.incrementAndGet();
            return request.body();
        });
    }

    private static byte[] answer(CallOutcome outcome) {
        assertThat(outcome).isInstanceOf(CallOutcome.Answered.class);
        return ((CallOutcome.Answered) outcome).answer();
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
                    .thenApply(_ -> ownFrames()));
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
                Nodes.node(9),
                nodes.address(1),
                peers,
                SecretSource.of(Secrets.only(Nodes.SECRET)),
                Transport.IWARP,
                Nodes.LIMITS,
                true,
                Optional.empty());

        assertThatThrownBy(() -> Fabric.open(taken))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("cannot listen");
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().contains(Nodes.node(9).toString())));
    }

    /** How deep this project's own code is in, without JUnit: an operation may have ended before it was looked at. */
    private static long ownFrames() {
        return StackWalker.getInstance()
                .walk(frames -> frames.filter(frame -> frame.getClassName().startsWith("dev.retier."))
                        .count());
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
}
