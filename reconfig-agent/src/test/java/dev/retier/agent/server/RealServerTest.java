package dev.retier.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.config.MainProcess;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerControl;
import dev.retier.agent.config.ServerControl.Commands;
import dev.retier.agent.config.ServerControl.Limits;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.status.Observation;
import dev.retier.agent.status.ServerPage;
import dev.retier.config.HostPort;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** This process is the server, and takes nobody in. */
class RealServerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration ASKING = Duration.ofMillis(20);

    /** Longer than two looks at the accept queue take. */
    private static final Duration WATCHED = Duration.ofMillis(2_500);

    @TempDir
    @Nullable
    Path folder;

    private ServerConfig server(int port) throws Exception {
        Path home = Objects.requireNonNull(folder);
        Files.writeString(home.resolve("httpd.pid"), ProcessHandle.current().pid() + "\n");
        HostPort address = new HostPort("127.0.0.1", port);
        ServerControl control = new ServerControl(
                home.resolve("httpd.conf"),
                new MainProcess.InFile(home.resolve("httpd.pid")),
                "/.retier/status",
                null,
                null,
                Commands.usual(ServerKind.HTTPD, "httpd"),
                new Limits(Duration.ZERO, PATIENCE, PATIENCE),
                List.of());
        return new ServerConfig(
                ServerKind.HTTPD,
                address,
                address,
                home.resolve("retier.conf"),
                "/proof",
                control,
                ServerKind.HTTPD.tiers());
    }

    @Test
    void shouldBeFull_whenClientsWaitBesideItsOwnConnections() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                RealServer real =
                        new RealServer("test", server(listener.getLocalPort()), "localhost", InstallerEvents.NONE)) {
            real.start();
            long endNanos = System.nanoTime() + WATCHED.toNanos();
            while (System.nanoTime() - endNanos < 0) {
                assertThat(real.observe(ASKING)).as("no client is there").isInstanceOf(Observation.Silent.class);
            }

            try (Socket one = connected(listener);
                    Socket two = connected(listener)) {
                await().atMost(PATIENCE)
                        .until(() -> real.observe(ASKING) instanceof Observation.Partial seen
                                && seen.why().startsWith("clients wait to be taken in"));
                assertThat(one.isConnected() && two.isConnected()).isTrue();
            }
        }
    }

    @Test
    void shouldExplainWhoWaits_byWhatWasAnsweredSince() {
        ServerPage before = new ServerPage(100, 0, 0, 1, "", "");
        assertThat(RealServer.explained(answer(107, 1), before, 2)).isEqualTo(9);
        assertThat(RealServer.explained(answer(3, 1), before, 2))
                .as("restarted")
                .isEqualTo(2);
        assertThat(RealServer.explained(null, before, 2)).isEqualTo(2);
        assertThat(RealServer.explained(answer(ServerPage.UNCOUNTED, 1), before, 0))
                .as("who came before its own question was taken in")
                .isGreaterThan(1_000_000);
        assertThat(RealServer.explained(answer(ServerPage.UNCOUNTED, 1_500), before, 1))
                .as("it had to wait itself")
                .isEqualTo(1);
    }

    private static PageAsker.Answer answer(long requests, long tookMillis) {
        return new PageAsker.Answer(
                new ServerPage(requests, 0, 0, 2, "", ""),
                "",
                true,
                0,
                Duration.ofMillis(tookMillis).toNanos());
    }

    private static Socket connected(ServerSocket to) throws Exception {
        return new Socket(to.getInetAddress(), to.getLocalPort());
    }

    @Test
    void shouldBeFull_whenItsQuotaIsUsedUpOrClientsWait() {
        ServerPage page = new ServerPage(7, 1, 0.25, 10, "httpd", "");
        ProcessorAccount.Usage usual = new ProcessorAccount.Usage(3, 1, false);
        ProcessorAccount.Usage exhausted = new ProcessorAccount.Usage(3, 1, true);
        assertThat(RealServer.fullness(false, usual, page)).isEqualTo(0.25);
        assertThat(RealServer.fullness(true, usual, page)).isEqualTo(1);
        assertThat(RealServer.fullness(false, exhausted, page)).isEqualTo(1);
    }
}
