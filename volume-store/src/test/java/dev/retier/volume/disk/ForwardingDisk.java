package dev.retier.volume.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** A disk that is another one, for those that do one thing in another way. */
public class ForwardingDisk implements Disk {
    private final Disk disk;

    /** The same as {@code disk}. */
    public ForwardingDisk(Disk disk) {
        this.disk = disk;
    }

    @Override
    public DiskFile open(String file) throws IOException {
        return disk.open(file);
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
    public long freeBytes() throws IOException {
        return disk.freeBytes();
    }

    @Override
    public void close() throws IOException {
        disk.close();
    }

    /** A file that is another one. */
    public static class ForwardingFile implements DiskFile {
        private final DiskFile file;

        /** The same as {@code file}. */
        public ForwardingFile(DiskFile file) {
            this.file = file;
        }

        @Override
        public void read(ByteBuffer into, long offset) throws IOException {
            file.read(into, offset);
        }

        @Override
        public long nextData(long offset) throws IOException {
            return file.nextData(offset);
        }

        @Override
        public void write(ByteBuffer from, long offset) throws IOException {
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
        public void willBeRead() {
            file.willBeRead();
        }

        @Override
        public void forget() {
            file.forget();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
