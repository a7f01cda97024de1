package dev.retier.fabric.calls;

/** How a call ended at the node that was called. */
public enum Status {
    /** The function ended; the bytes are its answer. */
    DONE(0),
    /** The function failed; the bytes are a sentence about it. */
    FAILED(1),
    /** Nothing is registered under this number; nothing was done. */
    NO_FUNCTION(2),
    /** The deadline passed before the function's turn came; nothing was done. */
    EXPIRED(3),
    /** The caller cancelled before the function's turn came; nothing was done. */
    CANCELLED(4),
    /** The function ended, but its answer is longer than an answer may be. */
    ANSWER_TOO_LONG(5);

    private final byte code;

    Status(int code) {
        this.code = (byte) code;
    }

    byte code() {
        return code;
    }

    static Status decode(byte code) throws ProtocolError {
        for (Status status : values()) {
            if (status.code == code) {
                return status;
            }
        }
        throw new ProtocolError("status " + code + " is not known");
    }
}
