package dev.retier.cli;

import dev.retier.report.Text;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;

/**
 * What all commands write to: lines and tabs pass, and a question mark stands for all else that is no visible
 * character, so that nothing which a file, an agent or a server says can move the cursor, change the terminal or turn
 * the direction of writing. As thread-safe as the writer behind it.
 */
public final class PlainOutput extends PrintWriter {
    private final PrintWriter raw;

    private PlainOutput(PrintWriter raw) {
        super(new Harmless(raw), true);
        this.raw = raw;
    }

    /** Such a writer before {@code out}; itself if it is one. */
    public static PrintWriter of(PrintWriter out) {
        return out instanceof PlainOutput ? out : new PlainOutput(out);
    }

    /** What is behind it, for who draws on the terminal and sees to it that nothing else does. */
    public static PrintWriter raw(PrintWriter out) {
        return out instanceof PlainOutput plain ? plain.raw : out;
    }

    private static final class Harmless extends Writer {
        private final PrintWriter out;

        Harmless(PrintWriter out) {
            this.out = out;
        }

        @Override
        public void write(char[] text, int offset, int length) {
            int written = offset;
            for (int i = offset; i < offset + length; i++) {
                if (text[i] != '\n' && text[i] != '\t' && !Text.isPlain(text[i])) {
                    out.write(text, written, i - written);
                    out.write('?');
                    written = i + 1;
                }
            }
            out.write(text, written, offset + length - written);
        }

        @Override
        public void flush() throws IOException {
            if (out.checkError()) { // which flushes
                throw new IOException("it could not be written");
            }
        }

        @Override
        public void close() {
            out.close();
        }
    }
}
