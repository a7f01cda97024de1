package dev.retier.volume.stream;

import dev.retier.volume.Volume;
import dev.retier.volume.Volume.Extent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;

/** Brings all bytes of a volume to a file or a pipe, with some reads under way together. Stateless. */
public final class RawExport {
    /** So much of a volume is asked for at once where it holds something. */
    private static final long WINDOW = 1L << 30;

    private RawExport() {}

    /** Where the bytes go, one behind the other. */
    public interface Sink {
        /** All of them. */
        void data(ByteBuffer bytes) throws IOException;

        /** So many zeros, of which nothing is kept. */
        void zeros(long count) throws IOException;
    }

    /** A file of which nothing is written yet: what is zeros takes no room. */
    public static Sink sparse(FileChannel file) {
        return new Sink() {
            @Override
            public void data(ByteBuffer bytes) throws IOException {
                while (bytes.hasRemaining()) {
                    file.write(bytes);
                }
            }

            @Override
            public void zeros(long count) throws IOException {
                file.position(file.position() + count - 1);
                data(ByteBuffer.allocate(1)); // the file is at least that long
            }
        };
    }

    /** Something that takes one byte after the other. */
    public static Sink pipe(WritableByteChannel to) {
        ByteBuffer zeros = ByteBuffer.allocateDirect(UnderWay.BYTES);
        return new Sink() {
            @Override
            public void data(ByteBuffer bytes) throws IOException {
                while (bytes.hasRemaining()) {
                    to.write(bytes);
                }
            }

            @Override
            public void zeros(long count) throws IOException {
                for (long left = count; left > 0; left -= UnderWay.BYTES) {
                    data(zeros.clear().limit((int) Math.min(left, UnderWay.BYTES)));
                }
            }
        };
    }

    /**
     * Reads all of {@code volume}.
     *
     * @return how many bytes it holds, the zeros of which nothing is kept left out
     * @throws IOException if it cannot be read, or not written
     */
    public static long run(Volume volume, Sink sink, Progress progress) throws IOException {
        UnderWay underWay = new UnderWay(volume);
        long all = volume.bytes();
        long read = 0;
        for (long window = 0; window < all; window += WINDOW) {
            long at = window;
            for (Extent extent : volume.extents(window, Math.min(WINDOW, all - window))) {
                if (extent.isHole()) {
                    long end = at + extent.bytes();
                    underWay.afterwards(_ -> {
                        sink.zeros(extent.bytes());
                        progress.at(end, all);
                    });
                    underWay.limit();
                } else {
                    read(underWay, new Volume.Range(at, extent.bytes()), sink, end -> progress.at(end, all));
                    read += extent.bytes();
                }
                at += extent.bytes();
            }
        }
        underWay.end();
        return read;
    }

    private interface Reached {
        void end(long offset);
    }

    private static void read(UnderWay underWay, Volume.Range range, Sink sink, Reached reached) throws IOException {
        long end = range.offset() + range.bytes();
        for (long at = range.offset(); at < end; at += UnderWay.BYTES) {
            int count = (int) Math.min(UnderWay.BYTES, end - at);
            ByteBuffer memory = underWay.memory().limit(count);
            long until = at + count;
            underWay.read(at, memory, bytes -> {
                sink.data(bytes.duplicate());
                reached.end(until);
            });
        }
    }
}
