package dev.retier.volume.connect;

import dev.retier.volume.wire.Status;
import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** What was asked of a volume server was not done; the message says why, for people. */
public final class VolumeException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final Status status;
    private final boolean isOfOneBlock;

    VolumeException(Status status, String why) {
        this(status, why, false);
    }

    /** {@code isOfOneBlock}: whether that is not what was written, or cannot be read, and nothing else has failed. */
    VolumeException(Status status, String why, boolean isOfOneBlock) {
        super(why);
        this.status = status;
        this.isOfOneBlock = isOfOneBlock;
    }

    /** Whether this says that the server's disk has failed: what was answered and not flushed may be lost. */
    static boolean isLoss(@Nullable IOException why) {
        return why instanceof VolumeException refused && refused.status == Status.IO_ERROR && !refused.isOfOneBlock;
    }

    /** How it ended. */
    public Status status() {
        return status;
    }

    /** The same, from where it is thrown now. */
    VolumeException again() {
        VolumeException again = new VolumeException(status, String.valueOf(getMessage()), isOfOneBlock);
        again.initCause(this);
        return again;
    }
}
