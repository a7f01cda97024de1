package dev.retier.fabric.locks;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * What a node asks the home of a read/write lock or a barrier, big-endian.
 *
 * <pre>
 *  what 4 | number 4 | id of the party 8 | argument 4
 * </pre>
 *
 * @param argument the mode of a read/write lock, or the parties of a barrier
 */
record HomeRequest(What what, int number, long id, int argument) {
    private static final int LENGTH_BYTES = 20;

    enum What {
        /** Asks, or asks again. */
        ASK(1),
        /** Proves that it lives. */
        RENEW(2),
        /** Is over with it. */
        LEAVE(3);

        private final int code;

        What(int code) {
            this.code = code;
        }

        static What decode(int code) {
            for (What what : values()) {
                if (what.code == code) {
                    return what;
                }
            }
            throw new IllegalArgumentException("question " + code + " is not known");
        }
    }

    byte[] encode() {
        return ByteBuffer.allocate(LENGTH_BYTES)
                .putInt(what.code)
                .putInt(number)
                .putLong(id)
                .putInt(argument)
                .array();
    }

    /**
     * What {@link #encode} wrote.
     *
     * @throws IllegalArgumentException if nothing can have written it
     */
    static HomeRequest decode(byte[] body) {
        ByteBuffer fields = ByteBuffer.wrap(body);
        if (body.length != LENGTH_BYTES) {
            throw new IllegalArgumentException("a question of " + body.length + " bytes");
        }
        What what = What.decode(fields.getInt());
        int number = fields.getInt();
        if (number < 0 || number > LockPlace.MAX_NUMBER) {
            throw new IllegalArgumentException("a question about number " + number);
        }
        return new HomeRequest(what, number, fields.getLong(), fields.getInt());
    }

    /**
     * How it stands, as the home answers.
     *
     * @param code its meaning is that of the function
     * @param value a token or round
     */
    record Answer(int code, long value) {
        private static final int ANSWER_BYTES = 12;

        byte[] encode() {
            return ByteBuffer.allocate(ANSWER_BYTES).putInt(code).putLong(value).array();
        }

        static Optional<Answer> decode(byte[] body) {
            ByteBuffer fields = ByteBuffer.wrap(body);
            return body.length == ANSWER_BYTES
                    ? Optional.of(new Answer(fields.getInt(), fields.getLong()))
                    : Optional.empty();
        }
    }
}
