package dev.retier.agent.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;

/**
 * A file that is staged for an examination, and taken away afterwards: unless an agent, which waits for nobody, has put
 * one of its own in its place, which it has checked then. While an agent's is there, none can be made.
 */
final class StagedCopy implements AutoCloseable {
    private final Path file;
    /** Open as long as this is, so that no other file gets its number. */
    private final FileChannel channel;

    private final Object own;

    /**
     * Makes it.
     *
     * @throws java.nio.file.FileAlreadyExistsException if an agent is checking a file just now
     * @throws IOException if it cannot be made
     */
    StagedCopy(Path file, String content) throws IOException {
        this.file = file;
        this.channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(content);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            this.own = key(file);
        } catch (IOException e) {
            channel.close();
            Files.deleteIfExists(file);
            throw e;
        }
    }

    private static Object key(Path file) throws IOException {
        return Objects.requireNonNull(
                Files.readAttributes(file, BasicFileAttributes.class).fileKey(), "files have no numbers here");
    }

    /** Whether it still is there, and what was read there in the meantime was it. */
    boolean isOwn() {
        try {
            return key(file).equals(own);
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        try (channel) {
            if (isOwn()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            // It has gone; or an agent that starts takes it away.
        }
    }
}
