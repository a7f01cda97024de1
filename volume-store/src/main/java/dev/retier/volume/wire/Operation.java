package dev.retier.volume.wire;

import java.util.Optional;

/** What a client asks for; by its code on the wire. */
public enum Operation {
    /**
     * The client says where the server writes its answers: {@link Request#offset} the address, its volume the key; and
     * behind the request what it is called.
     */
    OPEN(1),
    /**
     * A volume, by the name behind the request, to write to, or to read; the answer has the epoch. Or, to read, a
     * snapshot by the names of both.
     */
    ATTACH(2),
    /** It goes on with the epoch that it was given, by another connection or at a server that was started anew. */
    RESUME(3),
    /** It needs it no more. */
    DETACH(4),
    /** It still needs it. */
    RENEW(5),
    /** Data. */
    READ(6),
    /** The data behind the request. */
    WRITE(7),
    /** All that was answered is on the disk. */
    FLUSH(8),
    /** A range reads as zeros. */
    ZERO(9),
    /** Which parts of a range hold something. */
    EXTENTS(10),
    /** A new volume, by the name behind the request, of {@link Request#offset} bytes. */
    CREATE(11),
    /** The volume of that number, and all it holds, is gone. */
    DELETE(12),
    /** The volume of that number has {@link Request#offset} bytes from now on; behind the request is what it has. */
    RESIZE(13),
    /** What volumes there are, from the number {@link Request#volume} on. */
    LIST(14),
    /** What a volume has in this moment is kept: by the names of both behind the request. */
    SNAPSHOT(15),
    /** A volume that nobody has attached since that epoch has again what a snapshot of it has: by their names. */
    ROLL_BACK(16),
    /** A new volume that has what a snapshot has: by the names of the volume, the snapshot and the new one. */
    CLONE(17),
    /** A snapshot is gone: by the names of the volume and its own. */
    DELETE_SNAPSHOT(18),
    /**
     * Clusters of the volume of that number in which only zeros were written are not kept any more: a part, from the
     * block {@link Request#offset} on. With the last part what is free is given back to the server's file system.
     */
    TRIM(19),
    /** What the volume, or snapshot, of that number keeps is read and proven: a part, as of a trim. */
    SCRUB(20),
    /**
     * What a client will do with a range, {@link Request#MOST_HINT_BYTES} at most; see {@link Request#NOT_NEEDED}.
     * Answered at once.
     */
    HINT(21),
    /** All about a volume, by the name behind the request. */
    SHOW(25),
    /** Who has the volume of that number by {@link Request#epoch} to write to has it no more. */
    EVICT(26),
    /**
     * What is asked of a volume by the name behind the request: recorded as long as somebody asks for it. From the
     * record {@link Request#offset} on; below 0 from now on.
     */
    TRACE(30);

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

    /** Whether it changes what the volume holds. */
    public boolean isChange() {
        return this == WRITE || this == ZERO;
    }

    /** Whether it changes what volumes there are, how large they are, or who has them. */
    public boolean isOfCatalogue() {
        return switch (this) {
            case CREATE, CLONE, DELETE, RESIZE, ROLL_BACK, ATTACH, DETACH, EVICT -> true;
            default -> false;
        };
    }

    /** Whether it is about a range of an attached volume. */
    public boolean hasRange() {
        return isChange() || this == READ || this == EXTENTS || this == HINT;
    }

    /** Whether only who has the volume attached may ask for it. */
    public boolean needsAttachment() {
        return hasRange() || this == FLUSH || this == RENEW || this == DETACH;
    }
}
