package dev.retier.volume.disk;

import dev.retier.volume.NoSpaceException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A folder of a file system. One process has it at a time to write, or some have it to read. */
public final class FolderDisk implements Disk {
    private static final Logger LOG = LoggerFactory.getLogger(FolderDisk.class);
    private static final String LOCK = "lock";
    private static final int AHEAD_BYTES = 1 << 20;
    /** EDQUOT, in English alone. */
    private static final String QUOTA = "quota exceeded";

    private final Path folder;
    private final Closeable lock;
    private final boolean isToRead;

    private FolderDisk(Path folder, Closeable lock, boolean isToRead) {
        this.folder = folder;
        this.lock = lock;
        this.isToRead = isToRead;
    }

    /**
     * Opens {@code folder}, which is there.
     *
     * @throws IOException if it cannot be read and written, or another process has it
     */
    public static FolderDisk open(Path folder) throws IOException {
        requireFolder(folder);
        Path path = folder.resolve(LOCK);
        FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        lock(folder, file, false);
        return new FolderDisk(folder, file, false);
    }

    /**
     * Opens {@code folder} to read what is in it: files that are not there are empty, and changes are refused. Nothing
     * is written to it, so that it may be a copy in a file system that cannot be; where nobody has had it to write
     * since it was made or copied, nothing keeps others from that meanwhile.
     *
     * @throws IOException if it is not there, or another process has it to write
     */
    public static FolderDisk openToRead(Path folder) throws IOException {
        requireFolder(folder);
        FileChannel file;
        try {
            file = FileChannel.open(folder.resolve(LOCK), StandardOpenOption.READ);
        } catch (NoSuchFileException nobodyHadIt) {
            return new FolderDisk(folder, () -> {}, true);
        }
        lock(folder, file, true);
        return new FolderDisk(folder, file, true);
    }

    private static void requireFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new IOException(folder + " is no folder; make it, for the user of this process alone");
        }
    }

    private static void lock(Path folder, FileChannel file, boolean isShared) throws IOException {
        try {
            FileLock lock = file.tryLock(0, Long.MAX_VALUE, isShared);
            if (lock != null) {
                return;
            }
        } catch (OverlappingFileLockException sameProcess) {
            // Said below.
        }
        file.close();
        throw new IOException(folder + " is in use by another volume server; a pool has one");
    }

    @Override
    public long freeBytes() throws IOException {
        return Files.getFileStore(folder).getUsableSpace();
    }

    @Override
    public DiskFile open(String name) throws IOException {
        Path path = folder.resolve(name);
        if (isToRead) {
            Path there = Files.exists(path) ? path : Path.of("/dev/null");
            return new OpenFile(there, FileChannel.open(there, StandardOpenOption.READ));
        }
        try {
            Files.createDirectories(path.toAbsolutePath().getParent());
            return new OpenFile(
                    path,
                    FileChannel.open(
                            path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
        } catch (IOException failed) {
            throw told(failed);
        }
    }

    /** What the system says, in whatever language, of a disk that is full: this device of Linux always is. */
    private static String full() {
        try (FileChannel full = FileChannel.open(Path.of("/dev/full"), StandardOpenOption.WRITE)) {
            int written = full.write(ByteBuffer.allocate(1));
            return "wrote " + written; // no disk is full of that
        } catch (IOException itself) {
            return String.valueOf(itself.getMessage());
        }
    }

    private static IOException told(IOException failed) {
        String words = String.valueOf(failed.getMessage());
        boolean isFull = words.contains(QUOTA) || words.contains(full());
        return isFull ? new NoSpaceException("the disk is full: " + words) : failed;
    }

    @Override
    public List<String> list(String subfolder) throws IOException {
        Path path = subfolder.isEmpty() ? folder : folder.resolve(subfolder);
        if (!Files.isDirectory(path)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(path)) {
            return all.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .map(file -> file.getFileName().toString())
                    .filter(name -> !(subfolder.isEmpty() && name.equals(LOCK)))
                    .sorted()
                    .toList();
        }
    }

    @Override
    public void delete(String name) throws IOException {
        Files.delete(folder.resolve(name));
    }

    /**
     * As fsync(2) says: of a folder it is about the names in it. What else is there, as a file system's lost+found, may
     * be somebody else's, who lets nobody open it.
     */
    @Override
    public void forceNames() throws IOException {
        for (String each : List.of("", Journal.FOLDER, PoolFiles.MAPS_FOLDER)) {
            Path path = folder.resolve(each);
            if (Files.isDirectory(path)) {
                try (FileChannel names = FileChannel.open(path, StandardOpenOption.READ)) {
                    names.force(true);
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }

    private record OpenFile(Path path, FileChannel channel) implements DiskFile {
        @Override
        public void read(ByteBuffer into, long offset) throws IOException {
            long at = offset;
            while (into.hasRemaining()) {
                int count;
                try {
                    count = channel.read(into, at);
                } catch (ClosedChannelException closed) {
                    throw closed;
                } catch (IOException failed) { // which says neither where nor of what
                    throw new IOException(path + " cannot be read at " + at + ": " + failed.getMessage(), failed);
                }
                if (count < 0) {
                    fillWithZeros(into);
                    return;
                }
                at += count;
            }
        }

        /** The system keeps it in its memory then. */
        @Override
        public void willBeRead() {
            Thread.ofVirtual().name("volume-read-ahead").start(() -> {
                ByteBuffer some = ByteBuffer.allocate(AHEAD_BYTES);
                try {
                    for (long at = 0; channel.read(some.clear(), at) > 0; at += AHEAD_BYTES) {
                        // Goes on.
                    }
                } catch (IOException failed) {
                    LOG.debug("{} could not be read ahead; who reads it is told", path, failed);
                }
            });
        }

        @Override
        public void forget() {
            try {
                Holes.forget(path);
            } catch (IOException failed) {
                LOG.debug("{} is read from memory where the system has it there", path, failed);
            }
        }

        @Override
        public long nextData(long offset) {
            try {
                return Holes.nextData(path, offset);
            } catch (IOException | UnsupportedOperationException failed) {
                LOG.debug("all of {} is read", path, failed);
                return offset;
            }
        }

        private static void fillWithZeros(ByteBuffer into) {
            while (into.hasRemaining()) {
                into.put((byte) 0);
            }
        }

        @Override
        public void write(ByteBuffer from, long offset) throws IOException {
            long at = offset;
            while (from.hasRemaining()) {
                try {
                    at += channel.write(from, at);
                } catch (IOException failed) {
                    throw told(failed);
                }
            }
        }

        @Override
        public void force() throws IOException {
            channel.force(false);
        }

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public void truncate(long size) throws IOException {
            channel.truncate(size);
        }

        @Override
        public void punch(long offset, long length) throws IOException {
            Holes.punch(path, offset, length);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
