package dev.retier.volume.wire;

import java.util.Optional;

/** How a request ended; by its code on the wire. */
public enum Status {
    /** It was done. */
    DONE(0),
    /** The disk failed, or has something else than was written. */
    IO_ERROR(1),
    /** There is no room left. */
    NO_SPACE(2),
    /** Somebody else has attached the volume since. */
    FENCED(3),
    /** There is no such volume. */
    UNKNOWN_VOLUME(4),
    /** Somebody has it attached for writing, or this node may not attach it. */
    NOT_ALLOWED(5),
    /** What came is not what the client has sent. */
    BAD_DATA(6),
    /** It reaches beyond the volume, or cannot be. */
    INVALID(7),
    /** What was there of the client before has not ended yet; it may ask again. */
    BUSY(8);

    private final int code;

    Status(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    static Optional<Status> of(int code) {
        for (Status status : values()) {
            if (status.code == code) {
                return Optional.of(status);
            }
        }
        return Optional.empty();
    }
}
