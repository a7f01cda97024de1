package dev.retier.load.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.load.http.WebSocketReader.Progress;
import dev.retier.testsupport.Seeded;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes of RFC 6455's own examples, and random frames against a plain writer of them. */
class WebSocketTest {
    private final List<String> told = new ArrayList<>();
    private final WebSocketReader reader = new WebSocketReader(new WebSocketReader.Listener() {
        @Override
        public void message(boolean isText, long lengthBytes) {
            told.add((isText ? "text " : "binary ") + lengthBytes);
        }

        @Override
        public void ping(byte[] payload) {
            told.add("ping " + new String(payload, StandardCharsets.US_ASCII));
        }
    });

    @ParameterizedTest
    @CsvSource({
        "810548656c6c6f, text 5",
        "010348656c 80026c6f, text 5",
        "890548656c6c6f, ping Hello",
        "8a0548656c6c6f, ''",
        "8100, text 0",
        "0200 8000, binary 0",
        "0103414243 8900 800144, 'ping ,text 4'",
    })
    void shouldTellWhatCame_whenFramesAreThoseOfTheRfc(String hex, String expected) {
        assertThat(feed(hex)).isEqualTo(Progress.MORE);
        assertThat(String.join(",", told)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "8185", // masked
                "c105", // a reserved bit, as of an extension
                "83", // an opcode that has no meaning
                "8b",
                "80", // continues nothing
                "0101 61 81", // a message within another
                "0900", // a control frame in pieces
                "897e", // a control frame that is too long
                "817e 007d", // 125 in two bytes
                "827f 000000000000ffff", // 65,535 in eight bytes
                "827f 8000000000000000", // the highest bit
                "880103", // half a status
                "8802 03e7", // status 999
                "8802 03ed", // status 1005, which never stands in a frame
            })
    void shouldRefuse_whenFramesBreakTheRfc(String hex) {
        assertThat(feed(hex)).isEqualTo(Progress.BAD);
        assertThat(feed("8100")).isEqualTo(Progress.BAD);
    }

    @Test
    void shouldRefuseAMessage_whenItIsTooLongInAllItsFrames() {
        assertThat(feed("027f 0000000001000000")).isEqualTo(Progress.MORE);
        assertThat(reader.feed(Unpooled.wrappedBuffer(new byte[1 << 24]))).isEqualTo(Progress.MORE);
        assertThat(feed("8001")).isEqualTo(Progress.TOO_LONG);
        assertThat(told).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"8800", "8802 03e8", "8804 0fa0 6162"})
    void shouldSayThatItIsOver_whenTheServerCloses(String hex) {
        ByteBuf bytes = bytes(hex + "8100");

        assertThat(reader.feed(bytes)).isEqualTo(Progress.CLOSED);
        assertThat(bytes.readableBytes()).isEqualTo(2);
    }

    @Seeded(tries = 60)
    void shouldTellTheSame_howeverTheBytesAreCut(SplittableRandom random) {
        ByteBuf stream = Unpooled.buffer();
        List<String> expected = new ArrayList<>();
        for (int i = random.nextInt(1, 12); i > 0; i--) {
            int opcode = random.nextBoolean() ? WebSocketFrame.TEXT : WebSocketFrame.BINARY;
            long sum = 0;
            int frames = random.nextInt(1, 4);
            for (int f = 1; f <= frames; f++) {
                int length = length(random);
                sum += length;
                frame(stream, f == 1 ? opcode : WebSocketFrame.CONTINUATION, f == frames, length);
                if (random.nextInt(4) == 0) {
                    frame(stream, WebSocketFrame.PING, true, 3);
                    expected.add("ping xxx");
                }
            }
            // A ping after the last frame of a message comes after it.
            boolean isAfter = !expected.isEmpty() && endsWithPing(stream);
            expected.add(isAfter ? expected.size() - 1 : expected.size(), (opcode == 1 ? "text " : "binary ") + sum);
        }
        while (stream.isReadable()) {
            ByteBuf piece =
                    stream.readSlice(Math.min(stream.readableBytes(), random.nextInt(1, random.nextInt(2, 20_000))));
            assertThat(reader.feed(piece)).isEqualTo(Progress.MORE);
            assertThat(piece.isReadable()).isFalse();
        }

        assertThat(told).isEqualTo(expected);
    }

    @Seeded(tries = 500)
    void shouldNeverThrowNorLoop_whenBytesAreRandom(SplittableRandom random) {
        byte[] noise = new byte[random.nextInt(1, 400)];
        random.nextBytes(noise);

        Progress progress = reader.feed(Unpooled.wrappedBuffer(noise));

        assertThat(reader.feed(Unpooled.EMPTY_BUFFER)).isEqualTo(progress);
    }

    @Seeded(tries = 200)
    void shouldBeUnmaskedToTheSame_whenAClientWrites(SplittableRandom random) {
        byte[] payload = new byte[length(random)];
        random.nextBytes(payload);
        int key = random.nextInt();
        ByteBuf out = Unpooled.buffer();

        WebSocketFrame.write(WebSocketFrame.TEXT, payload, key, out);

        assertThat(out.readableBytes()).isLessThanOrEqualTo(WebSocketFrame.maxLengthBytes(payload.length));
        assertThat(out.readUnsignedByte()).isEqualTo((short) 0x81);
        int shortLength = out.readUnsignedByte() - 0x80;
        long length = shortLength < 126 ? shortLength : shortLength == 126 ? out.readUnsignedShort() : out.readLong();
        assertThat(length).isEqualTo(payload.length);
        assertThat(out.readInt()).isEqualTo(key);
        byte[] read = new byte[payload.length];
        for (int i = 0; i < read.length; i++) {
            read[i] = (byte) (out.readByte() ^ (key >>> (24 - 8 * (i % 4))));
        }
        assertThat(Arrays.equals(read, payload)).isTrue();
        assertThat(out.isReadable()).isFalse();
    }

    @Test
    void shouldWriteTheBytesOfTheRfc_whenItSaysHello() {
        ByteBuf out = Unpooled.buffer();

        WebSocketFrame.write(WebSocketFrame.TEXT, "Hello".getBytes(StandardCharsets.US_ASCII), 0x37fa213d, out);

        assertThat(hex(out)).isEqualTo("818537fa213d7f9f4d5158");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Upgrade: websocket|Connection: Upgrade|s3pPLMBiTxaQ9kYGzzhZRbK+xOo=|",
                "upgrade: WebSocket|Connection: keep-alive, upgrade|s3pPLMBiTxaQ9kYGzzhZRbK+xOo=|",
                "X: websocket|Connection: Upgrade|s3pPLMBiTxaQ9kYGzzhZRbK+xOo=|its Upgrade",
                "Upgrade: websocket|Connection: close|s3pPLMBiTxaQ9kYGzzhZRbK+xOo=|its Connection",
                "Upgrade: websocket|Connection: Upgrade|s3pPLMBiTxaQ9kYGzzhZRbK+xOO=|its Sec-WebSocket-Accept",
            })
    void shouldAcceptOnlyTheAnswerToItsKey(String upgrade, String connection, String accept, String problem) {
        WebSocketHandshake handshake = WebSocketHandshake.of("the sample nonce".getBytes(StandardCharsets.US_ASCII));
        assertThat(handshake.key()).isEqualTo("dGhlIHNhbXBsZSBub25jZQ==");
        ResponseFraming framing = new ResponseFraming();
        framing.expectUpgrade();
        ByteBuf answer = Unpooled.copiedBuffer(
                "HTTP/1.1 101 Switching\r\n" + upgrade + "\r\n" + connection + "\r\nSec-WebSocket-Accept: " + accept
                        + "\r\n\r\nrest",
                StandardCharsets.US_ASCII);

        assertThat(framing.feed(answer)).isEqualTo(ResponseFraming.Progress.COMPLETE);
        assertThat(answer.readableBytes()).isEqualTo(4);
        if (problem == null) {
            assertThat(handshake.problem(framing)).isNull();
        } else {
            assertThat(handshake.problem(framing)).startsWith(problem);
        }
    }

    private Progress feed(String hex) {
        return reader.feed(bytes(hex));
    }

    private static ByteBuf bytes(String hex) {
        return Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    private static String hex(ByteBuf bytes) {
        byte[] copy = new byte[bytes.readableBytes()];
        bytes.getBytes(bytes.readerIndex(), copy);
        return HexFormat.of().formatHex(copy);
    }

    private static int length(SplittableRandom random) {
        int[] edges = {0, 1, 125, 126, 127, 65_535, 65_536};
        return random.nextBoolean() ? edges[random.nextInt(edges.length)] : random.nextInt(300);
    }

    private static boolean endsWithPing(ByteBuf stream) {
        return stream.writerIndex() >= 5 && stream.getInt(stream.writerIndex() - 5) == 0x89037878;
    }

    /** An unmasked frame of nothing but x. */
    private static void frame(ByteBuf out, int opcode, boolean isFinal, int length) {
        out.writeByte((isFinal ? 0x80 : 0) | opcode);
        if (length < 126) {
            out.writeByte(length);
        } else if (length < 65_536) {
            out.writeByte(126).writeShort(length);
        } else {
            out.writeByte(127).writeLong(length);
        }
        for (int i = 0; i < length; i++) {
            out.writeByte('x');
        }
    }

    @Test
    void shouldRefuseTheAnswer_whenItUsesAnExtensionThatNobodyAskedFor() {
        WebSocketHandshake handshake = WebSocketHandshake.of("the sample nonce".getBytes(StandardCharsets.US_ASCII));
        ResponseFraming framing = new ResponseFraming();
        framing.expectUpgrade();
        framing.feed(Unpooled.copiedBuffer(
                "HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
                        + handshake.accept() + "\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n",
                StandardCharsets.US_ASCII));

        assertThat(handshake.problem(framing)).isEqualTo("it uses an extension that was not asked for");
    }
}
