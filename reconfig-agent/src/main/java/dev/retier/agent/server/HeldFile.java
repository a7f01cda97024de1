package dev.retier.agent.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A file of the kernel below {@code /proc} or of control groups, which is made anew whenever it is read from its start
 * (proc(5), kernfs): it stays open from one look to the next, because to open and close it costs several times what
 * reading does. Where what it tells of has gone, it is opened again, so that each look tells what a fresh one would,
 * unless another process has the same number by then. Not thread-safe.
 */
final class HeldFile implements AutoCloseable {
    /** What follows is not read: the files that agents read again and again have some hundred bytes. */
    static final int MAX_BYTES = 4 << 10;

    private final Path path;
    private final ByteBuffer space = ByteBuffer.allocateDirect(MAX_BYTES);
    private final byte[] bytes = new byte[MAX_BYTES];
    private @Nullable FileChannel open;

    HeldFile(Path path) {
        this.path = path;
    }

    Path path() {
        return path;
    }

    /** What it says now, in ASCII, at most {@value #MAX_BYTES} bytes; empty when there is no such file. */
    Optional<String> read() {
        FileChannel held = open;
        if (held != null) {
            try {
                return Optional.of(read(held));
            } catch (IOException e) {
                // The process or group that it told of has ended; there may be another one in its place.
                close();
            }
        }
        try {
            held = FileChannel.open(path, StandardOpenOption.READ);
            open = held;
            return Optional.of(read(held));
        } catch (IOException e) {
            close();
            return Optional.empty();
        }
    }

    /** The kernel gives such a file whole to who has space for it (seq_file), so one call is enough. */
    private String read(FileChannel from) throws IOException {
        space.clear();
        int length = Math.max(0, from.read(space, 0));
        space.get(0, bytes, 0, length);
        return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
        FileChannel held = open;
        open = null;
        if (held != null) {
            try {
                held.close();
            } catch (IOException e) {
                // It was only read; there is nothing to lose.
                return;
            }
        }
    }
}
