package dev.retier.volume.connect;

import dev.retier.volume.wire.Status;
import java.io.IOException;
import java.io.Serial;

/** What was asked of a volume server was not done; the message says why, for people. */
public final class VolumeException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final Status status;

    VolumeException(Status status, String why) {
        super(why);
        this.status = status;
    }

    /** How it ended. */
    public Status status() {
        return status;
    }

    /** The same, from where it is thrown now. */
    VolumeException again() {
        VolumeException again = new VolumeException(status, String.valueOf(getMessage()));
        again.initCause(this);
        return again;
    }
}
