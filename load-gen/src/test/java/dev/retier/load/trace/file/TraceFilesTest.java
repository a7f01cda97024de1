package dev.retier.load.trace.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.retier.load.LoadException;
import dev.retier.load.trace.EventStream;
import dev.retier.load.trace.TraceStatistics;
import dev.retier.load.trace.WorldCupClfWriter;
import dev.retier.load.trace.WorldCupObjects;
import dev.retier.load.trace.WorldCupRecord;
import dev.retier.load.trace.WorldCupStatistics;
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
    @TempDir
    Path folder;

    @Test
    void shouldPrintWhatChecklogPrints_whenGivenTheOfficialLog() throws IOException {
        Path log = OfficialData.require("test_log.gz");
        Path expected = OfficialData.require("test_log.check");

        try (InputStream in = TraceInput.open(log)) {
            assertThat(WorldCupStatistics.read(in).checklogText()).isEqualTo(Files.readString(expected));
        }
    }

    @Test
    void shouldWriteWhatRecreateWrites_whenGivenTheOfficialLog() throws IOException {
        Path log = OfficialData.require("test_log.gz");
        Path mapping = OfficialData.require("object_mappings.sort.gz");
        Path expected = OfficialData.require("test_log.recreate.clf");
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        try (InputStream urls = TraceInput.open(mapping);
                InputStream in = TraceInput.open(log)) {
            WorldCupObjects objects = WorldCupObjects.read(urls);
            assertThat(objects.size()).isEqualTo(89_997);
            assertThat(new WorldCupClfWriter(objects, out).write(in)).isEqualTo(1000);
        }

        assertThat(out.toByteArray()).isEqualTo(Files.readAllBytes(expected));
    }

    @Test
    void shouldReadTheRecreatedLog_whenItIsCommonLogFormat() throws IOException {
        Path clf = OfficialData.require("test_log.recreate.clf");

        TraceStatistics statistics = TraceStatistics.of(TraceFiles.of(List.of(clf), ReadOptions.AS_LOGGED));

        assertThat(statistics.requests()).isEqualTo(1000);
        assertThat(statistics.bytes()).isEqualTo(5_410_216);
        assertThat(statistics.spanSeconds()).isCloseTo(1838, within(1e-9));
        assertThat(statistics.reading().bad()).isZero();
    }

    @Test
    void shouldReadTheNasaLog_whenItIsThere() {
        Path nasa = OfficialData.require("../clf/nasa_aug95_72min.log");

        TraceFiles trace = TraceFiles.of(List.of(nasa), ReadOptions.AS_LOGGED).scan();
        TraceStatistics statistics = TraceStatistics.of(trace);

        assertThat(trace.format()).isEqualTo(TraceFormat.CLF);
        assertThat(statistics.reading().read()).isEqualTo(1880);
        assertThat(statistics.reading().bad()).isZero();
        assertThat(statistics.spanSeconds() / 60).isCloseTo(72, within(1.0));
        assertThat(statistics.peakPerSecond()).isGreaterThan(1);
        assertThat(statistics.zipfSlope()).isBetween(-1.5, -0.5);
    }

    @Test
    void shouldGuessTheFormat_whenOnlyTheBytesTell() throws IOException {
        assertThat(format("offset_ns,client,method,class,size_bytes,not_modified,segment,target\n"))
                .isEqualTo(TraceFormat.CSV);
        assertThat(format("# c\n10 17 4096\n")).isEqualTo(TraceFormat.TEXT);
        assertThat(format("h - - [01/Aug/1995:00:00:01 -0400] \"GET / HTTP/1.0\" 200 5\n"))
                .isEqualTo(TraceFormat.CLF);
        assertThat(format("\0\0\0\0")).isEqualTo(TraceFormat.WORLDCUP);
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
                .isInstanceOf(LoadException.class)
                .satisfies(e -> assertThat(e.getMessage())
                        .startsWith("trace " + text + ": no ")
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
