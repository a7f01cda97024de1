package dev.retier.fabric;

import static dev.retier.testsupport.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.fabric.calls.CallOutcome;
import dev.retier.fabric.calls.CallOutcome.Why;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.testsupport.Detour;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
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
                while (replay.getInputStream().read(new byte[512]) >= 0) {
                    assertThat(ran.get()).isEqualTo(1);
                }
            }
            assertThat(ran.get()).isEqualTo(1);
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
}
