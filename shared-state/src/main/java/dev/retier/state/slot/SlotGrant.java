package dev.retier.state.slot;

import dev.retier.link.auth.Handshake;
import java.nio.ByteBuffer;

/**
 * Where the slot of the accepting node is for this one connection. The keys are good on this connection only and die
 * with it.
 *
 * @param slotAddress of the slot, readable
 * @param readKey STag for reading it
 * @param atomicKey STag for atomics on role word and lock words, at the same addresses
 * @param formerAddress of the two words that a member of version 2 writes and reads to announce; 0 for others
 * @param formerKey STag for that; 0 for others
 */
public record SlotGrant(long slotAddress, int readKey, int atomicKey, long formerAddress, int formerKey) {
    /**
     * As a WELCOME carries it, big-endian.
     *
     * <pre>
     *  slot 8 | read key 4 | atomic key 4 | former words 8 | key to write them 4 | key to read them 4
     * </pre>
     */
    public byte[] encode() {
        return ByteBuffer.allocate(Handshake.GRANT_BYTES)
                .putLong(slotAddress)
                .putInt(readKey)
                .putInt(atomicKey)
                .putLong(formerAddress)
                .putInt(formerKey)
                .putInt(formerKey)
                .array();
    }

    /** What {@link #encode} wrote; throws {@link IllegalArgumentException} when that is too short. */
    public static SlotGrant decode(ByteBuffer grant) {
        if (grant.remaining() < Handshake.GRANT_BYTES) {
            throw new IllegalArgumentException("it grants " + grant.remaining() + " bytes, no slot");
        }
        ByteBuffer fields = grant.duplicate();
        return new SlotGrant(fields.getLong(), fields.getInt(), fields.getInt(), fields.getLong(), fields.getInt());
    }
}
