package dev.retier.iwarp.net;

import org.jspecify.annotations.Nullable;

/**
 * The memory of one queue pair: its queues, counted at their full size when it is made, and its buffers, counted as
 * they grow. Guarded by the queue pair's lock.
 *
 * <p>A stream whose buffers outgrow a limit ends, and no other: growth is counted right after it happened, so a device
 * exceeds its limit by one buffer of each stream at most.
 */
final class PairMemory {
    /** An entry of the send queue: the object, its list, its inline data at most. Measured with 64-bit objects. */
    static final int SEND_ENTRY_BYTES = 1280;
    /** An entry of the receive queue: the object and its list. */
    static final int RECEIVE_ENTRY_BYTES = 128;
    /** A scatter/gather element: address, length and key. */
    static final int ELEMENT_BYTES = 16;

    private final DeviceLimits limits;
    private final MemoryBudget device;
    private final long queueBytes;
    private long bufferBytes;
    private boolean released;
    private @Nullable String refusal;

    /**
     * Takes the memory of the queues.
     *
     * @throws IllegalArgumentException if one queue pair may not have as much, or the device has it no more
     */
    PairMemory(Device device, SocketQueuePair.Sizes sizes) {
        this.limits = device.config().limits();
        this.device = device.memory();
        this.queueBytes = queueBytes(sizes);
        if (queueBytes > limits.maxConnectionBytes()) {
            throw new IllegalArgumentException("queues of " + queueBytes + " bytes; the device allows a connection "
                    + limits.maxConnectionBytes());
        }
        if (!this.device.take(queueBytes)) {
            throw new IllegalArgumentException(this.device.refusal(queueBytes));
        }
    }

    static long queueBytes(SocketQueuePair.Sizes sizes) {
        long elements = (long) ELEMENT_BYTES * sizes.maxElements();
        return sizes.maxSendWork() * (SEND_ENTRY_BYTES + elements)
                + sizes.maxReceiveWork() * (RECEIVE_ENTRY_BYTES + elements);
    }

    /** Counts the buffers anew. Returns whether they have just grown beyond a limit, so that the stream must end. */
    boolean outgrown(long bytes) {
        if (bytes == bufferBytes || refusal != null) {
            return false;
        }
        long more = bytes - bufferBytes;
        if (queueBytes + bytes > limits.maxConnectionBytes()) {
            refusal = "queues of " + queueBytes + " bytes and buffers of " + bytes + "; the device allows a connection "
                    + limits.maxConnectionBytes();
        } else if (!device.take(more)) {
            refusal = device.refusal(more);
        } else {
            bufferBytes = bytes;
        }
        return refusal != null;
    }

    /** Why the stream had to end, or null. */
    @Nullable
    String refusal() {
        return refusal;
    }

    /** The connection is over; with {@code queuesToo} so is the queue pair. May be called again. */
    void buffersGone(boolean queuesToo) {
        device.give(bufferBytes);
        bufferBytes = 0;
        if (queuesToo && !released) {
            released = true;
            device.give(queueBytes);
        }
    }
}
