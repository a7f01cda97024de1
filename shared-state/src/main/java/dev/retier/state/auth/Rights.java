package dev.retier.state.auth;

/** What a connection may do with the node that accepted it. */
public enum Rights {
    /** Read the slot. */
    VIEWER(1),
    /** Also change role word, lock words and its own announcement word. */
    MEMBER(2),
    /** Call the node's functions, and use the memory that it registers for this peer; has nothing to do with slots. */
    FABRIC(3);

    private final byte code;

    Rights(int code) {
        this.code = (byte) code;
    }

    byte code() {
        return code;
    }

    static Rights decode(byte code) throws BadMessage {
        for (Rights rights : values()) {
            if (rights.code == code) {
                return rights;
            }
        }
        throw new BadMessage("rights " + code + " are not known");
    }
}
