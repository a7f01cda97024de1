package dev.retier.config.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What some files say, read again when one of them has changed. Safe for any thread.
 *
 * @param <T> what is made of them, immutable
 */
public final class Rereading<T> {
    private final List<Path> files;
    private final IntFunction<T> reader;
    private final RereadListener listener;

    // Guarded by this.
    private List<Stamp> stamps;
    private int readings = 1;
    private volatile T value;

    /** What changes of a file when it is written or replaced; null components where it cannot be looked at. */
    private record Stamp(
            @Nullable FileTime time, long bytes, @Nullable Object inode) {
        static Stamp of(Path file) {
            try {
                BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
                return new Stamp(now.lastModifiedTime(), now.size(), now.fileKey());
            } catch (IOException unreadable) {
                return new Stamp(null, -1, null);
            }
        }
    }

    /**
     * Reads for the first time.
     *
     * @param reader given the number of the reading, from 1 on; throws {@link PemException} if the files are no good
     * @param listener hears of later readings
     */
    public Rereading(List<Path> files, IntFunction<T> reader, RereadListener listener) {
        this.files = List.copyOf(files);
        this.reader = reader;
        this.listener = listener;
        this.stamps = look();
        this.value = reader.apply(readings);
    }

    private List<Stamp> look() {
        List<Stamp> found = new ArrayList<>();
        for (Path file : files) {
            found.add(Stamp.of(file));
        }
        return found;
    }

    /** What the files said when they were last good, without looking at them. */
    public T last() {
        return value;
    }

    /** What the files say, or said when they were last good. */
    public synchronized T current() {
        List<Stamp> now = look(); // first: what changes while it is read is seen the next time
        if (!now.equals(stamps)) {
            stamps = now;
            try {
                value = reader.apply(readings + 1);
                readings++;
                listener.taken(files);
            } catch (PemException unusable) {
                listener.refused(unusable);
            }
        }
        return value;
    }
}
