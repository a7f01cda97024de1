package dev.retier.system.exchange;

import java.nio.ByteBuffer;

/** A short message by which the two ends of an exchange keep step. The ends may differ in byte order. */
record Note(long first, long second, long third) {
    static final int BYTES = 3 * Long.BYTES;
    /** Everything was right so far. */
    static final Note RIGHT = new Note(1, 0, 0);
    /** What the sender has found is wrong; it says so itself. */
    static final Note WRONG = new Note(2, 0, 0);

    static Note of(ByteBuffer message) throws Wrong {
        if (message.remaining() != BYTES) {
            throw new Wrong("a note of " + message.remaining() + " bytes instead of " + BYTES);
        }
        return new Note(message.getLong(), message.getLong(), message.getLong());
    }

    void put(ByteBuffer target) {
        target.putLong(first).putLong(second).putLong(third);
    }
}
