package dev.retier.volume.wire;

import dev.retier.volume.pool.Checksums;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/** What is behind the head of a slot. */
final class Payload {
    private Payload() {}

    /** The data, if it has the length and the checksum that the head says in these two fields. */
    static Optional<ByteBuffer> proven(ByteBuffer slot, int headBytes, int lengthField, int checksumField) {
        ByteBuffer head = slot.slice(0, headBytes).order(ByteOrder.LITTLE_ENDIAN);
        int length = head.getInt(lengthField);
        boolean isGood = length >= 0
                && length <= slot.capacity() - headBytes
                && head.getInt(checksumField) == Checksums.of(slot, headBytes, length);
        return isGood ? Optional.of(slot.slice(headBytes, length)) : Optional.empty();
    }
}
