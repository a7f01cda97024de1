package dev.retier.load.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.load.LoadException;
import dev.retier.load.measure.Attempt;
import dev.retier.load.measure.FailureKind;
import dev.retier.load.measure.Held;
import dev.retier.load.measure.Outcome;
import dev.retier.load.measure.Work;
import dev.retier.traces.RequestClass;
import dev.retier.traces.RequestMethod;
import dev.retier.traces.TraceEvent;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class RequestFileTest {
    private static final Path CSV = Path.of("requests.csv");
    private static final Work WORK = Work.due(
                    new TraceEvent(
                            0, 7, "/a?q=\"1\",\\2", RequestClass.DYNAMIC, -1, RequestMethod.POST, false, 3, null),
                    1_000)
            .late(10)
            .rested(20);
    private static final Outcome GOOD = new Attempt(WORK, "127.0.0.1:80", 1_500, 9_000).answered(201, 42);

    /** A disk that takes nothing until it is told to, or that is full. */
    private static final class Disk extends OutputStream {
        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private final CountDownLatch free = new CountDownLatch(1);
        private boolean isFull;

        @Override
        public void write(int b) {
            throw new UnsupportedOperationException("one byte at a time");
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            try {
                free.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            if (isFull) {
                throw new IOException("No space left on device");
            }
            taken.write(bytes, offset, length);
        }
    }

    @Test
    void shouldWriteEachRequestAsALine_whenAFileIsWanted(@TempDir Path folder) throws IOException {
        Path csv = folder.resolve("r.csv");
        Path jsonl = folder.resolve("r.jsonl");
        for (Path path : new Path[] {csv, jsonl}) {
            try (RequestFile file = RequestFile.create(path)) {
                RequestFile.Part part = file.newPart("shop");
                part.add(GOOD);
                part.add(new Attempt(WORK, "127.0.0.1:80", 1_500, 2_000).failed(FailureKind.RESET));
                part.add(new Attempt(WORK, "", 4_000, 4_000).dropped(77));
                part.add(new Attempt(WORK, "127.0.0.1:80", 1_500, 9_000)
                        .failed(FailureKind.STREAM_ENDED, 200, 0)
                        .of(new Held(2_000, 3_000, 5, 42)));
                part.flush();
            }
        }

        assertThat(Files.readAllLines(csv))
                .containsExactly(
                        "site,due_ns,own_ns,sent_ns,end_ns,latency_ns,outcome,status,body_bytes,class,segment,target,"
                                + "method,url,opened_ns,first_ns,events",
                        "shop,1000,30,1500,9000,8000,GOOD,201,42,DYNAMIC,3,127.0.0.1:80,POST,\"/a?q=\"\"1\"\",\\2\",,,",
                        "shop,1000,30,1500,2000,1000,RESET,0,0,DYNAMIC,3,127.0.0.1:80,POST,\"/a?q=\"\"1\"\",\\2\",,,",
                        "shop,1000,30,4000,4000,77,DROPPED,0,0,DYNAMIC,3,,POST,\"/a?q=\"\"1\"\",\\2\",,,",
                        "shop,1000,30,1500,9000,1000,STREAM_ENDED,200,42,DYNAMIC,3,127.0.0.1:80,POST,"
                                + "\"/a?q=\"\"1\"\",\\2\",2000,3000,5");
        assertThat(Files.readAllLines(jsonl))
                .hasSize(4)
                .first()
                .isEqualTo("{\"site\":\"shop\",\"due_ns\":1000,\"own_ns\":30,\"sent_ns\":1500,\"end_ns\":9000,"
                        + "\"latency_ns\":8000,\"outcome\":\"GOOD\",\"status\":201,\"body_bytes\":42,"
                        + "\"class\":\"DYNAMIC\",\"segment\":3,\"target\":\"127.0.0.1:80\",\"method\":\"POST\","
                        + "\"url\":\"/a?q=\\\"1\\\",\\\\2\"}");
    }

    @Test
    void shouldSayThatTheDiskIsTooSlowAndLoseNoLine_whenItFallsBehind() {
        Disk disk = new Disk();
        RequestFile file = RequestFile.create(CSV, disk, 3L * RequestFile.PART_CHARACTERS);
        RequestFile.Part part = file.newPart("shop");
        int lines = 0;
        while (file.problem() == null) {
            part.add(GOOD);
            lines++;
        }
        part.add(GOOD);
        part.flush();
        disk.free.countDown();

        assertThat(lines).isLessThan(5000);
        assertThatThrownBy(file::close)
                .isInstanceOf(LoadException.class)
                .hasMessageContaining("requests.csv is too slow")
                .hasMessageContaining("faster disk");
        assertThat(disk.taken.toString(StandardCharsets.UTF_8).lines()).hasSize(1 + lines + 1);
    }

    @Test
    void shouldSayWhy_whenTheDiskIsFull() {
        Disk disk = new Disk();
        disk.isFull = true;
        disk.free.countDown();
        RequestFile file = RequestFile.create(CSV, disk, 1 << 20);

        assertThatThrownBy(file::close)
                .hasMessage(
                        "requests.csv: cannot be written (No space left on device); name another file; its last line is"
                                + " whole, and requests after that are not in it");
    }

    @Test
    void shouldEndWithAWholeLine_whenTheDiskIsFullInTheMiddleOfOne(@TempDir Path folder) throws IOException {
        Path csv = folder.resolve("requests.csv");
        OutputStream disk = Files.newOutputStream(csv);
        RequestFile file = RequestFile.create(csv, new Small(disk, 2 * RequestFile.PART_CHARACTERS), 1 << 24);
        RequestFile.Part part = file.newPart("shop");
        for (int i = 0; i < 10_000; i++) {
            part.add(GOOD);
        }
        part.flush();

        assertThatThrownBy(file::close).hasMessageContaining("No space left on device");
        String written = Files.readString(csv);
        assertThat(written).endsWith("\n").hasSizeLessThan(2 * RequestFile.PART_CHARACTERS);
        assertThat(written.lines().skip(1).distinct())
                .as("all lines are the same")
                .hasSize(1);
    }

    /** A disk with room for so many bytes: what fits of a write is written, then it fails. */
    private static final class Small extends FilterOutputStream {
        private int left;

        Small(OutputStream out, int left) {
            super(out);
            this.left = left;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            int taken = Math.min(left, length);
            out.write(bytes, offset, taken);
            left -= taken;
            if (taken < length) {
                throw new IOException("No space left on device");
            }
        }
    }

    @Test
    void shouldRefuse_whenTheFolderIsMissing(@TempDir Path folder) {
        assertThatThrownBy(() -> RequestFile.create(folder.resolve("no/such.csv")))
                .hasMessageEndingWith("cannot be written (no such file or folder); name another file");
    }
}
