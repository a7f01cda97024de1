package dev.retier.volume;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;

/** So many zeros, whatever is done to them. */
public class StubVolume implements Volume {
    private final long bytes;

    /** Of that size. */
    public StubVolume(long bytes) {
        this.bytes = bytes;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public void read(long offset, ByteBuffer into) throws IOException {
        into.put(new byte[into.remaining()]);
    }

    @Override
    public void write(long offset, ByteBuffer from, Set<Option> options) throws IOException {
        from.position(from.limit());
    }

    @Override
    public void zero(long offset, long length, Set<Option> options) throws IOException {}

    @Override
    public void flush() throws IOException {}

    @Override
    public List<Extent> extents(long offset, long length) throws IOException {
        return length == 0 ? List.of() : List.of(new Extent(length, true));
    }
}
