package dev.retier.volume.wire;

import java.util.Optional;

/** How a request ended; by its code on the wire. What is behind another answer than DONE says why, for people. */
public enum Status {
    /** It was done. */
    DONE(0),
    /** The disk failed, or has something else than was written. */
    IO_ERROR(1),
    /** Somebody else has attached the volume since. */
    FENCED(2),
    /** There is no such volume, or there is one already. */
    WRONG_NAME(3),
    /** Somebody has it attached. */
    HELD(4),
    /** What came is not what the client has sent. */
    BAD_DATA(5),
    /** It reaches beyond the volume, or cannot be. */
    INVALID(6),
    /** What was there of the client before has not ended yet; it may ask again. */
    BUSY(7),
    /** There is no room on the disk for it; nothing of it was done, and reads go on. */
    NO_SPACE(8);

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
