package dev.retier.cli.options;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Files that results go to: looked at before the work begins, written as a whole at its end. Stateless. */
public final class WritableFile {
    private WritableFile() {}

    /** Returns quietly when {@code file}, given with {@code option}, can be written; else a {@link CommandFailure}. */
    public static void require(String option, Path file) {
        Path folder = file.toAbsolutePath().getParent();
        boolean writable = Files.exists(file)
                ? !Files.isDirectory(file) && Files.isWritable(file)
                : folder != null && Files.isWritable(folder);
        if (!writable) {
            throw new CommandFailure(ExitCode.FAILED, option + " " + file + ": cannot be written; name another file");
        }
    }

    /** Writes a file's bytes; returns what the caller wants to count. */
    @FunctionalInterface
    public interface Content {
        /** Writes all to {@code out}; closing it is left to the caller, and does no harm. */
        long writeTo(OutputStream out) throws IOException;
    }

    /**
     * Writes {@code file} so that it is there as a whole, or as it was before. What is no regular file, or stands in a
     * folder that cannot be written, is written as it is.
     *
     * @return what {@code content} returns
     * @throws IOException when it cannot be written
     */
    public static long write(Path file, Content content) throws IOException {
        return writeChannel(
                file, (channel, _) -> content.writeTo(new UnclosedStream(Channels.newOutputStream(channel))));
    }

    /** Who writes a file in any order. */
    public interface ChannelContent {
        /**
         * Writes it.
         *
         * @param isNew whether it is a file of which nothing is there yet; else what takes one byte after the other
         */
        long writeTo(FileChannel channel, boolean isNew) throws IOException;
    }

    /** The same for who may leave parts out. */
    public static long writeChannel(Path file, ChannelContent content) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        boolean isOther =
                Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
        if (isOther || folder == null || !Files.isWritable(folder)) {
            try (FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
                return content.writeTo(channel, false);
            }
        }
        Path part = folder.resolve(
                file.getFileName() + "." + ProcessHandle.current().pid() + ".part");
        FileChannel channel = FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        part.toFile().deleteOnExit(); // when the process is asked to end meanwhile
        try {
            long written;
            try (channel) {
                written = content.writeTo(channel, true);
                channel.force(true);
            }
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
            return written;
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /** The same for a text, in UTF-8. */
    public static void write(Path file, String text) throws IOException {
        write(file, out -> {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            return text.length();
        });
    }
}
