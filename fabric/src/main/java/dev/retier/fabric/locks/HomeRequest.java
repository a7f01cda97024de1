package dev.retier.fabric.locks;

import java.nio.ByteBuffer;
import java.util.List;
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
    private static final List<What> WHATS = List.of(What.ASK, What.RENEW, What.LEAVE);

    /** What it asks for. */
    enum What {
        /** Asks, or asks again. */
        ASK,
        /** Proves that it lives. */
        RENEW,
        /** Is over with it. */
        LEAVE
    }

    /** Another request of the same party. */
    HomeRequest as(What other) {
        return new HomeRequest(other, number, id, argument);
    }

    byte[] encode() {
        return ByteBuffer.allocate(LENGTH_BYTES)
                .putInt(WHATS.indexOf(what) + 1)
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
            throw new IllegalArgumentException("a request of " + body.length + " bytes");
        }
        What what = decode(WHATS, fields.getInt());
        int number = fields.getInt();
        if (number < 0 || number > LockPlace.MAX_NUMBER) {
            throw new IllegalArgumentException("a request about number " + number);
        }
        return new HomeRequest(what, number, fields.getLong(), fields.getInt());
    }

    /** What has the place {@code code} in a list, from 1; throws {@link IllegalArgumentException} if nothing has. */
    static <E> E decode(List<E> codes, int code) {
        if (code < 1 || code > codes.size()) {
            throw new IllegalArgumentException("code " + code + " is not known among " + codes);
        }
        return codes.get(code - 1);
    }

    /**
     * How it stands, as the home answers.
     *
     * @param code 1 to 3; its meaning is that of the function
     * @param value a token or round
     */
    record Answer(int code, long value) {
        private static final int ANSWER_BYTES = 12;
        private static final int MAX_CODE = 3;

        byte[] encode() {
            return ByteBuffer.allocate(ANSWER_BYTES).putInt(code).putLong(value).array();
        }

        /** Nothing if nobody can have written it. */
        static Optional<Answer> decode(byte[] body) {
            ByteBuffer fields = ByteBuffer.wrap(body);
            boolean fits = body.length == ANSWER_BYTES;
            Answer answer = fits ? new Answer(fields.getInt(), fields.getLong()) : new Answer(0, 0);
            return answer.code >= 1 && answer.code <= MAX_CODE ? Optional.of(answer) : Optional.empty();
        }
    }
}
