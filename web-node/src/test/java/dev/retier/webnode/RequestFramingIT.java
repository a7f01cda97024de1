package dev.retier.webnode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What two recipients may understand in two ways is refused, byte for byte as sent (RFC 9112 section 6). */
class RequestFramingIT {
    private static final String SECOND = "GET /static/smuggled/1 HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3}) ");

    @TempDir
    private Path folder;

    private Loopback nodes;
    private WebNode node;

    /** A request whose end is doubtful, and its answer. */
    record Doubtful(String request, String status) {}

    @BeforeEach
    void start() {
        nodes = new Loopback(folder);
        node = nodes.start("one");
    }

    @AfterEach
    void stop() {
        nodes.close();
    }

    static Stream<Doubtful> doubtful() {
        String head = " HTTP/1.1\r\nHost: a\r\n";
        return Stream.of("/static/1/1", "/dynamic/1", "/nothing")
                .flatMap(path -> Stream.of(
                        new Doubtful("GET " + path + head + "Content-Length: 18446744073709551616\r\n\r\n", "400"),
                        new Doubtful("GET " + path + head + "Content-Length: 1000000000000000000\r\n\r\n", "400"),
                        new Doubtful("GET " + path + head + "Transfer-Encoding: xchunked\r\n\r\n", "501"),
                        new Doubtful("GET " + path + head + "Transfer-Encoding: chunked, identity\r\n\r\n", "501"),
                        new Doubtful("GET " + path + head + "Transfer-Encoding: identity\r\n\r\n", "501"),
                        new Doubtful(
                                "GET " + path + head + "Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n",
                                "400"),
                        new Doubtful(
                                "GET " + path + " HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n"
                                        + "Transfer-Encoding: chunked\r\n\r\n",
                                "400")));
    }

    @ParameterizedTest
    @MethodSource("doubtful")
    void shouldAnswerOnceAndClose_whenTheEndOfARequestIsDoubtful(Doubtful asked) throws IOException {
        for (InetSocketAddress address : new InetSocketAddress[] {node.address(), node.adminAddress()}) {
            assertThat(answers(address, asked.request() + SECOND)).containsExactly(asked.status());
        }
    }

    @Test
    void shouldAnswerBoth_whenTheEndOfTheFirstIsClear() throws IOException {
        String last = SECOND.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
        String head = "GET /static/1/1 HTTP/1.1\r\nHost: a\r\n";

        assertThat(answers(node.address(), head + "Content-Length: 2\r\n\r\nab" + last))
                .hasSize(2);
        String chunks = "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n";
        assertThat(answers(node.address(), head + chunks)).containsExactly("200");
    }

    /** The status of each answer until the node closes the connection. */
    private static Stream<String> answers(InetSocketAddress address, String sent) throws IOException {
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(sent.getBytes(StandardCharsets.ISO_8859_1));
            StringBuilder all = new StringBuilder();
            try {
                for (int next = socket.getInputStream().read();
                        next >= 0;
                        next = socket.getInputStream().read()) {
                    all.append((char) next);
                }
            } catch (SocketException reset) {
                assertThat(reset).hasMessageContaining("reset"); // what was sent behind it was not read
            }
            return STATUS.matcher(all).results().map(found -> found.group(1)).toList().stream();
        }
    }
}
