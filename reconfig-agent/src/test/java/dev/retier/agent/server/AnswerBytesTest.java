package dev.retier.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** RFC 9112: an answer is the same in whatever pieces it comes. */
class AnswerBytesTest {
    private static final String PLAIN = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfour";
    private static final String CHUNKED =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x\r\nde\r\n0\r\nT: dropped\r\n\r\n";
    private static final String BARE = "HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n";

    private final AnswerBytes came = new AnswerBytes();

    private HttpFetch.@Nullable Answer after(String part) throws IOException {
        came.readFrom(new ByteArrayInputStream(part.getBytes(StandardCharsets.ISO_8859_1)));
        return came.whole();
    }

    @Test
    void shouldGiveTheSameAnswer_whereverItIsCut() throws IOException {
        for (String text : new String[] {PLAIN, CHUNKED, BARE}) {
            HttpFetch.Answer atOnce = after(text);
            assertThat(atOnce).isNotNull();
            came.clear();
            for (int cut = 1; cut < text.length(); cut++) {
                assertThat(after(text.substring(0, cut)))
                        .as("the first %d bytes", cut)
                        .isNull();
                assertThat(after(text.substring(cut))).as("cut at %d", cut).isEqualTo(atOnce);
                assertThat(came.isConnectionKept()).isTrue();
                came.clear();
            }
        }
    }

    @Test
    void shouldReadBodies_ofBothKinds() throws IOException {
        assertThat(after(PLAIN)).isEqualTo(new HttpFetch.Answer(200, Map.of("content-length", "4"), "four"));
        came.clear();
        assertThat(after(CHUNKED))
                .isEqualTo(new HttpFetch.Answer(200, Map.of("transfer-encoding", "chunked"), "abcde"));
    }

    /** RFC 9112, section 6.3, the last rule: so PHP's own server and those of Python answer. */
    @Test
    void shouldEndWithTheConnection_whenNothingElseTellsItsLength() throws IOException {
        assertThat(after("HTTP/1.0 200 OK\r\nServer: x\r\n\r\nfo")).isNull();
        assertThat(after("ur")).isNull();
        assertThat(after("")).isEqualTo(new HttpFetch.Answer(200, Map.of("server", "x"), "four"));
        assertThat(came.isConnectionKept()).isFalse();
    }

    @Test
    void shouldRefuse_whenTheConnectionEndsBeforeTheAnswer() throws IOException {
        assertThat(after("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfo")).isNull();
        assertThatThrownBy(() -> after("")).isInstanceOf(EOFException.class);
        came.clear();
        assertThat(after("HTTP/1.1 200")).isNull();
        assertThatThrownBy(() -> after("")).isInstanceOf(EOFException.class);
    }

    @Test
    void shouldNotKeepTheConnection_whenItEndsOrSaysMoreThanWasAsked() throws IOException {
        assertThat(after("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"))
                .isNotNull();
        assertThat(came.isConnectionKept()).isFalse();
        came.clear();
        assertThat(after(PLAIN + "HTTP/1.1")).isNotNull();
        assertThat(came.isConnectionKept()).isFalse();
    }
}
