package dev.retier.traces.file;

import static dev.retier.traces.TraceReading.drain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.traces.EventStream;
import dev.retier.traces.ReplayedMethods;
import dev.retier.traces.RequestClass;
import dev.retier.traces.Trace;
import dev.retier.traces.TraceEvent;
import dev.retier.traces.TraceException;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import dev.retier.traces.text.EventWriter;
import dev.retier.traces.worldcup.WorldCupRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** World Cup logs through {@link TraceFiles}. */
class WorldCupFileTest {
    private static final Path LOG = Path.of("samples/worldcup.log.gz");
    private static final ReadOptions ALL =
            new ReadOptions(TraceFormat.WORLDCUP, null, Long.MAX_VALUE, true, null, ReplayedMethods.ALL);

    @TempDir
    Path folder;

    @Test
    void shouldReadEveryRequest_whenALogHasPauses() {
        List<TraceEvent> events = drain(TraceFiles.of(List.of(LOG), ALL).scan());

        assertThat(events).hasSize(1000);
        assertThat(events.getLast().offsetNanos()).isEqualTo(1299L * 1_000_000_000L);
        assertThat(events.stream().mapToLong(TraceEvent::clientId).max()).hasValue(2814);
        List<Long> gaps = IntStream.range(1, events.size())
                .mapToObj(i -> events.get(i).offsetNanos() - events.get(i - 1).offsetNanos())
                .sorted(Comparator.reverseOrder())
                .toList();
        assertThat(gaps.subList(0, 2)).containsExactly(78_000_000_000L, 68_000_000_000L);
    }

    @Test
    void shouldComeNearTheShare_whenALogIsSplitByHash() throws IOException {
        Path log = folder.resolve("made.txt");
        try (OutputStream out = Files.newOutputStream(log)) {
            EventWriter.text(GeneratedTrace.mixed(5000, 0, Catalogue.DEFAULT, 7), out);
        }
        for (double share : new double[] {0, 0.1, 0.2, 0.5, 0.9, 1}) {
            List<TraceEvent> events = drain(scan(log, share));
            double dynamic = events.stream()
                            .filter(event -> event.requestClass() == RequestClass.DYNAMIC)
                            .count()
                    / (double) events.size();
            assertThat(dynamic).as("wanted %s", share).isBetween(share - 0.02, share + 0.02);
        }
    }

    @Test
    void shouldReadAllMembers_whenGzipFilesAreConcatenated() throws IOException {
        byte[] member = gzip(sound(300));
        ByteArrayOutputStream three = new ByteArrayOutputStream();
        for (int i = 0; i < 3; i++) {
            three.writeBytes(member);
        }
        Path file = Files.write(folder.resolve("no-gz-in-the-name"), three.toByteArray());

        assertThat(drain(scan(file, null))).hasSize(900);
    }

    @Test
    void shouldGoByTheBytes_whenTheNameLies() throws IOException {
        Path raw = Files.write(folder.resolve("raw.gz"), sound(10));

        assertThat(drain(scan(raw, null))).hasSize(10);
    }

    @Test
    void shouldReportTheTail_whenARawFileIsCutInARecord() throws IOException {
        Path file = Files.write(folder.resolve("cut"), Arrays.copyOf(sound(10), 195));

        try (EventStream events = scan(file, null).open()) {
            while (events.next() != null) {
                // Only the report matters here.
            }
            assertThat(events.report().events()).isEqualTo(9);
            assertThat(events.report().truncatedTailBytes()).isEqualTo(15);
        }
    }

    @Test
    void shouldNameFileAndRemedyInOneLine_whenTheFileCannotBeUsed() throws IOException {
        byte[] gzip = gzip(sound(5000));
        Path cutGzip = Files.write(folder.resolve("cut.gz"), Arrays.copyOf(gzip, gzip.length / 2));
        Path cutHeader = Files.write(folder.resolve("header.gz"), Arrays.copyOf(gzip, 5));
        Path text = Files.writeString(folder.resolve("text"), "GET / HTTP/1.0 and so on\n".repeat(100));
        Path empty = Files.write(folder.resolve("empty"), new byte[0]);
        Path missing = folder.resolve("missing");

        for (Path file : List.of(cutGzip, cutHeader, text, empty, missing, folder)) {
            assertThatThrownBy(() -> scan(file, null))
                    .isInstanceOf(TraceException.class)
                    .satisfies(e -> assertThat(e.getMessage())
                            .startsWith("trace " + file + ": ")
                            .contains(";")
                            .doesNotContain("\n"));
        }
    }

    private static Trace scan(Path file, @Nullable Double share) {
        return TraceFiles.of(List.of(file), new ReadOptions(null, share, Long.MAX_VALUE, true))
                .scan();
    }

    private static byte[] sound(int records) {
        byte[] bytes = new byte[records * WorldCupRecord.LENGTH_BYTES];
        for (int i = 0; i < records; i++) {
            new WorldCupRecord(1000 + i, i, i * 7919 % 1000, i, 0, 0x42, 1, 0)
                    .emit(bytes, i * WorldCupRecord.LENGTH_BYTES);
        }
        return bytes;
    }

    private static byte[] gzip(byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
