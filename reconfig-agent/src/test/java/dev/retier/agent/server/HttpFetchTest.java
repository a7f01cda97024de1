package dev.retier.agent.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.config.HostPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against a server that answers each connection with the next script, whatever it is asked. */
class HttpFetchTest {
    private static final Duration LONG = Duration.ofSeconds(10);

    private final ServerSocket listener = open();
    private final AtomicInteger connections = new AtomicInteger();
    private final HttpFetch fetch = new HttpFetch(new HostPort("127.0.0.1", listener.getLocalPort()));
    /** What is not closed must not be collected either: that would close it. */
    private final Queue<Socket> hanging = new ConcurrentLinkedQueue<>();

    private volatile List<List<String>> scripts = List.of();

    private static ServerSocket open() {
        try {
            return new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void serve() {
        Thread.ofVirtual().start(() -> {
            while (!listener.isClosed()) {
                try {
                    Socket socket = listener.accept();
                    int number = connections.getAndIncrement();
                    Thread.ofVirtual().start(() -> play(socket, scripts.get(number)));
                } catch (IOException e) {
                    return;
                }
            }
        });
    }

    /** One answer per request; the last of a connection is followed by its end, unless that answer is incomplete. */
    private void play(Socket socket, List<String> answers) {
        hanging.add(socket);
        try {
            for (String answer : answers) {
                byte[] request = new byte[1_000];
                if (socket.getInputStream().read(request) < 0) {
                    return;
                }
                socket.getOutputStream().write(answer.getBytes(US_ASCII));
            }
            if (!answers.getLast().contains("(hang)")) {
                socket.close();
            }
        } catch (IOException e) {
            return;
        }
    }

    @AfterEach
    void stop() throws IOException {
        fetch.close();
        listener.close();
        for (Socket socket : hanging) {
            socket.close();
        }
    }

    private static String answer(String body) {
        return "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\nX-Some: thing\r\n\r\n" + body;
    }

    @Test
    void shouldKeepTheConnection_whenTheServerDoes() throws IOException {
        scripts = List.of(List.of(answer("one"), answer("two")));
        assertThat(fetch.get("/status", LONG).body()).isEqualTo("one");
        HttpFetch.Answer second = fetch.get("/status", LONG);
        assertThat(second.body()).isEqualTo("two");
        assertThat(second.headers()).containsEntry("x-some", "thing");
        assertThat(connections).hasValue(1);
    }

    @Test
    void shouldConnectAnew_whenTheKeptConnectionWasClosed() throws IOException {
        scripts = List.of(List.of(answer("one")), List.of(answer("two")));
        fetch.get("/status", LONG);
        assertThat(fetch.get("/status", LONG).body()).isEqualTo("two");
    }

    @Test
    void shouldGiveUp_whenTheAnswerIsNotWholeInTime() {
        scripts = List.of(List.of("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n(hang)"));
        assertThatThrownBy(() -> fetch.get("/status", Duration.ofMillis(100)))
                .isInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void shouldRefuse_whenTheAnswerIsTooLongOrNone() {
        scripts = List.of(
                List.of("HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n"),
                List.of("SSH-2.0-OpenSSH_9\r\n\r\n"),
                List.of("HTTP/1.1 200 OK\r\n\r\n" + "y".repeat(1_100_000)),
                List.of("HTTP/1.1 200 OK\r\nX: " + "y".repeat(20_000) + "\r\n\r\n"));
        assertThatThrownBy(() -> fetch.get("/", LONG)).hasMessageContaining("longer than 1048576 bytes");
        assertThatThrownBy(() -> fetch.get("/", LONG)).hasMessageContaining("not an HTTP answer");
        assertThatThrownBy(() -> fetch.get("/", LONG)).hasMessageContaining("body of the answer is longer");
        assertThatThrownBy(() -> fetch.get("/", LONG)).isInstanceOf(IOException.class);
    }

    @Test
    void shouldJoinTheChunks_whenTheLengthIsNotKnownAhead() throws IOException {
        List<String> lines = List.of(
                "HTTP/1.1 200 OK",
                "Transfer-Encoding: chunked",
                "",
                "4",
                "Wiki",
                "c;x=y",
                "pedia in chu",
                "0",
                "Trailer: dropped",
                "",
                "");
        scripts = List.of(List.of(String.join("\r\n", lines), answer("after")));
        assertThat(fetch.get("/", LONG).body()).isEqualTo("Wikipedia in chu");
        assertThat(fetch.postForm("/", "a=b", LONG).body()).isEqualTo("after");
        assertThat(connections).hasValue(1);
    }

    @Test
    void shouldRefuse_whenChunksAreWrong() {
        String head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        scripts = List.of(
                List.of(head + "zz\r\n"),
                List.of(head + "1\r\nab\r\n"),
                List.of(head + "ffffff\r\n"),
                List.of(head + "0\r\n" + "a: b\r\n".repeat(100) + "\r\n"));
        assertThatThrownBy(() -> fetch.get("/", LONG)).hasMessageContaining("not the size of a chunk");
        assertThatThrownBy(() -> fetch.get("/", LONG)).hasMessageContaining("longer than it says");
        assertThatThrownBy(() -> fetch.get("/", LONG)).hasMessageContaining("longer than 1048576 bytes");
        assertThatThrownBy(() -> fetch.get("/", LONG)).hasMessageContaining("trailer fields");
    }

    @Test
    void shouldFail_whenNobodyListens() throws IOException {
        listener.close();
        assertThatThrownBy(() -> fetch.get("/status", LONG)).isInstanceOf(IOException.class);
    }

    @Test
    void shouldTellStatusAndHeaders_whenTheBodyIsLongerThanAnAgentReads() throws IOException {
        String chunk = "fffff\r\n" + "x".repeat(0xfffff) + "\r\n";
        scripts = List.of(
                List.of("HTTP/1.1 200 OK\r\nX-Some: thing\r\nContent-Length: 99999999999\r\n\r\n"),
                List.of("HTTP/1.1 404 No\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk + chunk),
                List.of("HTTP/1.1 403 No\r\n\r\n" + "x".repeat((1 << 20) + 1)),
                List.of(answer("short")));

        HttpFetch.Answer first = fetch.probe("/", LONG);
        assertThat(first.status()).isEqualTo(200);
        assertThat(first.headers()).containsEntry("x-some", "thing");
        assertThat(fetch.probe("/", LONG).status()).isEqualTo(404);
        assertThat(fetch.probe("/", LONG).status()).isEqualTo(403);
        assertThat(fetch.probe("/", LONG).body())
                .as("on a connection of its own")
                .isEqualTo("short");
    }
}
