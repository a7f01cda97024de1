package dev.retier.load.trace.file;

import static dev.retier.load.trace.TraceReading.drain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.load.LoadException;
import dev.retier.load.trace.EventStream;
import dev.retier.load.trace.RequestClass;
import dev.retier.load.trace.Trace;
import dev.retier.load.trace.TraceEvent;
import dev.retier.load.trace.WorldCupRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** World Cup logs through {@link TraceFiles}. */
class WorldCupFileTest {
    @TempDir
    Path folder;

    @Test
    void shouldReadTheOfficialLog_whenItIsThere() {
        Path log = OfficialData.require("test_log.gz");

        Trace trace = scan(log, null);

        List<TraceEvent> events = drain(trace);
        assertThat(trace.eventCount()).hasValue(1000);
        assertThat(events).hasSize(1000);
        assertThat(events.getLast().offsetNanos()).isEqualTo((893973655L - 893971817L) * 1_000_000_000L);
        assertThat(events.stream().mapToLong(TraceEvent::clientId).max()).hasValue(34607);
        assertThat(events.getFirst().target()).startsWith("/static/o").endsWith("?size=24736");
    }

    @Test
    void shouldComeNearTheShare_whenTheOfficialLogIsSplitByHash() {
        Path log = OfficialData.require("test_log.gz");
        for (double share : new double[] {0, 0.1, 0.2, 0.5, 0.9, 1}) {
            List<TraceEvent> events = drain(scan(log, share));
            double dynamic = events.stream()
                            .filter(event -> event.requestClass() == RequestClass.DYNAMIC)
                            .count()
                    / 1000.0;
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
                    .isInstanceOf(LoadException.class)
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
