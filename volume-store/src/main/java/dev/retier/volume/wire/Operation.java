package dev.retier.volume.wire;

import java.util.Optional;

/** What a client asks for; by its code on the wire. */
public enum Operation {
    /** A volume by name, for reading or for writing. */
    ATTACH(1),
    /** It needs it no more. */
    DETACH(2),
    /** It still needs it. */
    RENEW(3),
    /** Data, into the client's buffer. */
    READ(4),
    /** Data that the client has written into its staging slot. */
    WRITE_PUSHED(5),
    /** Data that the server reads from the client's buffer. */
    WRITE_PULLED(6),
    /** All that was answered is on the disk. */
    FLUSH(7),
    /** A range reads as zeros. */
    ZERO(8),
    /** A range may read as zeros. */
    DISCARD(9);

    private final int code;

    Operation(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    static Optional<Operation> of(int code) {
        for (Operation operation : values()) {
            if (operation.code == code) {
                return Optional.of(operation);
            }
        }
        return Optional.empty();
    }

    /** Whether it changes the volume. */
    public boolean isChange() {
        return this == WRITE_PUSHED || this == WRITE_PULLED || this == ZERO || this == DISCARD;
    }

    /** Whether it is about a range of the volume. */
    public boolean hasRange() {
        return isChange() || this == READ;
    }
}
