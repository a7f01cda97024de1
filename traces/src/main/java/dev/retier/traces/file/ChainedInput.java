package dev.retier.traces.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;

/** The bytes of several files, one after the other; holds one file open at a time. One thread. */
final class ChainedInput extends InputStream {
    private final ArrayDeque<Path> waiting;
    private InputStream current;

    ChainedInput(List<Path> files) {
        waiting = new ArrayDeque<>(files);
        current = TraceInput.open(waiting.removeFirst());
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
        int count = current.read(to, from, length);
        while (count < 0 && !waiting.isEmpty()) {
            current.close();
            current = TraceInput.open(waiting.removeFirst());
            count = current.read(to, from, length);
        }
        return count;
    }

    @Override
    public void close() throws IOException {
        waiting.clear();
        current.close();
    }
}
