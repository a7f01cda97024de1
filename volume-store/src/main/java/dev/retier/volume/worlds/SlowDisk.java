package dev.retier.volume.worlds;

import dev.retier.volume.disk.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;

/** A disk that takes its time. */
final class SlowDisk implements Disk {
    private static final long LEAST_NANOS = 10_000;
    private static final long FORCE_NANOS = 4_000_000;
    private static final long CALL_NANOS = 300_000;
    private static final int SLOW_ONE_IN = 12;

    private final MemoryDisk disk;
    private final Threads threads;
    private final SplittableRandom random;
    private final Runnable whenEnded;
    private int factor = 1;
    /** How many reads will be stuck, each for so long at most. */
    private int stuckReads;

    private long stuckNanos;

    /** Tells {@code whenEnded} when a call finds that the process has ended. */
    SlowDisk(MemoryDisk disk, Threads threads, SplittableRandom random, Runnable whenEnded) {
        this.disk = disk;
        this.threads = threads;
        this.random = random;
        this.whenEnded = whenEnded;
    }

    MemoryDisk memory() {
        return disk;
    }

    /** So many times as slow as usual. */
    void slow(int times) {
        factor = times;
    }

    /** So many reads will take up to that long, as where a sector is tried again and again; all else goes on. */
    void stick(int reads, long mostNanos) {
        stuckReads = reads;
        stuckNanos = mostNanos;
    }

    /** Some calls take that long at most. */
    private void linger(long most) {
        if (!disk.leavesWord() && random.nextInt(SLOW_ONE_IN) < factor) {
            threads.pause(random.nextLong(LEAST_NANOS, most) * factor);
        }
    }

    private interface Call<T> {
        T run() throws IOException;
    }

    private <T> T call(long most, Call<T> call) throws IOException {
        linger(most);
        try {
            return call.run();
        } finally {
            if (disk.hasEnded()) {
                whenEnded.run();
            }
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    private void step(long most, Step step) throws IOException {
        boolean isDone = call(most, () -> {
            step.run();
            return true;
        });
        assert isDone;
    }

    /** It is done at a moment while it is under way: what is written after that comes to the disk by the next one. */
    private void force(Step force) throws IOException {
        step(FORCE_NANOS, () -> {
            force.run();
            linger(FORCE_NANOS);
            disk.requireAlive();
        });
    }

    @Override
    public DiskFile open(String name) throws IOException {
        return new File(call(CALL_NANOS, () -> disk.open(name)));
    }

    @Override
    public List<String> list(String folder) throws IOException {
        return call(CALL_NANOS, () -> disk.list(folder));
    }

    @Override
    public void delete(String name) throws IOException {
        step(CALL_NANOS, () -> disk.delete(name));
    }

    @Override
    public void forceNames() throws IOException {
        force(disk::forceNames);
    }

    @Override
    public void close() {}

    private final class File implements DiskFile {
        private final DiskFile file;

        File(DiskFile file) {
            this.file = file;
        }

        @Override
        public void read(ByteBuffer into, long offset) throws IOException {
            if (stuckReads > 0) {
                stuckReads--;
                threads.pause(random.nextLong(LEAST_NANOS, stuckNanos));
            }
            step(CALL_NANOS, () -> file.read(into, offset));
        }

        @Override
        public void write(ByteBuffer from, long offset) throws IOException {
            step(CALL_NANOS, () -> file.write(from, offset));
        }

        @Override
        public void force() throws IOException {
            SlowDisk.this.force(file::force);
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void truncate(long size) throws IOException {
            step(CALL_NANOS, () -> file.truncate(size));
        }

        @Override
        public void punch(long offset, long length) throws IOException {
            step(CALL_NANOS, () -> file.punch(offset, length));
        }

        @Override
        public void close() {}
    }
}
