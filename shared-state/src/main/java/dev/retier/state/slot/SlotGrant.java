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
 * @param announceAddress of the word in which this peer announces epochs
 * @param announceKey STag for writing it
 * @param bellKey STag for reading the word behind it, which counts the bells that were answered
 */
public record SlotGrant(
        long slotAddress, int readKey, int atomicKey, long announceAddress, int announceKey, int bellKey) {
    /**
     * As a WELCOME carries it, big-endian.
     *
     * <pre>
     *  slot 8 | read key 4 | atomic key 4 | announce 8 | announce key 4 | bell key 4
     * </pre>
     */
    public byte[] encode() {
        return ByteBuffer.allocate(Handshake.GRANT_BYTES)
                .putLong(slotAddress)
                .putInt(readKey)
                .putInt(atomicKey)
                .putLong(announceAddress)
                .putInt(announceKey)
                .putInt(bellKey)
                .array();
    }

    /** What {@link #encode} wrote. */
    public static SlotGrant decode(ByteBuffer grant) {
        ByteBuffer fields = grant.duplicate();
        return new SlotGrant(
                fields.getLong(), fields.getInt(), fields.getInt(), fields.getLong(), fields.getInt(), fields.getInt());
    }
}
