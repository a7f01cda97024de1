package dev.retier.volume.connect;

import dev.retier.volume.wire.Operation;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A request that was asked for, as long as its end is awaited or it may have to be sent again.
 *
 * @param data what is behind the request; nobody changes it
 * @param into where the data of its answer goes; no room if it has none
 * @param pending told how it ended
 */
record Ticket(
        Operation operation,
        int flags,
        int length,
        long offset,
        int volume,
        int epoch,
        Pieces data,
        Pieces into,
        Pending pending) {
    static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /**
     * It was done.
     *
     * @param data of its answer, where it was not asked to go elsewhere
     */
    record Ended(int volume, int epoch, long value, ByteBuffer data) {}

    void fail(IOException why) {
        pending.failed(why);
    }
}
