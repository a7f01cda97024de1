package dev.retier.load.record;

import dev.retier.config.IoReason;
import dev.retier.load.LoadException;
import dev.retier.load.measure.Outcome;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file with a line for each request of one run or of several at once. A thread of its own writes; senders never wait
 * for the disk. When it falls too far behind, or cannot write, {@link #problem()} says so, and the run has to end: what
 * was handed in is still written, as far as the disk takes it, so that no line is missing in between. Thread-safe.
 */
public final class RequestFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RequestFile.class);
    /** Characters of a part before they are handed to the writer. */
    static final int PART_CHARACTERS = 1 << 16;

    private static final long BEHIND_CHARACTERS = 1L << 26;

    private final Path path;
    private final OutputStream out;
    private final RequestFormat format;
    private final long mostBehind;
    private final Thread writer;
    /** Guarded by this, as is all that follows. */
    private final ArrayDeque<String> waiting = new ArrayDeque<>();

    private long waitingCharacters;
    private boolean isClosed;
    private @Nullable String problem;

    private RequestFile(Path path, OutputStream out, RequestFormat format, long mostBehind) {
        this.path = path;
        this.out = out;
        this.format = format;
        this.mostBehind = mostBehind;
        this.writer = Thread.ofPlatform().daemon().name("load-requests").unstarted(this::writeAll);
    }

    /**
     * Begins {@code path} anew.
     *
     * @throws LoadException when it cannot be written
     */
    public static RequestFile create(Path path) {
        try {
            return create(path, Files.newOutputStream(path), BEHIND_CHARACTERS);
        } catch (IOException e) {
            throw cannot(path, e);
        }
    }

    /** For {@code out}, which is closed with it; at most {@code mostBehind} characters may wait. */
    static RequestFile create(Path path, OutputStream out, long mostBehind) {
        RequestFormat format = RequestFormat.of(path.toString());
        RequestFile made = new RequestFile(path, out, format, mostBehind);
        made.hand(format.heading());
        made.writer.start();
        return made;
    }

    /** For one sender of {@code site}. */
    public Part newPart(String site) {
        return new Part(site);
    }

    /** Why no run should go on that is written here; null when all is well. */
    public synchronized @Nullable String problem() {
        return problem;
    }

    /**
     * Writes what was handed in, and closes the file.
     *
     * @throws LoadException when not all of it could be written
     */
    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
            notifyAll();
        }
        try {
            writer.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failed("waiting for the last lines of " + path + " was interrupted");
        }
        String trouble = problem();
        if (trouble != null) {
            throw new LoadException(trouble);
        }
    }

    private synchronized void hand(String lines) {
        waiting.add(lines);
        waitingCharacters += lines.length();
        if (waitingCharacters > mostBehind && problem == null) {
            problem = "the disk of " + path + " is too slow for a line per request: " + waitingCharacters / (1 << 20)
                    + " MiB wait to be written; the run ended with the last line there; name a file on a faster disk,"
                    + " or send less";
        }
        notifyAll();
    }

    private synchronized @Nullable String next() throws InterruptedException {
        while (waiting.isEmpty() && !isClosed) {
            wait();
        }
        String lines = waiting.poll();
        if (lines != null) {
            waitingCharacters -= lines.length();
        }
        return lines;
    }

    private void writeAll() {
        long wholeBytes = 0;
        try (out) {
            for (String lines = next(); lines != null; lines = next()) {
                byte[] bytes = lines.getBytes(StandardCharsets.UTF_8);
                out.write(bytes);
                wholeBytes += bytes.length;
            }
        } catch (IOException e) {
            cutTo(wholeBytes);
            failed(cannot(path, e).getMessage() + "; its last line is whole, and requests after that are not in it");
        } catch (InterruptedException e) {
            failed("writing " + path + " was interrupted");
        } catch (RuntimeException | Error e) {
            failed("writing " + path + " failed (" + e + "); please report this");
        }
    }

    /** What a full disk has left of a line would only mislead. */
    private void cutTo(long wholeBytes) {
        if (Files.isRegularFile(path)) {
            try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
                file.truncate(wholeBytes);
            } catch (IOException e) {
                LOG.warn("{} may end in the middle of a line: {}", path, IoReason.of(e));
            }
        }
    }

    private synchronized void failed(String trouble) {
        problem = trouble;
    }

    private static LoadException cannot(Path path, IOException e) {
        return new LoadException(path + ": cannot be written (" + IoReason.of(e) + "); name another file");
    }

    /** What one sender writes. On that sender's thread. */
    public final class Part {
        private final String site;
        private final StringBuilder lines = new StringBuilder(PART_CHARACTERS + 512);

        private Part(String site) {
            this.site = site;
        }

        /** One line. */
        public void add(Outcome outcome) {
            format.append(lines, site, outcome);
            if (lines.length() >= PART_CHARACTERS) {
                flush();
            }
        }

        /** Hands over what there is. */
        public void flush() {
            if (!lines.isEmpty()) {
                hand(lines.toString());
                lines.setLength(0);
            }
        }
    }
}
