package dev.retier.traces;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a byte stream into lines, one character per byte, in bounded memory: of a line longer than {@link #MAX_BYTES}
 * only the beginning is kept, and {@link #wasTooLong()} tells. One thread.
 */
public final class Lines {
    /** Longer than any honest log line. */
    public static final int MAX_BYTES = 64 * 1024;

    private final InputStream in;
    private final byte[] block = new byte[1 << 16];
    private final byte[] line = new byte[MAX_BYTES];
    private int at;
    private int filled;
    private long number;
    private boolean tooLong;

    /** Reads {@code in}, which the caller closes. */
    public Lines(InputStream in) {
        this.in = in;
    }

    /**
     * The next line without its end (LF or CR LF), or null at the end of the input.
     *
     * @throws IOException as the input does
     */
    public @Nullable String next() throws IOException {
        int length = 0;
        tooLong = false;
        boolean any = false;
        boolean ended = false;
        while (!ended && fill()) {
            any = true;
            int end = at;
            while (end < filled && block[end] != '\n') {
                end++;
            }
            int taken = Math.min(end - at, MAX_BYTES - length);
            System.arraycopy(block, at, line, length, taken);
            length += taken;
            tooLong |= taken < end - at;
            ended = end < filled;
            at = Math.min(end + 1, filled);
        }
        if (!any) {
            return null;
        }
        number++;
        boolean crLf = length > 0 && line[length - 1] == '\r';
        return new String(line, 0, crLf ? length - 1 : length, StandardCharsets.ISO_8859_1);
    }

    /** Number of the line that {@code next()} returned last, from 1. */
    public long number() {
        return number;
    }

    /** Whether the end of the line that {@code next()} returned last is missing. */
    public boolean wasTooLong() {
        return tooLong;
    }

    private boolean fill() throws IOException {
        if (at == filled) {
            at = 0;
            filled = Math.max(0, in.read(block));
        }
        return filled > 0;
    }
}
