package dev.retier.agent.journal;

import dev.retier.agent.command.CommandAsked;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
    private FileChannel channel;

    private AuditJournal(Path directory, long maxFileBytes, FileChannel channel) {
        this.directory = directory;
        this.maxFileBytes = maxFileBytes;
        this.channel = channel;
    }

    /**
     * Opens that of a folder, which is made if it is missing. Behind a line that a crash cut short a new one begins.
     *
     * @param maxFileBytes size at which a file is put aside, above 0
     * @throws IOException when the folder or the file cannot be used
     */
    public static AuditJournal open(Path directory, long maxFileBytes) throws IOException {
        Files.createDirectories(directory);
        return new AuditJournal(directory, maxFileBytes, openChannel(directory));
    }

    /** Where it is. */
    public static Path file(Path directory) {
        return directory.resolve(CURRENT);
    }

    private static FileChannel openChannel(Path directory) throws IOException {
        FileChannel opened = FileChannel.open(
                directory.resolve(CURRENT),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND),
                PosixFilePermissions.asFileAttribute(PERMISSIONS));
        try {
            endLine(directory.resolve(CURRENT), opened);
            return opened;
        } catch (IOException e) {
            opened.close();
            throw e;
        }
    }

    private static void endLine(Path file, FileChannel opened) throws IOException {
        long size = opened.size();
        if (size > 0) {
            try (FileChannel reader = FileChannel.open(file, StandardOpenOption.READ)) {
                ByteBuffer last = ByteBuffer.allocate(1);
                if (reader.read(last, size - 1) == 1 && last.get(0) != '\n') {
                    opened.write(ByteBuffer.wrap(new byte[] {'\n'}));
                }
            }
        }
    }

    /**
     * Appends one line and forces it to disk.
     *
     * @throws IOException when it is not on disk
     */
    public void append(CommandAsked line) throws IOException {
        if (channel.size() >= maxFileBytes) {
            Files.move(directory.resolve(CURRENT), directory.resolve(OLD), StandardCopyOption.REPLACE_EXISTING);
            FileChannel full = channel;
            channel = openChannel(directory);
            full.close();
        }
        endLine(directory.resolve(CURRENT), channel);
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(line.print() + "\n");
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        channel.force(false);
    }

    /**
     * All commands on disk, the oldest first, each as it is known last; none if there is no such journal. What is no
     * line of it is passed over.
     *
     * @throws IOException when a file cannot be read, or is larger than any of it
     */
    public static List<CommandAsked> read(Path directory) throws IOException {
        Map<String, CommandAsked> known = new LinkedHashMap<>();
        for (String name : List.of(OLD, CURRENT)) {
            Path file = directory.resolve(name);
            if (Files.exists(file)) {
                if (Files.size(file) > MAX_READ_BYTES) {
                    throw new IOException(file + " has " + Files.size(file)
                            + " bytes, more than any journal of commands: somebody else wrote it; move it away");
                }
                for (String line :
                        Files.readString(file, StandardCharsets.ISO_8859_1).split("\n", -1)) {
                    String text = new String(line.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
                    CommandAsked.parse(text).ifPresent(asked -> known.put(asked.id(), asked));
                }
            }
        }
        return new ArrayList<>(known.values());
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
