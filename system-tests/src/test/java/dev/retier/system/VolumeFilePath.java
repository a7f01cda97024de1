package dev.retier.system;

import dev.retier.volume.channel.VolumeFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.h2.store.fs.FilePath;

/** Files of H2 on volumes: {@code volume:NAME}, each a volume that is there already; the rest of H2 stays as it is. */
public final class VolumeFilePath extends FilePath {
    private static final String SCHEME = "volume";
    private static final Map<String, VolumeFile> FILES = new ConcurrentHashMap<>();

    /** From now on H2 finds a file there. */
    static void put(String name, VolumeFile file) {
        FILES.put(SCHEME + ":" + name, file);
        FilePath.register(new VolumeFilePath());
    }

    static void remove(String name) {
        FILES.remove(SCHEME + ":" + name);
    }

    private VolumeFile file() throws IOException {
        VolumeFile file = FILES.get(name);
        if (file == null) {
            throw new IOException("there is no volume for " + name);
        }
        return file;
    }

    @Override
    public FileChannel open(String mode) throws IOException {
        return mode.equals("r")
                ? file().open(StandardOpenOption.READ)
                : file().open(StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    @Override
    public long size() {
        VolumeFile file = FILES.get(name);
        return file == null ? 0 : file.size();
    }

    @Override
    public boolean exists() {
        return isDirectory() || isRegularFile();
    }

    @Override
    public boolean createFile() {
        return false;
    }

    @Override
    public void delete() {
        throw new UnsupportedOperationException("a volume is deleted by its server");
    }

    @Override
    public void moveTo(FilePath to, boolean isAtomic) {
        throw new UnsupportedOperationException("a volume keeps its name");
    }

    @Override
    public FilePath getPath(String path) {
        VolumeFilePath other = new VolumeFilePath();
        other.name = path;
        return other;
    }

    @Override
    public List<FilePath> newDirectoryStream() {
        return FILES.keySet().stream().map(this::getPath).toList();
    }

    @Override
    public FilePath createTempFile(String suffix, boolean inTempDir) throws IOException {
        return FilePath.get(System.getProperty("java.io.tmpdir") + "/h2").createTempFile(suffix, true);
    }

    @Override
    public FilePath toRealPath() {
        return this;
    }

    @Override
    public FilePath getParent() {
        return getPath(SCHEME + ":");
    }

    @Override
    public boolean isDirectory() {
        return name.equals(SCHEME + ":");
    }

    @Override
    public boolean isRegularFile() {
        return FILES.containsKey(name);
    }

    @Override
    public boolean isAbsolute() {
        return true;
    }

    @Override
    public long lastModified() {
        return 0;
    }

    @Override
    public boolean canWrite() {
        return true;
    }

    @Override
    public boolean setReadOnly() {
        return false;
    }

    @Override
    public void createDirectory() {
        // There is one.
    }

    @Override
    public String getScheme() {
        return SCHEME;
    }
}
