package dev.retier.volume.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A request as it was recorded, 24 bytes.
 *
 * <pre>
 *  microseconds 8 | offset 8 | length 4 | operation 1 | zero 3
 * </pre>
 *
 * @param micros since the recording began
 * @param length of the range, unsigned; 0 of what has none
 */
public record TracedRequest(long micros, Operation operation, long offset, int length) {
    private static final int BYTES = 24;

    /** Appends it, if there is room; whether there was. */
    public boolean put(ByteBuffer into) {
        if (into.remaining() < BYTES) {
            return false;
        }
        into.order(ByteOrder.LITTLE_ENDIAN)
                .putLong(micros)
                .putLong(offset)
                .putInt(length)
                .putInt(operation.code());
        return true;
    }

    /** All of {@code from}; empty if that are none. */
    public static Optional<List<TracedRequest>> all(ByteBuffer from) {
        ByteBuffer bytes = from.slice().order(ByteOrder.LITTLE_ENDIAN);
        List<TracedRequest> found = new ArrayList<>();
        while (bytes.remaining() >= BYTES) {
            long micros = bytes.getLong();
            long offset = bytes.getLong();
            int length = bytes.getInt();
            Optional<Operation> operation = Operation.of(bytes.getInt());
            if (operation.isEmpty()) {
                return Optional.empty();
            }
            found.add(new TracedRequest(micros, operation.get(), offset, length));
        }
        return bytes.hasRemaining() ? Optional.empty() : Optional.of(found);
    }
}
