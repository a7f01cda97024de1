package dev.retier.load.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.load.http.ResponseFraming.Progress;
import dev.retier.testsupport.Seeded;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ResponseFramingTest {
    private static final String CHUNKED_HEAD = "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n";

    private static final List<String> WHOLE = List.of(
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\ncOnTeNt-LeNgTh:5 \r\nServer: x\r\n\r\nhello",
            "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello",
            CHUNKED_HEAD + "2\r\nhe\r\n3;x=\"y\"\r\nllo\r\n0\r\nA: b\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 99\r\n\r\n5\r\nhello\r\n00\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");

    @Seeded(tries = 200)
    void shouldFindTheEnd_whenCutAnywhere(SplittableRandom random) {
        for (String text : WHOLE) {
            ResponseFraming framing = new ResponseFraming();
            framing.expect(false);
            byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
            int at = 0;
            while (at < bytes.length) {
                int piece = Math.min(random.nextInt(1, 12), bytes.length - at);
                Progress progress = framing.feed(Unpooled.wrappedBuffer(bytes, at, piece));
                at += piece;
                assertThat(progress).as(text).isEqualTo(at == bytes.length ? Progress.COMPLETE : Progress.MORE);
            }
            assertThat(framing.status()).isEqualTo(200);
            assertThat(framing.bodyBytes()).isEqualTo(5);
            assertThat(framing.keepsAlive()).isTrue();
        }
    }

    @Test
    void shouldLeaveTheRest_whenMoreFollows() {
        ResponseFraming framing = new ResponseFraming();
        framing.expect(false);
        ByteBuf in = ascii("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxHTTP/1.1 500");

        assertThat(framing.feed(in)).isEqualTo(Progress.COMPLETE);
        assertThat(in.readableBytes()).isEqualTo("HTTP/1.1 500".length());
    }

    @Test
    void shouldHaveNoBody_whenMethodOrStatusSaysSo() {
        assertThat(feed(true, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")).isEqualTo(Progress.COMPLETE);
        assertThat(feed(false, "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n"))
                .isEqualTo(Progress.COMPLETE);
        assertThat(feed(false, "HTTP/1.1 204 No Content\r\n\r\n")).isEqualTo(Progress.COMPLETE);
    }

    @Test
    void shouldEndWithTheConnection_whenNoLengthIsGiven() {
        ResponseFraming framing = new ResponseFraming();
        framing.expect(false);

        assertThat(framing.feed(ascii("HTTP/1.0 200 OK\r\n\r\nsome"))).isEqualTo(Progress.MORE);
        assertThat(framing.feed(ascii(" more"))).isEqualTo(Progress.MORE);
        assertThat(framing.isCompleteAtClose()).isTrue();
        assertThat(framing.bodyBytes()).isEqualTo(9);
        assertThat(framing.keepsAlive()).isFalse();
    }

    @Test
    void shouldNotBeCompleteAtClose_whenABodyIsCut() {
        ResponseFraming framing = new ResponseFraming();
        framing.expect(false);
        assertThat(framing.hasBegun()).isFalse();

        framing.feed(ascii("H"));
        assertThat(framing.hasBegun()).isTrue();
        framing.feed(ascii("TTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell"));

        assertThat(framing.isCompleteAtClose()).isFalse();
        assertThat(framing.bodyBytes()).isEqualTo(4);
    }

    @Test
    void shouldKnowWhetherTheConnectionStays_whenHeadersSaySo() {
        assertThat(keepsAlive("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")).isTrue();
        assertThat(keepsAlive("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: Close\r\n\r\n"))
                .isFalse();
        assertThat(keepsAlive("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: x, close\r\n\r\n"))
                .isFalse();
        assertThat(keepsAlive("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n")).isFalse();
        assertThat(keepsAlive("HTTP/1.0 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n"))
                .isTrue();
        assertThat(keepsAlive("HTTP/1.0 200 OK\nContent-Length: 0\nconnection:Keep-Alive \n\n"))
                .isTrue();
        assertThat(keepsAlive("HTTP/1.0 200 OK\r\nContent-Length: 0\r\nConnection: keep-alives\r\n\r\n"))
                .isFalse();
        assertThat(keepsAlive("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive, close\r\n\r\n"))
                .isFalse();
    }

    @Test
    void shouldRefuse_whenItIsNoHttpResponse() {
        for (String text : List.of(
                "SSH-2.0-OpenSSH\r\n\r\n",
                "HTTP/2 200\r\n\r\n",
                "HTTP/1.1 abc\r\n\r\n",
                "HTTP/1.1 099 X\r\n\r\n",
                "HTTP/1.1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1x\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 9999999999999999999\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n")) {
            assertThat(feed(false, text)).as(text).isEqualTo(Progress.BAD);
        }
    }

    @Test
    void shouldRefuse_whenHeadOrTrailersNeverEnd() {
        assertThat(feed(false, "HTTP/1.1 200 OK\r\nX: " + "x".repeat(ResponseFraming.MAX_HEAD_BYTES)))
                .isEqualTo(Progress.BAD);
        String chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        assertThat(feed(false, chunked + "1;" + "x".repeat(ChunkedBody.MAX_LINE_BYTES)))
                .isEqualTo(Progress.BAD);
        assertThat(feed(false, chunked + "0\r\n" + "a: b\r\n".repeat(ChunkedBody.MAX_TRAILERS + 1)))
                .isEqualTo(Progress.BAD);
    }

    @Test
    void shouldStartAfresh_whenAnotherResponseIsExpected() {
        ResponseFraming framing = new ResponseFraming();
        framing.expect(false);
        framing.feed(ascii(WHOLE.get(3)));
        framing.expect(false);

        assertThat(framing.status()).isZero();
        assertThat(framing.feed(ascii(WHOLE.get(4)))).isEqualTo(Progress.COMPLETE);
        assertThat(framing.bodyBytes()).isEqualTo(5);
    }

    @Test
    void shouldFollowTheTransferCoding_whenALengthIsStatedToo() {
        String both = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: gzip, chunked\r\n\r\n";
        assertThat(feed(false, both + "5\r\nhello\r\n0\r\n\r\n")).isEqualTo(Progress.COMPLETE);

        ResponseFraming framing = new ResponseFraming();
        framing.expect(false);
        String unchunked = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: gzip\r\n\r\nhello";
        assertThat(framing.feed(ascii(unchunked))).isEqualTo(Progress.MORE);
        assertThat(framing.isCompleteAtClose()).isTrue();
    }

    @Test
    void shouldRefuse_whenFramingCouldBeReadInTwoWays() {
        for (String text : List.of(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length : 5\r\n\r\nhello",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n 0\r\n\r\nhello",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r0\r\n")) {
            assertThat(feed(false, text)).as(text).isEqualTo(Progress.BAD);
        }
    }

    /** Whatever a damaged response is taken for, how its bytes are cut into pieces makes no difference. */
    @Seeded(tries = 500)
    void shouldJudgeTheSame_whenADamagedResponseIsCutAnywhere(SplittableRandom random) {
        byte[] bytes = WHOLE.get(random.nextInt(WHOLE.size())).getBytes(StandardCharsets.US_ASCII);
        for (int i = random.nextInt(4); i >= 0; i--) {
            byte[] likely = "\r\n :;0159aFx,\t".getBytes(StandardCharsets.US_ASCII);
            bytes[random.nextInt(bytes.length)] = likely[random.nextInt(likely.length)];
        }
        boolean isHead = random.nextInt(10) == 0;
        ResponseFraming whole = new ResponseFraming();
        whole.expect(isHead);
        ByteBuf all = Unpooled.wrappedBuffer(bytes);
        Progress judged = whole.feed(all);

        ResponseFraming pieces = new ResponseFraming();
        pieces.expect(isHead);
        Progress progress = Progress.MORE;
        int at = 0;
        while (at < bytes.length && progress == Progress.MORE) {
            int piece = Math.min(random.nextInt(1, 9), bytes.length - at);
            ByteBuf in = Unpooled.wrappedBuffer(bytes, at, piece);
            progress = pieces.feed(in);
            at += piece - (progress == Progress.COMPLETE ? in.readableBytes() : 0);
        }

        assertThat(progress).isEqualTo(judged);
        if (judged != Progress.BAD) {
            assertThat(pieces.status()).isEqualTo(whole.status());
            assertThat(pieces.bodyBytes()).isEqualTo(whole.bodyBytes());
            assertThat(pieces.keepsAlive()).isEqualTo(whole.keepsAlive());
            assertThat(pieces.isCompleteAtClose()).isEqualTo(whole.isCompleteAtClose());
            assertThat(at).isEqualTo(bytes.length - all.readableBytes());
        }
    }

    @Seeded(tries = 200)
    void shouldNeverThrow_whenBytesAreGarbage(SplittableRandom random) {
        byte[] bytes = new byte[random.nextInt(500)];
        random.nextBytes(bytes);
        ResponseFraming framing = new ResponseFraming();
        framing.expect(random.nextBoolean());
        ByteBuf in = Unpooled.wrappedBuffer("HTTP/1.1 2".getBytes(StandardCharsets.US_ASCII), bytes);

        assertThat(framing.feed(in)).isIn(Progress.MORE, Progress.BAD, Progress.COMPLETE);
    }

    private static boolean keepsAlive(String text) {
        ResponseFraming framing = new ResponseFraming();
        framing.expect(false);
        assertThat(framing.feed(ascii(text))).isEqualTo(Progress.COMPLETE);
        return framing.keepsAlive();
    }

    private static Progress feed(boolean head, String text) {
        ResponseFraming framing = new ResponseFraming();
        framing.expect(head);
        return framing.feed(ascii(text));
    }

    private static ByteBuf ascii(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
    }
}
