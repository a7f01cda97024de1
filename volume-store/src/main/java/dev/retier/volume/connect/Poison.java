package dev.retier.volume.connect;

import dev.retier.volume.Volume.Option;
import dev.retier.volume.VolumeName;
import java.io.IOException;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a flush that failed leaves: what it should have brought to the disk may be lost, so that no later one may
 * succeed over it. Thread-safe.
 */
final class Poison {
    private final VolumeName name;
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

    /** Takes the end of a request with these options. */
    Consumer<@Nullable IOException> of(Set<Option> options) {
        return options.contains(Option.FORCED) ? this::flushed : _ -> {};
    }

    /** Takes the end of a flush; one that was refused before it brought anything to the disk leaves nothing. */
    void flushed(@Nullable IOException failed) {
        if (failed != null && VolumeException.isLoss(failed)) {
            why = String.valueOf(failed.getMessage());
        }
    }

    /** Why a volume could not be flushed and given back, and of how many bytes that leaves the fate open. */
    static IOException notGivenBack(VolumeName name, long unflushed, IOException why) {
        String state = unflushed == 0
                ? "all that was answered is on the server's disk, and it could not be given back: "
                : unflushed + " bytes were answered and not flushed, and are lost if the server's machine loses its"
                        + " power: ";
        return new IOException(name + ": " + state + why.getMessage(), why);
    }
}
