package dev.retier.traces.file;

import dev.retier.traces.TraceException;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Opens a trace, compressed or not: what it is decides the first two bytes, never the name. */
public final class TraceInput {
    /** Stands for standard input, which can be read once only. */
    public static final Path STANDARD_INPUT = Path.of("-");

    private static final int BUFFER_BYTES = 1 << 16;
    private static final int GZIP_MAGIC_1 = 0x1F;
    private static final int GZIP_MAGIC_2 = 0x8B;

    private TraceInput() {}

    /**
     * The decompressed bytes of {@code file}, or of standard input for {@link #STANDARD_INPUT}; several gzip members
     * one after the other count as one stream. The caller
     * closes it.
     *
     * @throws TraceException in one line, naming the file and the remedy, when it cannot be opened
     */
    public static InputStream open(Path file) {
        if (file.equals(STANDARD_INPUT)) {
            return new Pipe(() -> System.in);
        }
        if (isOnce(file)) {
            return new Pipe(() -> Files.newInputStream(file));
        }
        if (Files.isDirectory(file)) {
            throw fatal(file, "is a directory; name a file in it", null);
        }
        try {
            return decompressed(Files.newInputStream(file));
        } catch (NoSuchFileException e) {
            throw fatal(file, "does not exist; check the path", e);
        } catch (AccessDeniedException e) {
            throw fatal(file, "may not be read; check its permissions", e);
        } catch (IOException e) {
            throw fatal(file, "cannot be opened (" + e.getMessage() + "); check it with gzip -t", e);
        }
    }

    /** The decompressed bytes of {@code raw}, which is closed when this fails. */
    static InputStream decompressed(InputStream raw) throws IOException {
        InputStream in = new WholeInput(raw);
        try {
            in.mark(2);
            boolean gzip = in.read() == GZIP_MAGIC_1 && in.read() == GZIP_MAGIC_2;
            in.reset();
            return gzip ? new GZIPInputStream(in, BUFFER_BYTES) : in;
        } catch (EOFException e) {
            in.close();
            throw new EOFException("its gzip header is cut short");
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    private static TraceException fatal(Path file, String what, @Nullable IOException cause) {
        String message = "trace " + file + ": " + what;
        return cause == null ? new TraceException(message) : new TraceException(message, cause);
    }

    /** Whether {@code file} can be read once only: standard input, a named pipe, a device. */
    public static boolean isOnce(Path file) {
        return file.equals(STANDARD_INPUT)
                || (Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file));
    }

    /** Opens a pipe. */
    @FunctionalInterface
    private interface Opening {
        InputStream open() throws IOException;
    }

    /** Opened, and its first bytes looked at, when it is read, not before: they may take their time. One thread. */
    private static final class Pipe extends InputStream {
        private final Opening opening;
        private @Nullable InputStream in;

        Pipe(Opening opening) {
            this.opening = opening;
        }

        private InputStream in() throws IOException {
            InputStream known = in;
            if (known == null) {
                known = decompressed(opening.open());
                in = known;
            }
            return known;
        }

        @Override
        public int read() throws IOException {
            return in().read();
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            return in().read(into, offset, length);
        }

        @Override
        public int available() throws IOException {
            return in().available();
        }

        @Override
        public void close() throws IOException {
            if (in != null) {
                in.close();
            }
        }
    }

    /**
     * Says "something is available" until the real end. {@code GZIPInputStream} looks for a next member only when its
     * input claims to have bytes left, which a pipe or a network file may deny in mid-stream.
     */
    private static final class WholeInput extends BufferedInputStream {
        WholeInput(InputStream in) {
            super(in, BUFFER_BYTES);
        }

        @Override
        public synchronized int available() throws IOException {
            int known = super.available();
            if (known > 0) {
                return known;
            }
            mark(1);
            boolean more = read() >= 0;
            reset();
            return more ? 1 : 0;
        }
    }
}
