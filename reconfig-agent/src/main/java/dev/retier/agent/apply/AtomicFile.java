package dev.retier.agent.apply;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Replaces a file so that a reader, and a crash at any moment, finds the old content or the new, never a mixture. */
public final class AtomicFile {
    private AtomicFile() {}

    /**
     * Stages the content in the same directory, forces it to disk, renames it over {@code file}, and forces the
     * directory. Creates the directory if it is missing.
     *
     * @throws IOException when any step fails; {@code file} is then as it was
     */
    public static void replace(Path file, String content) throws IOException {
        Path target = file.toAbsolutePath();
        Path directory = target.getParent();
        if (directory == null) {
            throw new IOException(file + " is no file name");
        }
        Files.createDirectories(directory);
        Path staged = directory.resolve("." + target.getFileName() + ".staged");
        try {
            write(staged, content);
            moveOver(staged, target);
        } finally {
            Files.deleteIfExists(staged);
        }
    }

    /**
     * Puts a file of the same directory in the place of another, and forces the directory.
     *
     * @throws IOException when a step fails; when it is the last, the move may be lost in a crash of the machine
     */
    public static void moveOver(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Path directory = to.toAbsolutePath().getParent();
        if (directory != null) {
            forceDirectory(directory);
        }
    }

    /** Writes the content and forces it to disk; a crash may leave any part of it. */
    public static void write(Path file, String content) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(content);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    /** Makes a rename or a new file in {@code directory} survive a crash of the machine. */
    public static void forceDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
