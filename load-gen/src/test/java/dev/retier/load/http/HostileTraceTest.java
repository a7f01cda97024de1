package dev.retier.load.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.report.Text;
import dev.retier.testsupport.Seeded;
import dev.retier.traces.EventStream;
import dev.retier.traces.ReadReport;
import dev.retier.traces.ReplayedMethods;
import dev.retier.traces.Trace;
import dev.retier.traces.TraceEvent;
import dev.retier.traces.file.ReadOptions;
import dev.retier.traces.file.TraceFiles;
import dev.retier.traces.file.TraceFormat;
import dev.retier.traces.shape.LoopedTrace;
import dev.retier.traces.statistics.TraceStatistics;
import dev.retier.traces.text.EventWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces made to do harm: whatever they hold, they are read to their end and nothing of it gets out unescaped. */
class HostileTraceTest {
    private static final List<String> PIECES = List.of(
            "GET /a\rX-Evil: 1 HTTP/1.0",
            "GET /b\u0000c HTTP/1.1",
            "\u001b[2J\u001b]0;owned\u0007",
            "<script>alert(1)</script>",
            "\"\"\"",
            "%0d%0aSet-Cookie: a=b",
            "[01/Jan/1900:00:00:00 +0000]",
            "[31/Dec/2261:23:59:60 +9999]",
            "[99/Foo/99999:99:99:99 -2400]",
            " 200 -5",
            " 304 99999999999999999999",
            "http://evil:80//",
            "1e309 x 5",
            "0 a 999999999999999999",
            "999999999,9223372036854775808,GET,STATIC,-1,0,0,/x",
            "0,1,GET,STATIC,-2,1,999999999,/\u00ff",
            "0,1,POST,DYNAMIC,5,0,0,text/plain,AAAA,/body",
            "h - - [01/Aug/1995:00:00:01 -0400] \"GET /fine HTTP/1.0\" 200 5",
            "5 fine 100");
    private static final Pattern ONE_REQUEST =
            Pattern.compile("[A-Z]+ /[!-~]* HTTP/1\\.1\r\n(?:[!-~][ -~]*\r\n)*\r\n" + "(?s:.*)");

    @TempDir
    Path folder;

    @Seeded(tries = 60)
    void shouldReadToTheEndAndSendNothingHarmful_whenTheBytesAreHostile(SplittableRandom random) throws IOException {
        Path file = Files.write(folder.resolve("trace"), hostile(random));
        for (TraceFormat format : TraceFormat.values()) {
            for (boolean synthetic : new boolean[] {false, true}) {
                check(file, new ReadOptions(format, null, Long.MAX_VALUE, synthetic).withMethods(ReplayedMethods.ALL));
            }
        }
    }

    @Test
    void shouldKeepNeighbours_whenALineIsAMegabyteLong() throws IOException {
        String good = "h - - [01/Aug/1995:00:00:01 -0400] \"GET /fine HTTP/1.0\" 200 5\n";
        Path file = Files.writeString(folder.resolve("long"), good + "x".repeat(1 << 20) + "\n" + good);

        ReadReport report = check(file, ReadOptions.AS_LOGGED);

        assertThat(report.events()).isEqualTo(2);
        assertThat(report.bad()).isEqualTo(1);
        assertThat(report.samples()).singleElement().asString().hasSizeLessThan(200);
    }

    @Test
    void shouldSkipTheLine_whenItsDateIsAbsurd() throws IOException {
        Path file = Files.writeString(folder.resolve("dates"), """
                h - - [01/Aug/1995:00:00:01 +0000] "GET /1 HTTP/1.0" 200 5
                h - - [01/Aug/2261:00:00:01 +0000] "GET /2 HTTP/1.0" 200 5
                h - - [01/Jan/1900:00:00:01 +0000] "GET /3 HTTP/1.0" 200 5
                h - - [01/Aug/1995:00:00:03 +0000] "GET /4 HTTP/1.0" 200 5
                """);

        ReadReport report = check(file, ReadOptions.AS_LOGGED);
        TraceStatistics statistics = TraceStatistics.of(TraceFiles.of(List.of(file), ReadOptions.AS_LOGGED));

        assertThat(report.bad()).isEqualTo(1);
        assertThat(report.outOfOrder()).isEqualTo(1);
        assertThat(statistics.spanSeconds()).isEqualTo(2);
    }

    private ReadReport check(Path file, ReadOptions options) throws IOException {
        Trace trace = TraceFiles.of(List.of(file), options);
        long last = 0;
        ReadReport report;
        try (EventStream events = new LoopedTrace(trace, 3).open()) {
            for (TraceEvent event = events.next(); event != null; event = events.next()) {
                assertThat(event.offsetNanos()).isGreaterThanOrEqualTo(last);
                last = event.offsetNanos();
                assertThat(TraceEvent.isWireSafe(event.target())).isTrue();
                assertThat(onTheWire(event)).matches(ONE_REQUEST);
            }
        }
        try (EventStream events = trace.open()) {
            while (events.next() != null) {
                // Only the report matters here.
            }
            report = events.report();
        }
        assertThat(report.read()).isEqualTo(report.events() + report.bad() + report.notReplayed());
        assertThat(report.samples()).allSatisfy(sample -> assertThat(sample).isEqualTo(Text.printable(sample)));
        ByteArrayOutputStream csv = new ByteArrayOutputStream();
        long written = EventWriter.csv(trace, csv).requests();
        String text = csv.toString(StandardCharsets.ISO_8859_1);
        assertThat(text.chars().allMatch(c -> c == '\n' || (c >= ' ' && c <= '~')))
                .isTrue();
        assertThat(text.lines().count()).isEqualTo(written + 1);
        return report;
    }

    private static String onTheWire(TraceEvent event) {
        RequestHead head = new RequestHead("shop", new RequestHead.Options(true, true, List.of()));
        ByteBuf out = Unpooled.buffer(head.maxLengthBytes(event));
        try {
            head.write(event, out);
            return out.toString(StandardCharsets.ISO_8859_1);
        } finally {
            out.release();
        }
    }

    private static byte[] hostile(SplittableRandom random) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int pieces = random.nextInt(1, 200);
        for (int i = 0; i < pieces; i++) {
            switch (random.nextInt(4)) {
                case 0 -> {
                    byte[] noise = new byte[random.nextInt(60)];
                    random.nextBytes(noise);
                    bytes.writeBytes(noise);
                }
                case 1 -> bytes.write(random.nextInt(3) == 0 ? '\r' : '\n');
                default ->
                    bytes.writeBytes(PIECES.get(random.nextInt(PIECES.size())).getBytes(StandardCharsets.ISO_8859_1));
            }
        }
        return bytes.toByteArray();
    }
}
