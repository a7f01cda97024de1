package dev.retier.fabric.calls;

/** How urgent an operation is. */
public enum Priority {
    /** Goes first. */
    HIGH(0),
    /** Goes when it disturbs no other, and a little always. */
    LOW(1);

    private final byte code;

    Priority(int code) {
        this.code = (byte) code;
    }

    byte code() {
        return code;
    }

    static Priority decode(byte code) throws ProtocolError {
        return switch (code) {
            case 0 -> HIGH;
            case 1 -> LOW;
            default -> throw new ProtocolError("priority " + code + " is not known");
        };
    }
}
