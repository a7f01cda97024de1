package dev.retier.traces;

import static dev.retier.traces.TraceReading.drain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.traces.text.CommonLogFormat;
import dev.retier.traces.text.CsvFormat;
import dev.retier.traces.text.LineEvents;
import dev.retier.traces.text.LineFormat;
import dev.retier.traces.text.LineResult;
import dev.retier.traces.text.LogMapping;
import dev.retier.traces.worldcup.WorldCupEvents;
import dev.retier.traces.worldcup.WorldCupMapping;
import dev.retier.traces.worldcup.WorldCupObjects;
import dev.retier.traces.worldcup.WorldCupRecord;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Requests that are more than a GET of a made-up URL: bodies, other methods, the URLs of the real site. */
class RealRequestsTest {
    private static final LineFormat CLF = new CommonLogFormat(LogMapping.AS_LOGGED);
    private static final String BEFORE = "host.example.com - - [01/Aug/1995:00:00:01 -0400] ";
    private static final int OK = 0x42;
    private static final int IMAGE = 1;

    @Test
    void shouldKeepBodies_whenATraceGoesThroughCsv() {
        TraceEvent post = new TraceEvent(0, 1, "/a,b,/c", RequestClass.DYNAMIC, -1, RequestMethod.POST, false, 2, null)
                .withBody(new RequestBody("text/plain; charset=utf-8", "a,b\n\u0000".getBytes(StandardCharsets.UTF_8)));
        TraceEvent empty = new TraceEvent(0, 2, "/x/y,z,w", RequestClass.STATIC, 5, RequestMethod.PUT, true, 3, null);

        assertThat(all(CsvFormat.HEADING, CsvFormat.line(post), CsvFormat.line(empty)))
                .containsExactly(post, empty);
    }

    @Test
    void shouldTakeCommasForTheTargets_whenThereIsNoBody() {
        assertThat(all(CsvFormat.HEADING, "0,1,GET,STATIC,5,0,0,/a,text/plain,aGk=,/b"))
                .containsExactly(new TraceEvent(
                        0, 1, "/a,text/plain,aGk=,/b", RequestClass.STATIC, 5, RequestMethod.GET, false, 0, null));
    }

    @Test
    void shouldSkip_whenABodyMakesNoSense() {
        String tooLong = Base64.getEncoder().encodeToString(new byte[RequestBody.MAX_BYTES + 1]);
        for (String body : List.of("text/plain,a", "text,aGk=", "text/plain\r,aGk=", "text/plain," + tooLong)) {
            assertThat(new CsvFormat().parse("0,1,POST,DYNAMIC,5,0,0," + body + ",/a"))
                    .as(body.substring(0, 9))
                    .isInstanceOf(LineResult.Bad.class);
        }
    }

    @Test
    void shouldLeaveOutUnsafeMethods_unlessAllAreWanted() {
        String[] lines = {
            BEFORE + "\"POST /a HTTP/1.0\" 200 1",
            BEFORE + "\"CONNECT b:443 HTTP/1.0\" 200 1",
            BEFORE + "\"GET /c HTTP/1.0\" 200 1"
        };

        assertThat(read(CLF, ReplayedMethods.SAFE, lines))
                .extracting(TraceEvent::target)
                .containsExactly("/c");
        assertThat(read(CLF, ReplayedMethods.ALL, lines))
                .extracting(TraceEvent::method)
                .containsExactly(RequestMethod.POST, RequestMethod.GET);
    }

    @Test
    void shouldRefuseTypes_whenTheyCouldEndAField() {
        for (String type : List.of("", "text", "text/", "text/a\r\nX: y", "text/a,b", "text/a;\n")) {
            assertThatThrownBy(() -> new RequestBody(type, new byte[0])).hasMessageContaining("content type");
        }
    }

    @Test
    void shouldWeighMore_whenBodiesTakeMemory() {
        TraceEvent event = new TraceEvent(0, 1, "/", RequestClass.DYNAMIC, -1, RequestMethod.POST, false, 0, null);

        assertThat(event.weight()).isEqualTo(1);
        assertThat(event.withBody(new RequestBody("a/b", new byte[1])).weight()).isEqualTo(2);
        assertThat(event.withBody(new RequestBody("a/b", new byte[RequestBody.MAX_BYTES]))
                        .weight())
                .isEqualTo(1 + RequestBody.MAX_BYTES / 1024);
    }

    @Test
    void shouldAskForTheSitesOwnUrls_whenTheyAreKnown() throws IOException {
        WorldCupObjects objects = WorldCupObjects.read(new ByteArrayInputStream(
                "0 /images/a.gif\n1 http://www.france98.com/b\u00e9 x\n3 /c\n".getBytes(StandardCharsets.ISO_8859_1)));
        byte[] records = new byte[5 * WorldCupRecord.LENGTH_BYTES];
        for (int id = 0; id < 5; id++) {
            int method = id == 3 ? 2 : 0;
            new WorldCupRecord(id, 7, id, 500, method, OK, IMAGE, 0).emit(records, id * WorldCupRecord.LENGTH_BYTES);
        }
        WorldCupEvents safe = worldCup(records, objects, ReplayedMethods.SAFE);
        WorldCupEvents all = worldCup(records, objects, ReplayedMethods.ALL);

        assertThat(drain(safe)).extracting(TraceEvent::target).containsExactly("/images/a.gif", "/b%E9");
        assertThat(drain(all)).extracting(TraceEvent::target).containsExactly("/images/a.gif", "/b%E9", "/c");
        assertThat(safe.report().bad()).isEqualTo(2);
        assertThat(safe.report().notReplayed()).isEqualTo(1);
        assertThat(safe.report().samples())
                .containsExactly("record 2: no URL is known for object 2", "record 4: no URL is known for object 4");
    }

    private static WorldCupEvents worldCup(byte[] records, WorldCupObjects objects, ReplayedMethods methods) {
        return new WorldCupEvents(
                "t",
                new ByteArrayInputStream(records),
                new WorldCupMapping(ClassRule.AS_LOGGED, Long.MAX_VALUE, objects, methods));
    }

    private static List<TraceEvent> all(String... lines) {
        return read(new CsvFormat(), ReplayedMethods.ALL, lines);
    }

    private static List<TraceEvent> read(LineFormat format, ReplayedMethods methods, String... lines) {
        byte[] text = String.join("\n", lines).getBytes(StandardCharsets.ISO_8859_1);
        return drain(new LineEvents("t", new ByteArrayInputStream(text), format, methods));
    }

    @Test
    void shouldKeepEveryByte_whenABodyGoesThroughCsv() {
        byte[] bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        TraceEvent post = new TraceEvent(0, 1, "/a", RequestClass.DYNAMIC, -1, RequestMethod.POST, false, 0, null)
                .withBody(new RequestBody("image/png", bytes));

        assertThat(all(CsvFormat.HEADING, CsvFormat.line(post))).containsExactly(post);
    }
}
