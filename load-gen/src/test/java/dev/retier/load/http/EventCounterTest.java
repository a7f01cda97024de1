package dev.retier.load.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.testsupport.Seeded;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventCounterTest {
    private static final List<String> EVENTS = List.of(
            "data: a\n\n", "data\n\n", "event: x\ndata:1\ndata:2\nid: 3\n\n", "data: \u00e4\r\n\r\n", "data:x\r\r");
    private static final List<String> NONE = List.of(
            ": comment\n\n", "event: x\n\n", "\n", "datax: 1\n\n", "dat\n\n", " data: 1\n\n", "retry: 5\r\n\r\n");

    @ParameterizedTest
    @CsvSource({
        "data: a//, 1",
        "data//, 1",
        "data://, 1",
        "data: a/, 0",
        ": still here//, 0",
        "id: 1//, 0",
        "database: 1//, 0",
        "data: a/data: b//, 1",
        "data: a//data: b//, 2",
    })
    void shouldCountAnEvent_whenALineOfDataAndAnEmptyLineCame(String stream, long expected) {
        assertThat(count(stream.replace('/', '\n'), stream.length())).isEqualTo(expected);
    }

    @Seeded(tries = 300)
    void shouldCountTheSame_howeverTheBytesAreCut(SplittableRandom random) {
        StringBuilder stream = new StringBuilder();
        long expected = 0;
        for (int i = random.nextInt(20); i > 0; i--) {
            boolean isEvent = random.nextBoolean();
            List<String> from = isEvent ? EVENTS : NONE;
            stream.append(from.get(random.nextInt(from.size())));
            expected += isEvent ? 1 : 0;
            stream.append(": between\n"); // so that a line's end never meets the next one's empty line
        }
        stream.append(random.nextBoolean() ? "" : "data: cut short");

        for (int piece = 1; piece <= 7; piece++) {
            assertThat(count(stream.toString(), piece)).as(stream.toString()).isEqualTo(expected);
        }
    }

    private static long count(String stream, int piece) {
        EventCounter counter = new EventCounter();
        counter.start();
        ByteBuf bytes = Unpooled.copiedBuffer(stream, StandardCharsets.UTF_8);
        for (int from = 0; from < bytes.readableBytes(); from += piece) {
            counter.feed(bytes, from, Math.min(piece, bytes.readableBytes() - from));
        }
        return counter.events();
    }

    @ParameterizedTest
    @CsvSource({"data: cut/, /", "data, ://", "data, //", "x, data: a//"})
    void shouldForgetAStreamThatWasCutShort_whenTheNextBegins(String cut, String next) {
        EventCounter counter = new EventCounter();
        counter.start();
        feed(counter, cut);
        counter.start();
        feed(counter, next);

        assertThat(counter.events()).isEqualTo(count(next.replace('/', '\n'), 1));
    }

    private static void feed(EventCounter counter, String stream) {
        ByteBuf bytes = Unpooled.copiedBuffer(stream.replace('/', '\n'), StandardCharsets.UTF_8);
        counter.feed(bytes, 0, bytes.readableBytes());
    }
}
