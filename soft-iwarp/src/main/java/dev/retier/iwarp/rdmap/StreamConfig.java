package dev.retier.iwarp.rdmap;

import dev.retier.iwarp.memory.StreamIdentity;

/**
 * The sizes of one stream.
 *
 * @param who its number and protection domain
 * @param maxSendWork send work requests at most, at least 1
 * @param maxReceiveWork receives at most, at least 1
 * @param maxElements scatter/gather elements per work request at most, at least 1
 */
public record StreamConfig(StreamIdentity who, int maxSendWork, int maxReceiveWork, int maxElements) {
    /** Checks the ranges. */
    public StreamConfig {
        if (maxSendWork < 1 || maxReceiveWork < 1 || maxElements < 1) {
            throw new IllegalArgumentException("a queue pair needs at least one send, receive and element, not "
                    + maxSendWork + ", " + maxReceiveWork + ", " + maxElements);
        }
    }
}
