package dev.retier.volume.slots;

import dev.retier.link.Completions;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection between a volume server and a client: for each request that may be under way a slot of each
 * end's memory, into which the other end writes, and announces it by the number of the slot. So a message needs no
 * memory but its slot's, and who has a slot has the right to use it.
 *
 * <p>Thread-safe; a slot belongs to whoever is to write or read it by the order of request and answer.
 */
public interface Slots {
    /** What there is of slots. */
    SlotLink.Shape shape();

    /** Where the peer writes to. */
    long address();

    /** By which key it may. */
    int key();

    /** From now on it is known where the peer's slots are. */
    void aim(long address, int key);

    /** What the peer has written to a slot; a peer that breaks the rules changes it at any time. */
    ByteBuffer incoming(int slot);

    /** What is written to the peer's slot by {@link #send}. */
    ByteBuffer outgoing(int slot);

    /**
     * Writes the first {@code bytes} bytes of a slot to the peer's, once {@link #post} is called. Does nothing once the
     * connection is over.
     */
    void send(int slot, int bytes);

    /** As {@link #send(int, int)}, with {@code more} behind these bytes, which are left alone until the answer. */
    void send(int slot, int bytes, List<SlotLink.Piece> more);

    /** Whether the thread that tells of what came has been at it for a while, so that answers to that wait. */
    boolean isBehind();

    /** What was sent leaves, together. */
    void post();

    /** Where what the peer sends is told of; null if it is told without anybody's asking. */
    @Nullable
    Completions completions();

    /** Something has come from the peer. */
    void heard();

    /** Since when the peer's provider owes something; {@code nowNanos} if it does not. Asks it now and then. */
    long oldestNanos(long nowNanos);

    /** The peer breaks the rules: the connection ends. */
    void broken(String reason);

    /** The connection is over. */
    void close();
}
