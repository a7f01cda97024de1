package dev.retier.traces.worldcup;

import static dev.retier.traces.TraceReading.drain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.retier.testsupport.Seeded;
import dev.retier.traces.ClassRule;
import dev.retier.traces.EventStream;
import dev.retier.traces.ReadReport;
import dev.retier.traces.RequestClass;
import dev.retier.traces.RequestMethod;
import dev.retier.traces.TraceEvent;
import dev.retier.traces.TraceException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WorldCupEventsTest {
    private static final int OK = 0x42;
    private static final int NOT_MODIFIED = 0x4D;
    private static final int IMAGE = 1;
    private static final int DYNAMIC = 6;

    @Test
    void shouldMakeUrlsByTypeAndSize_whenRecordsAreSound() {
        byte[] bytes = bytes(
                new WorldCupRecord(1000, 7, 12, 500, 0, OK, IMAGE, 0),
                new WorldCupRecord(1002, 8, 13, 90, 1, OK, DYNAMIC, 0));

        List<TraceEvent> events = all(bytes, WorldCupMapping.AS_LOGGED);

        assertThat(events)
                .containsExactly(
                        new TraceEvent(
                                0,
                                7,
                                "/static/o12?size=500",
                                RequestClass.STATIC,
                                500,
                                RequestMethod.GET,
                                false,
                                0,
                                null),
                        new TraceEvent(
                                2_000_000_000L,
                                8,
                                "/dynamic/o13?size=90",
                                RequestClass.DYNAMIC,
                                90,
                                RequestMethod.HEAD,
                                false,
                                0,
                                null));
    }

    @Test
    void shouldAskForTheKnownUrl_whenTheAnswerWas304() {
        byte[] bytes = bytes(
                new WorldCupRecord(1, 0, 5, WorldCupRecord.NO_SIZE, 0, NOT_MODIFIED, IMAGE, 0),
                new WorldCupRecord(1, 0, 5, 77, 0, OK, IMAGE, 0),
                new WorldCupRecord(1, 0, 5, 0, 0, NOT_MODIFIED, IMAGE, 0));

        assertThat(all(bytes, WorldCupMapping.AS_LOGGED))
                .extracting(TraceEvent::target, TraceEvent::conditional)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("/static/o5?size=0", true),
                        org.assertj.core.groups.Tuple.tuple("/static/o5?size=77", false),
                        org.assertj.core.groups.Tuple.tuple("/static/o5?size=77", true));
    }

    @Test
    void shouldSkipAndCountWithSamples_whenRecordsAreBadOrUnsafeOrCut() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(bytes(
                new WorldCupRecord(100, 0, 1, 1, 0, OK, IMAGE, 0),
                new WorldCupRecord(100, 0, 1, 1, 9, OK, IMAGE, 0),
                new WorldCupRecord(100, 0, 1, 1, 2, OK, IMAGE, 0),
                new WorldCupRecord(90, 0, 1, 1, 0, OK, IMAGE, 0)));
        out.writeBytes(new byte[19]);
        WorldCupEvents events = events(out.toByteArray(), WorldCupMapping.AS_LOGGED);

        List<TraceEvent> read = drain(events);

        assertThat(read).hasSize(2).allMatch(event -> event.offsetNanos() == 0);
        assertThat(events.report())
                .isEqualTo(new ReadReport(
                        4,
                        2,
                        1,
                        1,
                        1,
                        19,
                        List.of(
                                "record 1: method 9 is not 0..8",
                                "record 4: only 19 of 20 bytes, the file is cut short")));
    }

    @Test
    void shouldKeepOnlyAFewSamples_whenEverythingIsBad() {
        byte[] garbage = new byte[20 * 1000];
        Arrays.fill(garbage, (byte) 0xFF);
        WorldCupEvents events = events(garbage, WorldCupMapping.AS_LOGGED);

        assertThat(drain(events)).isEmpty();
        assertThat(events.report().bad()).isEqualTo(1000);
        assertThat(events.report().samples()).hasSize(ReadReport.MAX_SAMPLES);
    }

    @Seeded(tries = 50)
    void shouldAccountForEveryByte_whenInputIsHostile(SplittableRandom random) {
        byte[] bytes = new byte[random.nextInt(2000)];
        random.nextBytes(bytes);
        WorldCupEvents events = events(bytes, WorldCupMapping.AS_LOGGED);

        List<TraceEvent> read = drain(events);

        ReadReport report = events.report();
        assertThat(report.read() * 20 + report.truncatedTailBytes()).isEqualTo(bytes.length);
        assertThat(report.read()).isEqualTo(report.events() + report.bad() + report.notReplayed());
        assertThat(read).hasSize((int) report.events());
    }

    @Test
    void shouldReachTheShareByObject_whenItIsGiven() {
        WorldCupRecord[] records = new WorldCupRecord[20_000];
        for (int i = 0; i < records.length; i++) {
            records[i] = new WorldCupRecord(1, 0, i % 10_000, 1, 0, OK, IMAGE, 0);
        }

        List<TraceEvent> events = all(bytes(records), new WorldCupMapping(new ClassRule.Share(0.3), Long.MAX_VALUE));

        double share = events.stream()
                        .filter(event -> event.requestClass() == RequestClass.DYNAMIC)
                        .count()
                / (double) events.size();
        assertThat(share).isCloseTo(0.3, within(0.02));
        assertThat(events.subList(0, 10_000))
                .extracting(TraceEvent::target)
                .isEqualTo(events.subList(10_000, 20_000).stream()
                        .map(TraceEvent::target)
                        .toList());
    }

    @Test
    void shouldAskForTheUrlOfThisRecord_whenTheObjectWasAskedForBeforeInAnotherWay() {
        long far = SyntheticTargets.MAX_OBJECTS;
        byte[] bytes = bytes(
                new WorldCupRecord(1, 0, 5, 70, 0, OK, IMAGE, 0),
                new WorldCupRecord(1, 0, 5, 70, 0, OK, DYNAMIC, 0),
                new WorldCupRecord(1, 0, 5, 80, 0, OK, DYNAMIC, 0),
                new WorldCupRecord(1, 0, far - 1, 1, 0, OK, IMAGE, 0),
                new WorldCupRecord(1, 0, far, 1, 0, OK, IMAGE, 0),
                new WorldCupRecord(1, 0, far, 2, 0, OK, IMAGE, 0));

        assertThat(all(bytes, WorldCupMapping.AS_LOGGED))
                .extracting(TraceEvent::target)
                .containsExactly(
                        "/static/o5?size=70",
                        "/dynamic/o5?size=70",
                        "/dynamic/o5?size=80",
                        "/static/o131071?size=1",
                        "/static/o131072?size=1",
                        "/static/o131072?size=2");
    }

    @Test
    void shouldCutSizes_whenTheyExceedTheMaximum() {
        byte[] bytes = bytes(new WorldCupRecord(1, 0, 1, 64_219_310, 0, OK, IMAGE, 0));

        assertThat(all(bytes, new WorldCupMapping(ClassRule.AS_LOGGED, 1000)))
                .singleElement()
                .extracting(TraceEvent::target)
                .isEqualTo("/static/o1?size=1000");
    }

    @Test
    void shouldRefuse_whenTheShareIsOutOfRange() {
        assertThatThrownBy(() -> new ClassRule.Share(1.01)).hasMessageContaining("within 0..1");
        assertThatThrownBy(() -> new ClassRule.Share(Double.NaN)).hasMessageContaining("within 0..1");
    }

    @Test
    void shouldNameTheInputAndTheRemedy_whenReadingFails() {
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("disk on fire");
            }

            @Override
            public int read(byte[] to, int from, int length) throws IOException {
                return read();
            }
        };
        EventStream events = new WorldCupEvents("a.gz", broken, WorldCupMapping.AS_LOGGED);

        assertThatThrownBy(events::next)
                .isInstanceOf(TraceException.class)
                .hasMessage("trace a.gz: cannot be read past record 0 (disk on fire);"
                        + " fetch the file again or repair it with gzip -t");
    }

    static byte[] bytes(WorldCupRecord... records) {
        byte[] bytes = new byte[records.length * WorldCupRecord.LENGTH_BYTES];
        for (int i = 0; i < records.length; i++) {
            records[i].emit(bytes, i * WorldCupRecord.LENGTH_BYTES);
        }
        return bytes;
    }

    private static List<TraceEvent> all(byte[] bytes, WorldCupMapping mapping) {
        return drain(events(bytes, mapping));
    }

    private static WorldCupEvents events(byte[] bytes, WorldCupMapping mapping) {
        return new WorldCupEvents("test", new ByteArrayInputStream(bytes), mapping);
    }
}
