package dev.retier.volume.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** A disk at which threads overtake each other, also on a machine with few processors. */
record YieldingDisk(Disk disk) implements Disk {
    @Override
    public DiskFile open(String file) throws IOException {
        return new Yielding(disk.open(file));
    }

    @Override
    public List<String> list(String folder) throws IOException {
        return disk.list(folder);
    }

    @Override
    public void delete(String file) throws IOException {
        disk.delete(file);
    }

    @Override
    public void forceNames() throws IOException {
        disk.forceNames();
    }

    @Override
    public void close() throws IOException {
        disk.close();
    }

    private record Yielding(DiskFile file) implements DiskFile {
        /** Whether somebody does is left to chance, as is all in a stress test. */
        @SuppressWarnings("ThreadPriorityCheck")
        private static void overtake() {
            Thread.yield();
        }

        @Override
        public void read(ByteBuffer into, long offset) throws IOException {
            overtake();
            file.read(into, offset);
            overtake();
        }

        @Override
        public void write(ByteBuffer from, long offset) throws IOException {
            overtake();
            file.write(from, offset);
            overtake();
        }

        @Override
        public void force() throws IOException {
            overtake();
            file.force();
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void truncate(long size) throws IOException {
            file.truncate(size);
        }

        @Override
        public void punch(long offset, long length) throws IOException {
            file.punch(offset, length);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
