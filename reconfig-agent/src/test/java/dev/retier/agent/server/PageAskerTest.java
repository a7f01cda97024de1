package dev.retier.agent.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.MainProcess;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerControl;
import dev.retier.agent.config.ServerControl.Commands;
import dev.retier.agent.config.ServerControl.Limits;
import dev.retier.agent.config.ServerKind;
import dev.retier.config.HostPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against a server that answers when the test says so. */
class PageAskerTest {
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofMillis(20);

    private final ServerSocket listener;
    private final BlockingQueue<Socket> asked = new LinkedBlockingQueue<>();
    private final PageAsker asker;
    private int uptimeSeconds;

    PageAskerTest() throws IOException {
        listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        HostPort address = new HostPort("127.0.0.1", listener.getLocalPort());
        ServerControl control = new ServerControl(
                Path.of("/nonexistent/httpd.conf"),
                new MainProcess.InFile(Path.of("/nonexistent/httpd.pid")),
                "/.retier/status",
                null,
                null,
                Commands.usual(ServerKind.HTTPD, "httpd"),
                new Limits(Duration.ZERO, LONG, LONG),
                List.of());
        ServerConfig server = new ServerConfig(
                ServerKind.HTTPD,
                address,
                address,
                Path.of("/nonexistent/retier.conf"),
                "/proof",
                control,
                ServerKind.HTTPD.tiers());
        asker = new PageAsker("test", server, new HttpdDialect(server));
    }

    @BeforeEach
    void start() {
        asker.start();
        Thread.ofVirtual().start(() -> {
            while (!listener.isClosed()) {
                try {
                    Socket socket = listener.accept();
                    Thread.ofVirtual().start(() -> serve(socket));
                } catch (IOException e) {
                    return;
                }
            }
        });
    }

    private void serve(Socket socket) {
        try {
            byte[] request = new byte[1_000];
            while (socket.getInputStream().read(request) > 0) {
                asked.add(socket);
            }
        } catch (IOException e) {
            return;
        }
    }

    @AfterEach
    void stop() throws IOException {
        listener.close();
        asker.close();
    }

    private Socket request() throws InterruptedException {
        return Objects.requireNonNull(asked.poll(10, TimeUnit.SECONDS), "a request");
    }

    /** One more page, of a server that has answered so many requests. */
    private void answer(Socket to, int requests) throws IOException {
        String page = "Total Accesses: " + requests + "\nBusyWorkers: 1\nIdleWorkers: 9\nServerUptimeSeconds: "
                + uptimeSeconds++ + "\nScoreboard: ..........\n";
        to.getOutputStream()
                .write(("HTTP/1.1 200 OK\r\nContent-Length: " + page.length() + "\r\n\r\n" + page).getBytes(US_ASCII));
    }

    /** The answer to an asking that this one page is given to. */
    private PageAsker.@Nullable Answer asked(int requests) throws Exception {
        Thread server = Thread.ofVirtual().start(() -> {
            try {
                answer(request(), requests);
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        PageAsker.Answer answer = asker.ask(LONG);
        server.join();
        return answer;
    }

    private static long requests(PageAsker.@Nullable Answer answer) {
        return Objects.requireNonNull(
                        Objects.requireNonNull(answer, "an answer").page(), "a page")
                .requests();
    }

    @Test
    void shouldGiveEachPage_whenTheyComeAtOnce() throws Exception {
        assertThat(requests(asked(100))).isEqualTo(100);
        PageAsker.Answer second = asked(201);
        assertThat(requests(second)).as("without the agent's own").isEqualTo(200);
        assertThat(Objects.requireNonNull(second).tookNanos()).isPositive();
        assertThat(asker.newest()).isSameAs(second);
    }

    @Test
    void shouldGiveALatePageWithTheTimeOfItsAsking_whenItComesAfterAll() throws Exception {
        asked(100);
        long beforeNanos = System.nanoTime();
        assertThat(asker.ask(SHORT)).as("nothing is known yet").isNull();
        long afterNanos = System.nanoTime();
        assertThat(asker.ask(SHORT)).as("it is not asked for twice").isNull();
        assertThat(asked).hasSize(1);

        answer(request(), 301);
        PageAsker.Answer late = asker.ask(SHORT);
        while (late == null) {
            late = asker.ask(SHORT);
        }
        assertThat(requests(late)).isEqualTo(300);
        assertThat(late.askedAtNanos()).isBetween(beforeNanos, afterNanos);
    }

    @Test
    void shouldAskAnew_whenTheKeptConnectionWasClosed() throws Exception {
        asked(100);
        PageAsker.Answer second = asked(201);
        assertThat(requests(second)).isEqualTo(200);
        assertThat(asker.ask(SHORT)).isNull();
        request().close();
        answer(request(), 401);
        PageAsker.Answer third = asker.ask(LONG);
        assertThat(third).isNotNull();
    }
}
