package dev.retier.bench.volumes;

import dev.retier.bench.Stats;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.util.SplittableRandom;

/** Reads a volume as a file (wDSA), with one thread. Not thread-safe. */
final class ChannelWork {
    private final FileChannel file;
    private final SplittableRandom random = new SplittableRandom(1);

    ChannelWork(FileChannel file) {
        this.file = file;
    }

    /** The time of each read in microseconds, one at a time. */
    Stats micros(Work work, Duration time) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(work.bytes());
        long places = file.size() / work.bytes();
        return Stats.micros(time, () -> {
            if (file.read(buffer.clear(), random.nextLong(places) * work.bytes()) < work.bytes()) {
                throw new EOFException("the file has become shorter");
            }
        });
    }
}
