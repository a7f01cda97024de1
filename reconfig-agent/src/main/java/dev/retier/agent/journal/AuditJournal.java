package dev.retier.agent.journal;

import dev.retier.agent.command.CommandAsked;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who commanded a node's agent, from where, and what became of it: a line of JSON when a command is taken and one when
 * it has ended, each forced to disk. Two files of bounded size, apart from the moves': when the current one is full it
 * becomes the old one. Not thread-safe.
 */
public final class AuditJournal implements AutoCloseable {
    /** Some 2,000 commands. */
    public static final long MAX_FILE_BYTES = 1L << 20;

    private static final String CURRENT = "audit.jsonl";
    private static final String OLD = "audit.1.jsonl";
    private static final long MAX_READ_BYTES = 4 * MAX_FILE_BYTES;
    private static final Set<PosixFilePermission> PERMISSIONS = PosixFilePermissions.fromString("rw-r-----");

    private final Path directory;
    private final long maxFileBytes;
    /** Null after a failure, until the next line. */
    private @Nullable Opened opened;

    /** The current file, and what tells it from another one of its name. */
    private record Opened(FileChannel channel, @Nullable Object key) {}

    private AuditJournal(Path directory, long maxFileBytes) {
        this.directory = directory;
        this.maxFileBytes = maxFileBytes;
    }

    /**
     * Opens that of a folder, which is made if it is missing.
     *
     * @param maxFileBytes size at which a file is put aside, above 0
     * @throws IOException when the folder or the file cannot be used
     */
    public static AuditJournal open(Path directory, long maxFileBytes) throws IOException {
        AuditJournal journal = new AuditJournal(directory, maxFileBytes);
        journal.opened = openFile(directory);
        return journal;
    }

    /** Where it is. */
    public static Path file(Path directory) {
        return directory.resolve(CURRENT);
    }

    private static Opened openFile(Path directory) throws IOException {
        Files.createDirectories(directory);
        Path file = file(directory);
        FileChannel channel = FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PERMISSIONS));
        try {
            return new Opened(channel, key(file));
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static @Nullable Object key(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }

    /**
     * Appends one line and forces it to disk. Behind a line that a crash cut short a new one begins; a file that was
     * moved away or deleted is made anew; and after a failure the next call opens the file again.
     *
     * @throws IOException when it is not on disk
     */
    public void append(CommandAsked line) throws IOException {
        try {
            write(notFull(present()).channel, StandardCharsets.UTF_8.encode(line.print() + "\n"));
        } catch (IOException e) {
            closeAfter(e);
            throw e;
        }
    }

    private Opened present() throws IOException {
        Opened before = opened;
        if (before != null && isStillThere(before)) {
            return before;
        }
        close();
        Opened anew = openFile(directory);
        opened = anew;
        return anew;
    }

    private boolean isStillThere(Opened file) throws IOException {
        try {
            return Objects.equals(file.key, key(file(directory)));
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private Opened notFull(Opened file) throws IOException {
        if (file.channel.size() < maxFileBytes) {
            return file;
        }
        Files.move(file(directory), directory.resolve(OLD), StandardCopyOption.REPLACE_EXISTING);
        return present();
    }

    /** No other process writes it while an agent of the node lives, so its end is where the next line begins. */
    private static void write(FileChannel file, ByteBuffer line) throws IOException {
        long size = file.size();
        ByteBuffer last = ByteBuffer.allocate(1);
        file.position(size);
        if (size > 0 && file.read(last, size - 1) == 1 && last.get(0) != '\n') {
            writeAll(file, ByteBuffer.wrap(new byte[] {'\n'}));
        }
        writeAll(file, line);
        file.force(false);
    }

    private static void writeAll(FileChannel file, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
    }

    private void closeAfter(IOException failure) {
        try {
            close();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    /**
     * All commands on disk, the oldest first, each as it is known last; none if there is no such journal. What is no
     * line of it is passed over; {@link #unreadable} counts that.
     *
     * @throws IOException when a file cannot be read, or is larger than any of it
     */
    public static List<CommandAsked> read(Path directory) throws IOException {
        Map<String, CommandAsked> known = new LinkedHashMap<>();
        for (String line : lines(directory)) {
            CommandAsked.parse(line).ifPresent(asked -> known.put(asked.id(), asked));
        }
        return new ArrayList<>(known.values());
    }

    /**
     * How many lines there are that tell no command: cut by a full disk, or written by somebody else.
     *
     * @throws IOException as {@link #read}
     */
    public static long unreadable(Path directory) throws IOException {
        return lines(directory).stream()
                .filter(line -> !line.isBlank() && CommandAsked.parse(line).isEmpty())
                .count();
    }

    private static List<String> lines(Path directory) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String name : List.of(OLD, CURRENT)) {
            Path file = directory.resolve(name);
            if (Files.exists(file)) {
                if (Files.size(file) > MAX_READ_BYTES) {
                    throw new IOException(file + " has " + Files.size(file)
                            + " bytes, more than any journal of commands: somebody else wrote it; move it away");
                }
                for (String line :
                        Files.readString(file, StandardCharsets.ISO_8859_1).split("\n", -1)) {
                    lines.add(new String(line.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
                }
            }
        }
        return lines;
    }

    @Override
    public void close() throws IOException {
        Opened before = opened;
        opened = null;
        if (before != null) {
            before.channel.close();
        }
    }
}
