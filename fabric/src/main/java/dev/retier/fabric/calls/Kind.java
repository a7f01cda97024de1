package dev.retier.fabric.calls;

/** What a message is for. */
public enum Kind {
    /** Asks a function for an answer. */
    CALL(1),
    /** Brings something to a function; answered when the function takes it, not when it has ended. */
    ONE_WAY(2),
    /** Ends a call or note: the function's answer, or why there is none. */
    ANSWER(3),
    /** The caller does not want the answer any more; it gets one all the same. */
    CANCEL(4),
    /** The first message of a connection: where the answers go. */
    OPEN(5);

    private final byte code;

    Kind(int code) {
        this.code = (byte) code;
    }

    byte code() {
        return code;
    }

    static Kind decode(byte code) throws ProtocolError {
        for (Kind kind : values()) {
            if (kind.code == code) {
                return kind;
            }
        }
        throw new ProtocolError("kind " + code + " is not known");
    }
}
