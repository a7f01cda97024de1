package dev.retier.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.fixture.StubApi;
import dev.retier.config.HostPort;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The largest records of TLS, and larger ones, from callers that have proven nothing (RFC 8446, section 5). */
class TlsRecordsTest {
    private static final int MOST_PLAIN_BYTES = 1 << 14;
    private static final int HEADER_BYTES = 5;
    private static final int PATIENCE_MILLIS = 20_000;
    private static final byte HANDSHAKE = 22;
    private static final Duration LONG = Duration.ofMinutes(5);

    @TempDir
    private Path folder = Path.of("");

    @AutoClose
    private final GuardedServer server = new GuardedServer();

    @BeforeEach
    void start() throws IOException {
        server.start(folder, "viewers: [eve]");
    }

    /** What comes until the server closes; it fails when that is not in time. */
    private static String toTheEnd(Socket socket) throws IOException {
        socket.setSoTimeout(PATIENCE_MILLIS);
        StringBuilder text = new StringBuilder();
        try {
            InputStream in = socket.getInputStream();
            for (int next = in.read(); next >= 0; next = in.read()) {
                text.append((char) next);
            }
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (SocketException e) {
            return text.toString(); // a reset is an end, too
        }
        return text.toString();
    }

    /** To a request of one record, of which these are the start and the end. */
    private String answerTo(String start, String end) throws IOException {
        String filling = "x".repeat(MOST_PLAIN_BYTES - start.length() - end.length());
        byte[] record = (start + filling + end).getBytes(StandardCharsets.US_ASCII);
        HostPort address = server.address();
        try (TlsCaller caller = server.caller();
                Socket socket = caller.context().getSocketFactory().createSocket(address.host(), address.port())) {
            socket.getOutputStream().write(record);
            return toTheEnd(socket);
        }
    }

    private void requireOthersAreAnswered() throws Exception {
        try (TlsCaller other = server.caller()) {
            assertThat(other.get("/livez").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void shouldAnswer_whenABodyFillsARecord() throws Exception {
        String head = "POST /v1/commands HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 16000\r\n\r\n";

        assertThat(answerTo(head, "x")).startsWith("HTTP/1.1 401 ");
        requireOthersAreAnswered();
    }

    @Test
    void shouldAnswer_whenAHeadFillsARecord() throws Exception {
        String head = "GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\nLong: ";

        assertThat(answerTo(head, "\r\n\r\n")).startsWith("HTTP/1.1 200 ");
        requireOthersAreAnswered();
    }

    /** Longer than TLS lets a record be, up to the longest that the JDK waits for, and longer. */
    @ParameterizedTest
    @ValueSource(ints = {16_641, 16_704, 20_000, 33_088, 33_089, 65_535})
    void shouldClose_whenARecordIsTooLong(int length) throws Exception {
        byte[] record = new byte[HEADER_BYTES + length];
        ByteBuffer.wrap(record).put(HANDSHAKE).putShort((short) 0x0301).putShort((short) length);
        HostPort address = server.address();
        try (Socket socket = new Socket(address.host(), address.port())) {
            socket.getOutputStream().write(record);

            toTheEnd(socket);
        }
        requireOthersAreAnswered();
    }

    @ParameterizedTest
    @ValueSource(ints = {16_384, 33_088})
    void shouldClose_whenARecordDoesNotEnd(int length) throws Exception {
        byte[] start = new byte[HEADER_BYTES + length - 1];
        ByteBuffer.wrap(start).put(HANDSHAKE).putShort((short) 0x0301).putShort((short) length);
        AdminLimits limits = new AdminLimits(8, Duration.ofMillis(500), LONG, LONG, 1_024);
        AdminServer.Listen listen =
                new AdminServer.Listen(new HostPort("127.0.0.1", 0), limits, server.open("viewers: [eve]"));
        try (AdminServer hasty = AdminServer.start(listen, new TargetBoard(), new StubApi(), new AgentMetrics());
                Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(), hasty.address().port())) {
            socket.getOutputStream().write(start);

            toTheEnd(socket);
        }
    }
}
