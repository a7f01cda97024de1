package dev.retier.volume.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** A folder of a file system. One process has it at a time. */
public final class FolderDisk implements Disk {
    private static final String LOCK = "lock";

    private final Path folder;
    private final FileChannel lockFile;

    private FolderDisk(Path folder, FileChannel lockFile) {
        this.folder = folder;
        this.lockFile = lockFile;
    }

    /**
     * Opens {@code folder}, which is there.
     *
     * @throws IOException if it cannot be read and written, or another process has it
     */
    public static FolderDisk open(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new IOException(folder + " is no folder; make it, for the user of this process alone");
        }
        FileChannel lockFile =
                FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = lockFile.tryLock();
            if (lock != null) {
                return new FolderDisk(folder, lockFile);
            }
        } catch (OverlappingFileLockException sameProcess) {
            // Said below.
        }
        lockFile.close();
        throw new IOException(folder + " is in use by another volume server; a pool has one");
    }

    @Override
    public long freeBytes() throws IOException {
        return Files.getFileStore(folder).getUsableSpace();
    }

    @Override
    public DiskFile open(String name) throws IOException {
        Path path = folder.resolve(name);
        Files.createDirectories(path.toAbsolutePath().getParent());
        return new OpenFile(
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
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

    /** As fsync(2) says: of a folder it is about the names in it. */
    @Override
    public void forceNames() throws IOException {
        try (Stream<Path> all = Files.walk(folder, 1)) {
            for (Path each : all.filter(Files::isDirectory).toList()) {
                try (FileChannel names = FileChannel.open(each, StandardOpenOption.READ)) {
                    names.force(true);
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        lockFile.close();
    }

    private record OpenFile(FileChannel channel) implements DiskFile {
        @Override
        public void read(ByteBuffer into, long offset) throws IOException {
            long at = offset;
            while (into.hasRemaining()) {
                int count = channel.read(into, at);
                if (count < 0) {
                    fillWithZeros(into);
                    return;
                }
                at += count;
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
                at += channel.write(from, at);
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
        public void close() throws IOException {
            channel.close();
        }
    }
}
