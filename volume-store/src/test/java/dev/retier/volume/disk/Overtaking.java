package dev.retier.volume.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Queue;

/** A disk that does something once, before a file is read or written. */
record Overtaking(Disk disk, String name, Queue<Appender.Begin<?>> next) implements Disk {
    @Override
    public DiskFile open(String file) throws IOException {
        DiskFile opened = disk.open(file);
        return file.equals(name) ? new Overtaken(opened, next) : opened;
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

    private record Overtaken(Disk.DiskFile file, Queue<Appender.Begin<?>> next) implements Disk.DiskFile {
        @Override
        public void read(ByteBuffer into, long offset) throws IOException {
            overtake();
            file.read(into, offset);
        }

        private void overtake() throws IOException {
            Appender.Begin<?> first = next.poll();
            if (first != null) {
                first.run();
            }
        }

        @Override
        public void write(ByteBuffer from, long offset) throws IOException {
            overtake();
            file.write(from, offset);
        }

        @Override
        public void force() throws IOException {
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
