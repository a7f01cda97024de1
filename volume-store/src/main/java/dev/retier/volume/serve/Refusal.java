package dev.retier.volume.serve;

import dev.retier.volume.wire.Status;
import java.io.Serial;

/** What a client asked for is not done; its message says why, for people. */
final class Refusal extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final Status status;

    Refusal(Status status, String why) {
        super(why, null, false, false);
        this.status = status;
    }

    Status status() {
        return status;
    }
}
