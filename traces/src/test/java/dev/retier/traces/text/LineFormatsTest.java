package dev.retier.traces.text;

import static dev.retier.traces.TraceReading.drain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.testsupport.Seeded;
import dev.retier.traces.ClassRule;
import dev.retier.traces.EventStream;
import dev.retier.traces.ReadReport;
import dev.retier.traces.ReplayedMethods;
import dev.retier.traces.RequestClass;
import dev.retier.traces.RequestMethod;
import dev.retier.traces.RequestTargets;
import dev.retier.traces.Trace;
import dev.retier.traces.TraceEvent;
import dev.retier.traces.made.BurstPlan;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LineFormatsTest {
    private static final LineFormat CLF = new CommonLogFormat(LogMapping.AS_LOGGED);
    private static final String BEFORE = "host.example.com - - [01/Aug/1995:00:00:01 -0400] ";

    @Test
    void shouldReadAllFields_whenTheLineIsCommonLogFormat() {
        List<TraceEvent> events = read(
                CLF,
                BEFORE + "\"GET /images/a.gif HTTP/1.0\" 200 1839",
                "other - bob [01/Aug/1995:04:00:03 +0000] \"HEAD /cgi-bin/x?y=1 HTTP/1.0\" 304 -");

        assertThat(events.getFirst().target()).isEqualTo("/images/a.gif");
        assertThat(events.getFirst().sizeBytes()).isEqualTo(1839);
        assertThat(events.getFirst().requestClass()).isEqualTo(RequestClass.STATIC);
        assertThat(events.getLast())
                .isEqualTo(new TraceEvent(
                        2_000_000_000L,
                        RequestTargets.hash("other"),
                        "/cgi-bin/x?y=1",
                        RequestClass.DYNAMIC,
                        TraceEvent.UNKNOWN_SIZE,
                        RequestMethod.HEAD,
                        true,
                        0,
                        null));
    }

    /** Quirks of the public logs: no protocol, no method, spaces, quotes, odd protocols, referer and agent. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "\"GET /~scottp/publish.html\" 200 271|/~scottp/publish.html",
                "\"index.html\" 200 271|/index.html",
                "\"GET /a b.html HTTP/1.0\" 200 1|/a%20b.html",
                "\"GET /a\"b\" c HTTP/V1.0\" 404 -|/a%22b%22%20c",
                "\"GET http://www.x.com/y?z HTTP/1.0\" 200 1|/y?z",
                "\"GET / HTTP/1.1\" 200 1 \"http://ref/\" \"Mozilla (unterminated|/",
                "\"GET /\u00e4#x HTTP/1.0\" 200 1|/%E4%23x",
                "\"GET /100%25/%zz HTTP/1.0\" 200 1|/100%25/%25zz",
            })
    void shouldMakeASafeTarget_whenARequestIsOdd(String request, String target) {
        assertThat(read(CLF, BEFORE + request)).extracting(TraceEvent::target).containsExactly(target);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "no log line at all|no [time] \"request\"",
                "h - - [01/Aug/1995:00:00:01 -0400] \"GET / HTTP/1.0\"|no status and size",
                "h - - [01/Aug/1995:00:00:01 -0400] \"GET / HTTP/1.0\" 200 -5|no status and size",
                "h - - [32/Aug/1995:00:00:01 -0400] \"GET / HTTP/1.0\" 200 5|Invalid value for DayOfMonth",
                "h - - [01/Foo/1995:00:00:01 -0400] \"GET / HTTP/1.0\" 200 5|time is not",
                "h - - [01/Aug/9995:00:00:01 -0400] \"GET / HTTP/1.0\" 200 5|year 9995",
                "h - - [01/Aug/1995:00:00:01 -9900] \"GET / HTTP/1.0\" 200 5|Zone offset",
                "h - - [01/Aug/1995:00:00:01 -0400] \"\" 200 5|empty request",
            })
    void shouldSayWhy_whenALineMakesNoSense(String line, String reason) {
        assertThat(CLF.parse(line))
                .isInstanceOfSatisfying(
                        LineResult.Bad.class, bad -> assertThat(bad.reason()).contains(reason));
    }

    @Test
    void shouldEncodeCarriageReturns_whenAUrlHasThem() {
        assertThat(RequestTargets.safe("/a\r\nHost: evil\r\n\r\n")).isEqualTo("/a%0D%0AHost:%20evil%0D%0A%0D%0A");
        assertThat(RequestTargets.safe("*")).isEqualTo("/*");
        assertThat(RequestTargets.safe("http://host")).isEqualTo("/");
        assertThat(RequestTargets.safe("/\u20ac")).isEqualTo("/%E2%82%AC");
    }

    @Seeded(tries = 300)
    void shouldReachTheWireOnlyEscaped_whenLinesAreHostile(SplittableRandom random) {
        byte[] noise = new byte[random.nextInt(300)];
        random.nextBytes(noise);
        String junk = new String(noise, StandardCharsets.ISO_8859_1);
        for (LineFormat format : List.of(CLF, new TimeIdSizeFormat(new ClassRule.Share(0.5)), new CsvFormat())) {
            LineEvents events =
                    events(format, junk + "\n" + BEFORE + "\"GET /" + junk + " HTTP/1.0\" 200 1\n1 " + junk + " 5\n");
            for (TraceEvent event = events.next(); event != null; event = events.next()) {
                assertThat(TraceEvent.isWireSafe(event.target())).isTrue();
            }
            ReadReport report = events.report();
            assertThat(report.read()).isEqualTo(report.events() + report.bad() + report.notReplayed());
        }
    }

    @Test
    void shouldSkipAndGoOn_whenALineIsAMegabyteLong() {
        LineEvents events = events(
                CLF,
                BEFORE + "\"GET /" + "x".repeat(1 << 20) + " HTTP/1.0\" 200 1\n" + BEFORE + "\"GET /" + "y".repeat(9000)
                        + " HTTP/1.0\" 200 1\n" + BEFORE + "\"GET /z HTTP/1.0\" 200 1");

        assertThat(drain(events)).extracting(TraceEvent::target).containsExactly("/z");
        assertThat(events.report().samples())
                .containsExactly("line 1: longer than 65536 bytes", "line 2: URL is longer than 8192 bytes");
    }

    @Test
    void shouldReadTimeIdSize_whenLinesHaveExtraFieldsAndFractions() {
        List<TraceEvent> events = read(
                new TimeIdSizeFormat(ClassRule.AS_LOGGED),
                "# comment",
                "",
                "10 17 4096 3 5",
                "11.25\tabc\t1",
                "11 x -1");

        assertThat(events).hasSize(2);
        assertThat(events.getFirst().target()).matches("/static/o\\d+\\?size=4096");
        assertThat(events.getLast().offsetNanos()).isEqualTo(1_250_000_000L);
    }

    @Test
    void shouldLoseNothing_whenATraceGoesThroughOurText() throws IOException {
        Trace trace = GeneratedTrace.alternating(BurstPlan.of(50, 3, RequestClass.DYNAMIC), Catalogue.DEFAULT, 9);
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        long written = EventWriter.csv(trace, out).requests();

        LineEvents events = new LineEvents(
                "csv", new ByteArrayInputStream(out.toByteArray()), new CsvFormat(), ReplayedMethods.SAFE);
        assertThat(written).isEqualTo(150);
        try (EventStream original = trace.open()) {
            assertThat(drain(events)).isEqualTo(drain(original));
        }
        assertThat(events.report().isClean()).isTrue();
    }

    private static List<TraceEvent> read(LineFormat format, String... lines) {
        return drain(events(format, String.join("\r\n", lines)));
    }

    private static LineEvents events(LineFormat format, String text) {
        return new LineEvents(
                "t",
                new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)),
                format,
                ReplayedMethods.SAFE);
    }
}
