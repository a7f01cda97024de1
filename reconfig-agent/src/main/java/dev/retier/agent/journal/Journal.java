package dev.retier.agent.journal;

import dev.retier.agent.ReconfigException;
import dev.retier.agent.apply.AtomicFile;
import dev.retier.agent.apply.FolderRoom;
import dev.retier.agent.command.PastMove;
import dev.retier.agent.move.MoveRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The moves of one node as JSON lines, each forced to disk before the call returns. Two files of bounded size: when
 * the current one is full it becomes the old one. Not thread-safe.
 */
public final class Journal implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");

    /** Some 4000 lines; a node that moves every minute fills it in six hours, and two are kept. */
    public static final long MAX_FILE_BYTES = 1L << 20;

    private static final String CURRENT = "journal.jsonl";
    private static final String OLD = "journal.1.jsonl";
    private static final String NEXT = CURRENT + ".new";

    /** Far more than a file ever has, and no more than fits into memory with ease. */
    private static final long MAX_READ_BYTES = 64 * MAX_FILE_BYTES;

    private final Path directory;
    private final long maxFileBytes;
    private final Clock clock;
    private FileChannel channel;
    /** A part of a record is at the end of the file; nothing may be written behind it. */
    private boolean isTorn;

    /**
     * What is wrong with the folder where the journal is, or its space, so that it is known before a move is lost to
     * it; empty when there is enough for a move, or nobody knows.
     */
    public Optional<String> shortage() {
        return FolderRoom.problem(directory);
    }

    private Journal(Path directory, long maxFileBytes, Clock clock, FileChannel channel) {
        this.directory = directory;
        this.maxFileBytes = maxFileBytes;
        this.clock = clock;
        this.channel = channel;
    }

    /**
     * Opens the journal in {@code directory}, which is created if missing. A last line that a crash cut short is
     * dropped, if it is the beginning of one; damaged lines are told in the log.
     *
     * @param maxFileBytes size at which a file is put aside, above 0
     * @param clock for the time in each line, which only people read
     * @throws ReconfigException when the folder or the file cannot be used, or its newest line is damaged
     */
    public static Journal open(Path directory, long maxFileBytes, Clock clock) {
        try {
            Files.createDirectories(directory);
            reading(directory).leftOut().forEach(LOG::warn);
            FileChannel channel = openChannel(directory.resolve(CURRENT));
            dropCutLine(directory, channel);
            AtomicFile.forceDirectory(directory);
            return new Journal(directory, maxFileBytes, clock, channel);
        } catch (IOException e) {
            throw failure(directory, e);
        }
    }

    /** Where it is. */
    public Path directory() {
        return directory;
    }

    /** The file that is appended to. */
    public static Path file(Path directory) {
        return directory.resolve(CURRENT);
    }

    /** Whether there is one in {@code directory}. */
    static boolean exists(Path directory) {
        return Files.exists(directory.resolve(CURRENT)) || Files.exists(directory.resolve(OLD));
    }

    /**
     * All records on disk, the oldest first; none if there is no journal.
     *
     * @throws ReconfigException when a line is damaged and no whole one follows, naming file and line
     */
    public static List<MoveRecord> read(Path directory) {
        return entries(directory).stream().map(PastMove.Entry::entry).toList();
    }

    /**
     * All records on disk with the times at which they were written, the oldest first; none if there is no journal.
     *
     * @throws ReconfigException when a line is damaged and no whole one follows, naming file and line
     */
    public static List<PastMove.Entry> entries(Path directory) {
        return reading(directory).entries();
    }

    private static JournalReading reading(Path directory) {
        List<JournalReading.Line> lines = new ArrayList<>();
        for (String name : List.of(OLD, CURRENT)) {
            lines.addAll(readFile(directory.resolve(name)));
        }
        return JournalReading.of(lines);
    }

    /** Damage may be of any bytes, so these are taken one by one; what was written is ASCII. */
    private static List<JournalReading.Line> readFile(Path file) {
        try {
            if (!Files.exists(file)) {
                return List.of();
            }
            if (Files.size(file) > MAX_READ_BYTES) {
                throw new IOException(
                        "it has " + Files.size(file) + " bytes, more than any journal: somebody else wrote"
                                + " it; move it away to start as configured");
            }
            String text = Files.readString(file, StandardCharsets.ISO_8859_1);
            List<JournalReading.Line> lines = new ArrayList<>();
            int begin = 0;
            for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', begin)) {
                lines.add(new JournalReading.Line(file + ":" + (lines.size() + 1), text.substring(begin, end)));
                begin = end + 1;
            }
            if (!JournalLine.isCutShort(text.substring(begin))) {
                lines.add(new JournalReading.Line(file + ":" + (lines.size() + 1), text.substring(begin)));
            }
            return lines;
        } catch (IOException e) {
            throw failure(file, e);
        }
    }

    /**
     * Appends one record and forces it to disk. A record of which only a part fits is taken back, so that the next one
     * that fits is read again; as long as it cannot be taken back, nothing is written behind it.
     *
     * @throws ReconfigException when it is not on disk
     */
    public void append(MoveRecord entry) {
        write(entry, false);
    }

    /**
     * Tries whether {@code entry}, which was not to be had on disk, would be now: all but its end is forced to disk and
     * taken back.
     *
     * @throws ReconfigException when it would not
     */
    public void attempt(MoveRecord entry) {
        write(entry, true);
    }

    private void write(MoveRecord entry, boolean isAttempt) {
        try {
            if (isTorn) {
                dropCutLine(directory, channel);
                isTorn = false;
            }
            if (channel.size() >= maxFileBytes) {
                rotate();
            }
            String line = JournalLine.print(entry, clock.instant());
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(isAttempt ? JournalLine.cutShort(line) : line);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(false);
            if (isAttempt) {
                dropCutLine(directory, channel);
            }
        } catch (IOException e) {
            takeBack(e);
            throw failure(directory.resolve(CURRENT), e);
        }
    }

    private void takeBack(IOException failed) {
        try {
            dropCutLine(directory, channel);
            isTorn = false;
        } catch (IOException e) {
            isTorn = true;
            failed.addSuppressed(e);
        }
    }

    /** The new file is made before the full one is put aside: where none can be, all stays as it is. */
    private void rotate() throws IOException {
        Path next = directory.resolve(NEXT);
        Files.deleteIfExists(next);
        FileChannel opened = openChannel(next);
        try {
            if (Files.exists(directory.resolve(CURRENT))) {
                Files.move(directory.resolve(CURRENT), directory.resolve(OLD), StandardCopyOption.REPLACE_EXISTING);
            }
            Files.move(next, directory.resolve(CURRENT), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            opened.close();
            throw e;
        }
        FileChannel full = channel;
        channel = opened;
        full.close();
        AtomicFile.forceDirectory(directory);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw failure(directory.resolve(CURRENT), e);
        }
    }

    private static FileChannel openChannel(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    }

    private static void dropCutLine(Path directory, FileChannel channel) throws IOException {
        String text = Files.readString(directory.resolve(CURRENT), StandardCharsets.ISO_8859_1);
        long wholeBytes = text.lastIndexOf('\n') + 1L;
        if (wholeBytes < channel.size() && JournalLine.isCutShort(text.substring((int) wholeBytes))) {
            try (FileChannel shortened = FileChannel.open(directory.resolve(CURRENT), StandardOpenOption.WRITE)) {
                shortened.truncate(wholeBytes);
                shortened.force(true);
            }
        }
    }

    private static ReconfigException failure(Path path, IOException cause) {
        return new ReconfigException(
                ReconfigException.Category.FATAL,
                path + ": the journal cannot be used (" + cause.getMessage() + "); check the folder, its owner and the"
                        + " free space, or set journal-directory",
                cause);
    }
}
