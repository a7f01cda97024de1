package dev.retier.fabric.regions;

import dev.retier.fabric.directory.Permission;
import dev.retier.fabric.directory.Permissions;
import dev.retier.fabric.directory.RegionFailure;
import dev.retier.fabric.directory.RegionName;
import dev.retier.link.NodeId;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A region that this node has mapped: opaque, good on this node alone, and never to be handed to another.
 *
 * <p>Safe for any thread. Permissions and bounds are checked here at each use, and by the holders' registrations. Once
 * a handle has failed with {@link RegionFailure#MOVED}, {@link RegionFailure#FREED}, {@link RegionFailure#REVOKED} or
 * {@link RegionFailure#UNMAPPED} it does so for ever; {@link #remap} gives a fresh one. When a connection breaks, reads
 * and writes are sent again until their deadline. A write that is sent again may overwrite what another node has
 * written in between: use {@link #compareAndSet} where nodes share a word.
 *
 * <p>Memory of the caller is on the heap or in a shared or automatic arena. While an operation uses it, leave it alone
 * and open: one that finds it closed fails with {@link RegionFailure#CLOSED}. After the operation has ended, by its
 * deadline too, nothing touches it any more. Futures end on a thread that must not be blocked.
 */
public interface Region extends AutoCloseable {
    /** Its name. */
    RegionName name();

    /** Its length in bytes. */
    long lengthBytes();

    /** What it was mapped for. */
    Permissions permissions();

    /** Grows with each change of its places and grants. */
    long version();

    /** Where each of its parts is, in the order of the bytes. */
    List<NodeId> placement();

    /**
     * Reads from {@code offset} on into {@code into}, one segment after the other. Ends with {@link RegionException}.
     */
    CompletableFuture<Void> readAsync(long offset, List<MemorySegment> into, Duration deadline);

    /** Writes {@code from}, one segment after the other, from {@code offset} on. Ends with {@link RegionException}. */
    CompletableFuture<Void> writeAsync(long offset, List<MemorySegment> from, Duration deadline);

    /** Sets the word at {@code offset}, a multiple of 8, to {@code value} if it is {@code expected}. */
    CompletableFuture<AtomicOutcome> compareAndSetAsync(long offset, long expected, long value, Duration deadline);

    /** Adds {@code addend} to the word at {@code offset}, a multiple of 8. */
    CompletableFuture<AtomicOutcome> fetchAddAsync(long offset, long addend, Duration deadline);

    /**
     * Reads and waits.
     *
     * @throws RegionException if it failed; then what {@code into} holds is undefined
     */
    void read(long offset, List<MemorySegment> into, Duration deadline);

    /**
     * Writes and waits until the bytes are in place.
     *
     * @throws RegionException if it failed; then some of the bytes may have been written
     */
    void write(long offset, List<MemorySegment> from, Duration deadline);

    /** {@link #compareAndSetAsync}, awaited. */
    AtomicOutcome compareAndSet(long offset, long expected, long value, Duration deadline);

    /** {@link #fetchAddAsync}, awaited. */
    AtomicOutcome fetchAdd(long offset, long addend, Duration deadline);

    /**
     * A fresh handle for the same permissions, of what the name stands for now; this one is unmapped.
     *
     * @throws RegionException as {@link Regions#map}
     */
    Region remap(Duration deadline);

    /**
     * Sets what {@code node} may do. When it returns, the node can do no more than that, whatever handles it has. Needs
     * {@link Permission#ADMIN}.
     *
     * @throws RegionException if it failed, or a holder has not confirmed; calling again is harmless
     */
    void grant(NodeId node, Permissions permissions, Duration deadline);

    /**
     * Moves all parts on {@code from} to {@code to}. Handles of them fail with {@link RegionFailure#MOVED} from the
     * start of the copy on. Needs {@link Permission#ADMIN}.
     *
     * @throws RegionException if it failed: the region stays where it was
     */
    void move(NodeId from, NodeId to, Duration deadline);

    /**
     * Ends the region everywhere; other nodes' handles fail with {@link RegionFailure#FREED}. Needs {@link
     * Permission#ADMIN}.
     *
     * @throws RegionException if it failed; calling again is harmless
     */
    void free(Duration deadline);

    /** Gives the handle up. Idempotent. */
    void unmap();

    /** {@link #unmap}. */
    @Override
    default void close() {
        unmap();
    }
}
