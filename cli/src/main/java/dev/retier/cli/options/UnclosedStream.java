package dev.retier.cli.options;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Stays open when a writer on top of it is closed: whoever made what is below goes on with it. */
public final class UnclosedStream extends FilterOutputStream {
    /** On top of {@code out}. */
    public UnclosedStream(OutputStream out) {
        super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
    }

    @Override
    public void close() throws IOException {
        flush();
    }
}
