package dev.retier.volume.connect;

import dev.retier.volume.Volume.Option;
import dev.retier.volume.VolumeName;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a flush that failed leaves: what it should have brought to the disk may be lost, so that no later one may
 * succeed over it. And how many changes and flushes failed, which were to bring to the server what programs may hold
 * for kept. Thread-safe.
 */
final class Poison {
    private final VolumeName name;
    private final AtomicLong failures = new AtomicLong();
    private volatile String why = "";

    Poison(VolumeName name) {
        this.name = name;
    }

    /** Refuses a change once there is some, or of a volume that is attached for reading. */
    void refuse(boolean isReadOnly) throws IOException {
        if (isReadOnly) {
            throw new IOException(name + " is attached for reading");
        }
        if (!why.isEmpty()) {
            throw new IOException("a flush of " + name + " failed (" + why + "), so that what was written may be lost;"
                    + " attach it anew");
        }
    }

    /** Takes the end of a change with these options, or of a flush that a program asked for, which is forced. */
    Consumer<@Nullable IOException> of(Set<Option> options) {
        return failed -> {
            if (failed != null) {
                failures.incrementAndGet();
            }
            if (options.contains(Option.FORCED)) {
                flushed(failed);
            }
        };
    }

    /** How many of these failed. */
    long failures() {
        return failures.get();
    }

    /** Takes the end of a flush; one that was refused before it brought anything to the disk leaves nothing. */
    void flushed(@Nullable IOException failed) {
        if (failed != null && VolumeException.isLoss(failed)) {
            why = String.valueOf(failed.getMessage());
        }
    }

    /**
     * Why a volume could not be flushed and given back, and what that leaves open: the fate of {@code unflushed} bytes,
     * and what was lost before, see {@link VolumeFacts#lost}.
     */
    static IOException notGivenBack(VolumeName name, long unflushed, Optional<String> lost, IOException why) {
        String state = unflushed == 0
                ? "all that was answered is on the server's disk"
                : unflushed + " bytes were answered and not flushed, and are lost if the server's machine loses its"
                        + " power";
        String before = lost.map(what -> "; " + what).orElse("");
        return new IOException(name + ": " + state + before + "; it could not be given back: " + why.getMessage(), why);
    }
}
