package dev.retier.undertow.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.testsupport.FreePorts;
import dev.retier.undertow.upstream.UpstreamLimits;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a proxy does with what is long, late, or answered by nobody. */
@Timeout(60)
class ForwardingIT {
    private static final UpstreamLimits IMPATIENT = new UpstreamLimits(3, 500, 60_000, 64);

    private Cell cell;

    @BeforeEach
    void open(@TempDir Path folder) throws Exception {
        cell = new Cell(folder, PlainProgram::new, "");
        cell.start("proxy", IMPATIENT);
        cell.start("app");
    }

    @AfterEach
    void close() {
        cell.close();
    }

    @Test
    void shouldPassTheHeadAndWait_whenAnEventStreamBeginsInSilence() throws Exception {
        cell.makeProxy("proxy", "app");
        Gate.shut();
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(uri("/events")).build();
            HttpResponse<InputStream> head = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
            assertThat(head.headers().firstValue("Content-Type")).contains("text/event-stream");
            assertThat(head.headers().firstValue("X-Retier-App")).contains("app");
            await().pollDelay(Duration.ofMillis(2L * IMPATIENT.timeoutMillis()))
                    .until(() -> cell.node("proxy").status().inFlight() == 1);
            Gate.open();
            assertThat(new String(head.body().readAllBytes(), StandardCharsets.US_ASCII))
                    .isEqualTo("data: at last\n\n");
        }
        assertThat(cell.node("proxy").status().retriesTotal()).isZero();
    }

    @Test
    void shouldCarryWebSockets_whenProxyAndWhenApp() throws Exception {
        cell.makeProxy("proxy", "app");
        try (HttpClient client = HttpClient.newHttpClient()) {
            assertThat(echo(client, "app")).isEqualTo("echo hello");
            assertThat(echo(client, "proxy")).isEqualTo("echo hello");
        }
        assertThat(cell.node("proxy").status().forwardedTotal()).isEqualTo(1);
    }

    @Test
    void shouldSpeakHttp2WithClients_whenProxyAndWhenApp() throws Exception {
        cell.makeProxy("proxy", "app");
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build()) {
            for (String name : new String[] {"app", "proxy"}) {
                assertThat(http2(client, name, "/hello", BodyPublishers.noBody()))
                        .isEqualTo("hello from app");
                assertThat(http2(client, name, "/length", BodyPublishers.ofByteArray(new byte[100_000])))
                        .isEqualTo("bytes 100000");
            }
        }
    }

    private String http2(HttpClient client, String name, String path, BodyPublisher body) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + cell.port(name) + path);
        String method = body.contentLength() == 0 ? "GET" : "POST";
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(uri).method(method, body).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
        return answer.body();
    }

    @Test
    void shouldAskAnotherApp_whenOneRefusesConnections() throws IOException {
        cell.makeProxyOf("proxy", "", Cell.app("gone", FreePorts.next(), 1_000), Cell.app("app", cell.port("app"), 1));
        HttpResponse<String> answer = cell.post("proxy", "/length", BodyPublishers.ofString("an order"));
        assertThat(answer.body()).as("nothing of it was sent before").isEqualTo("bytes 8");
        assertThat(cell.node("proxy").status().upstreams().getFirst().benched()).isTrue();
        assertThat(cell.node("proxy").status().retriesTotal()).isEqualTo(1);
        assertThat(cell.get("proxy", "/hello").body()).isEqualTo("hello from app");
        assertThat(cell.node("proxy").status().retriesTotal()).isEqualTo(1);
    }

    @Test
    void shouldAskAnotherAppButRepeatNoOrder_whenOneHangs() throws IOException {
        try (ServerSocket hung = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String[] apps = {Cell.app("hung", hung.getLocalPort(), 1_000), Cell.app("app", cell.port("app"), 1)};
            cell.makeProxyOf("proxy", "", apps);
            assertThat(cell.post("proxy", "/length", BodyPublishers.ofString("an order"))
                            .statusCode())
                    .as("it may have been carried out")
                    .isEqualTo(503);
            assertThat(cell.get("proxy", "/hello").body()).isEqualTo("hello from app");
            await().untilAsserted(() -> assertThat(cell.node("proxy").status().upstreams())
                    .allSatisfy(app -> assertThat(app.inFlight()).isZero()));
        }
    }

    @Test
    void shouldSayThatNoAppAnswered_whenAllAreGone() throws IOException {
        cell.makeProxyOf("proxy", "", Cell.app("gone", FreePorts.next(), 100));
        HttpResponse<String> answer = cell.get("proxy", "/hello");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).isEqualTo("proxy: no app node answered\n");
        assertThat(cell.admin("proxy", "/readyz?verbose").body())
                .contains("app gone benched", "not ready: no app node answers");
    }

    @Test
    void shouldCloseItsConnections_whenAnAppIsLeftOut() throws Exception {
        CompletableFuture<Integer> next = new CompletableFuture<>();
        try (ServerSocket left = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> next.completeAsync(() -> answerOnce(left), Runnable::run));
            cell.makeProxyOf("proxy", "", Cell.app("left", left.getLocalPort(), 1_000));
            assertThat(cell.get("proxy", "/hello").body()).isEqualTo("hi");
            cell.makeProxy("proxy", "app");
            assertThat(next.get(10, TimeUnit.SECONDS))
                    .as("long before it would be idle for too long")
                    .isEqualTo(-1);
        }
    }

    /** What is still to come of that request would be taken for the next one. */
    @Test
    void shouldUseTheConnectionNoMore_whenAnAppAnswersBeforeItHasTheWholeRequest() throws Exception {
        try (ServerSocket hasty = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Socket client = new Socket(InetAddress.getLoopbackAddress(), cell.port("proxy"))) {
            cell.makeProxyOf("proxy", "", Cell.app("hasty", hasty.getLocalPort(), 1));
            client.getOutputStream()
                    .write("POST /length HTTP/1.1\r\nHost: proxy\r\nContent-Length: 9999\r\n\r\nthe beginning"
                            .getBytes(StandardCharsets.US_ASCII));
            try (Socket asked = hasty.accept()) {
                StringBuilder head = new StringBuilder();
                while (head.indexOf("\r\n\r\n") < 0) {
                    head.append((char) asked.getInputStream().read());
                }
                asked.getOutputStream()
                        .write("HTTP/1.1 413 Too Much\r\nContent-Length: 3\r\n\r\nno!"
                                .getBytes(StandardCharsets.US_ASCII));
                byte[] status = client.getInputStream().readNBytes(12);
                assertThat(new String(status, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 413");
                client.getOutputStream().write(new byte[9_999 - "the beginning".length()]);
                asked.setSoTimeout(10_000);
                assertThat(asked.getInputStream().readAllBytes())
                        .as("what is left of it, and the end of the connection")
                        .hasSizeLessThan(10_000);
            }
        }
    }

    /** What comes on the connection after that: -1 for its end. */
    private static int answerOnce(ServerSocket server) {
        try (Socket socket = server.accept()) {
            InputStream in = socket.getInputStream();
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) in.read());
            }
            socket.getOutputStream()
                    .write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi".getBytes(StandardCharsets.US_ASCII));
            return in.read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String echo(HttpClient client, String name) throws Exception {
        CompletableFuture<String> heard = new CompletableFuture<>();
        URI uri = URI.create("ws://127.0.0.1:" + cell.port(name) + "/echo");
        WebSocket socket = client.newWebSocketBuilder()
                .buildAsync(uri, new WebSocket.Listener() {
                    @Override
                    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
                        heard.complete(data.toString());
                        return WebSocket.Listener.super.onText(from, data, last);
                    }
                })
                .get(10, TimeUnit.SECONDS);
        socket.sendText("hello", true).get(10, TimeUnit.SECONDS);
        String said = heard.get(10, TimeUnit.SECONDS);
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").get(10, TimeUnit.SECONDS);
        return said;
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + cell.port("proxy") + path);
    }
}
