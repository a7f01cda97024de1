package dev.retier.traces.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.retier.traces.EventStream;
import dev.retier.traces.TraceException;
import dev.retier.traces.statistics.TraceStatistics;
import dev.retier.traces.text.CountSeries;
import dev.retier.traces.worldcup.WorldCupClfWriter;
import dev.retier.traces.worldcup.WorldCupObjects;
import dev.retier.traces.worldcup.WorldCupRecord;
import dev.retier.traces.worldcup.WorldCupStatistics;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceFilesTest {
    private static final Path SAMPLES = Path.of("samples");

    /** Of the lines in access.log: POST, and one that is none. */
    private static final int NOT_SAFE = 5;

    @TempDir
    Path folder;

    @Test
    void shouldPrintWhatTheSecondProgramPrints_whenItReadsALogOfTheWorldCup() throws IOException {
        try (InputStream in = TraceInput.open(SAMPLES.resolve("worldcup.log.gz"))) {
            assertThat(WorldCupStatistics.read(in).checklogText())
                    .isEqualTo(Files.readString(SAMPLES.resolve("worldcup.checklog")));
        }
    }

    @Test
    void shouldWriteWhatTheSecondProgramWrites_whenALogOfTheWorldCupBecomesCommonLogFormat() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (InputStream urls = TraceInput.open(SAMPLES.resolve("worldcup.mappings.gz"));
                InputStream in = TraceInput.open(SAMPLES.resolve("worldcup.log.gz"))) {
            WorldCupObjects objects = WorldCupObjects.read(urls);
            assertThat(objects.size()).isEqualTo(120);
            assertThat(new WorldCupClfWriter(objects, out).write(in)).isEqualTo(1000);
        }

        assertThat(out.toByteArray()).isEqualTo(Files.readAllBytes(SAMPLES.resolve("worldcup.clf")));
    }

    @Test
    void shouldReadTheSameRequests_whenALogIsInCommonLogFormat() {
        TraceStatistics statistics =
                TraceStatistics.of(TraceFiles.of(List.of(SAMPLES.resolve("worldcup.clf")), ReadOptions.AS_LOGGED));

        assertThat(statistics.reading().read()).isEqualTo(1000);
        assertThat(statistics.reading().notReplayed()).as("POST").isEqualTo(1);
        assertThat(statistics.spanSeconds()).isCloseTo(1299, within(1e-9));
        assertThat(statistics.reading().bad()).isZero();
    }

    @Test
    void shouldReadTheLogOfAWebServer_whenItHasFailuresAndOddLines() {
        TraceFiles trace = TraceFiles.of(List.of(SAMPLES.resolve("access.log")), ReadOptions.AS_LOGGED)
                .scan();
        TraceStatistics statistics = TraceStatistics.of(trace);

        assertThat(trace.format()).isEqualTo(TraceFormat.CLF);
        assertThat(statistics.reading().read()).isEqualTo(200);
        assertThat(statistics.reading().bad()).isZero();
        assertThat(statistics.reading().notReplayed())
                .as("POST, and who said nothing")
                .isEqualTo(NOT_SAFE);
        assertThat(statistics.reading().outOfOrder()).isPositive();
        assertThat(trace.eventCount()).hasValue(200 - NOT_SAFE);
    }

    @Test
    void shouldTakeEverySample_whenItsFormIsNotNamed() throws IOException {
        for (String sample : List.of("objects.txt", "requests.csv", "access.log", "worldcup.log.gz", "worldcup.clf")) {
            assertThat(TraceFiles.of(List.of(SAMPLES.resolve(sample)), ReadOptions.AS_LOGGED)
                            .scan()
                            .eventCount()
                            .orElseThrow())
                    .as(sample)
                    .isGreaterThan(90);
        }
        try (InputStream in = TraceInput.open(SAMPLES.resolve("counts.csv"))) {
            assertThat(CountSeries.read(in)).hasSize(120).contains(0L);
        }
    }

    @Test
    void shouldGuessTheFormat_whenOnlyTheBytesTell() throws IOException {
        assertThat(format("offset_ns,client,method,class,size_bytes,not_modified,segment,target\n"))
                .isEqualTo(TraceFormat.CSV);
        assertThat(format("# c\n10 17 4096\n")).isEqualTo(TraceFormat.TEXT);
        assertThat(format("h - - [01/Aug/1995:00:00:01 -0400] \"GET / HTTP/1.0\" 200 5\n"))
                .isEqualTo(TraceFormat.CLF);
        String line = "h - - [01/Aug/1995:00:00:01 -0400] \"GET / HTTP/1.0\" 200 5\n";
        assertThat(format("\0".repeat(2000) + line))
                .as("a log cut by copytruncate")
                .isEqualTo(TraceFormat.CLF);
        assertThat(format("\0".repeat(40))).isEqualTo(TraceFormat.WORLDCUP);
        assertThatThrownBy(() -> format("a".repeat(5000)))
                .isInstanceOf(TraceException.class)
                .hasMessageContaining("of no known form");
        assertThatThrownBy(() -> format("")).hasMessageContaining("it is empty");
    }

    @Test
    void shouldGoOnInTime_whenALogIsSplitIntoFiles() throws IOException {
        Path first = Files.writeString(folder.resolve("log_9"), "100 a 1\n102 b 1\n");
        Path second = Files.writeString(folder.resolve("log_10"), "105 c 1\n");

        TraceFiles trace = TraceFiles.of(TraceFiles.inNaturalOrder(List.of(second, first)), ReadOptions.AS_LOGGED);

        assertThat(trace.name()).isEqualTo("log_9 and 1 more");
        try (EventStream events = trace.open()) {
            long last = 0;
            for (var event = events.next(); event != null; event = events.next()) {
                last = event.offsetNanos();
            }
            assertThat(last).isEqualTo(5_000_000_000L);
            assertThat(events.report().events()).isEqualTo(3);
        }
    }

    @Test
    void shouldReadStandardInputOnce_whenItsFormatIsNamed() {
        ReadOptions named = new ReadOptions(TraceFormat.TEXT, null, Long.MAX_VALUE, true);
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream("1 a 5\n2 b 5\n".getBytes(StandardCharsets.US_ASCII)));
        try {
            TraceFiles trace = TraceFiles.of(List.of(TraceInput.STANDARD_INPUT), named);
            assertThat(TraceStatistics.of(trace).requests()).isEqualTo(2);
            assertThatThrownBy(trace::scan).hasMessageContaining("read once only");
        } finally {
            System.setIn(before);
        }
        assertThatThrownBy(() -> TraceFiles.of(List.of(TraceInput.STANDARD_INPUT), ReadOptions.AS_LOGGED))
                .hasMessageContaining("name it");
    }

    @Test
    void shouldSortAsPeopleNumber_whenNamesHaveNumbers() {
        assertThat(TraceFiles.inNaturalOrder(List.of(
                        Path.of("wc_day10_10.gz"), Path.of("wc_day9_1.gz"), Path.of("wc_day10_2.gz"), Path.of("a"))))
                .containsExactly(
                        Path.of("a"), Path.of("wc_day9_1.gz"), Path.of("wc_day10_2.gz"), Path.of("wc_day10_10.gz"));
    }

    @Test
    void shouldRefuseInOneLine_whenItIsNoTrace() throws IOException {
        Path text = Files.writeString(folder.resolve("poem"), "roses are red\n".repeat(3));

        assertThatThrownBy(() ->
                        TraceFiles.of(List.of(text), ReadOptions.AS_LOGGED).scan())
                .isInstanceOf(TraceException.class)
                .satisfies(e -> assertThat(e.getMessage())
                        .startsWith("trace " + text + ": its beginning is of no known form")
                        .doesNotContain("\n"));
        assertThatThrownBy(() -> TraceFiles.of(List.of(), ReadOptions.AS_LOGGED))
                .hasMessageContaining("no trace file");
    }

    @Test
    void shouldNameTheRecord_whenAnObjectHasNoUrl() throws IOException {
        byte[] log = new byte[20];
        new WorldCupRecord(0, 0, 7, 0, 0, 0x42, 1, 0).emit(log, 0);
        WorldCupObjects objects =
                WorldCupObjects.read(new ByteArrayInputStream("0 /a\rb c\n".getBytes(StandardCharsets.US_ASCII)));
        WorldCupClfWriter writer = new WorldCupClfWriter(objects, OutputStream.nullOutputStream());

        assertThatThrownBy(() -> writer.write(new ByteArrayInputStream(log)))
                .hasMessageContaining("record 0: object 7 is not in the mapping");
    }

    @Test
    void shouldPrintNothing_whenTheLogIsEmpty() throws IOException {
        WorldCupStatistics empty = WorldCupStatistics.read(InputStream.nullInputStream());

        assertThat(empty.checklogText()).isEmpty();
        assertThat(empty.meanSizeBytes()).isZero();
    }

    private TraceFormat format(String start) throws IOException {
        Path file = Files.writeString(folder.resolve("some"), start, StandardCharsets.ISO_8859_1);
        return TraceFiles.of(List.of(file), ReadOptions.AS_LOGGED).format();
    }
}
