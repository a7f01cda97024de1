package dev.retier.iwarp.memory;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * All regions of a device by STag.
 *
 * <p>STags are random over the whole 32 bits, so that none can be guessed from another (RFC 5042 section 6.2.1);
 * being random, they are their own hash. Lookups take no lock and no longer with 100,000 regions than with one.
 * Safe for any thread.
 */
public final class StagTable {
    private static final int FIRST_CAPACITY = 64;
    /** Stands where a region was, so that the memory of a revoked one can go. */
    private static final MemoryRegion TOMBSTONE =
            new MemoryRegion(0, MemoryRegion.Grant.toDomain(0, 0), MemorySegment.NULL, Windows.of(MemorySegment.NULL));

    static {
        TOMBSTONE.revoke();
    }

    private final RandomGenerator random;
    private final int maxRegions;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile AtomicReferenceArray<@Nullable MemoryRegion> slots = new AtomicReferenceArray<>(FIRST_CAPACITY);
    /** Guarded by lock: live regions. */
    private int count;
    /** Guarded by lock: slots that are or were used, and not yet swept by a rebuild. */
    private int occupied;

    /**
     * An empty table.
     *
     * @param random where STags come from; unpredictable to peers
     * @param maxRegions regions at most
     */
    public StagTable(RandomGenerator random, int maxRegions) {
        this.random = random;
        this.maxRegions = maxRegions;
    }

    /**
     * Registers memory.
     *
     * @return the region, or null if the table is full
     * @throws IllegalArgumentException if the rights contradict each other, or the memory
     */
    public @Nullable MemoryRegion register(MemoryRegion.Grant grant, MemorySegment memory) {
        return register(grant, memory, Windows.of(memory));
    }

    /**
     * Registers a direct buffer, from 0 to its capacity. As {@link #register(MemoryRegion.Grant, MemorySegment)}, but
     * sockets read and write such memory without a copy in between.
     */
    public @Nullable MemoryRegion register(MemoryRegion.Grant grant, ByteBuffer memory) {
        ByteBuffer whole = memory.duplicate().clear();
        return register(grant, MemorySegment.ofBuffer(whole), Windows.of(whole));
    }

    private @Nullable MemoryRegion register(MemoryRegion.Grant grant, MemorySegment memory, Windows windows) {
        if (!Access.valid(grant.rights())) {
            throw new IllegalArgumentException("access rights 0x" + Integer.toHexString(grant.rights())
                    + ": remote write and remote atomic need local write");
        }
        if (memory.isReadOnly() && (grant.rights() & Access.LOCAL_WRITE) != 0) {
            throw new IllegalArgumentException("memory that is read-only cannot be registered for writing");
        }
        lock.lock();
        try {
            if (count >= maxRegions) {
                return null;
            }
            if ((occupied + 1) * 2 > slots.length()) {
                rebuild();
            }
            MemoryRegion region = new MemoryRegion(freshStag(), grant, memory, windows);
            insert(slots, region);
            count++;
            occupied++;
            return region;
        } finally {
            lock.unlock();
        }
    }

    /** The region of an STag, or null; it may have been revoked. */
    public @Nullable MemoryRegion find(int stag) {
        AtomicReferenceArray<@Nullable MemoryRegion> current = slots;
        int mask = current.length() - 1;
        int at = stag & mask;
        for (int probes = 0; probes <= mask; probes++) {
            MemoryRegion region = current.getAcquire(at);
            if (region == null || region.stag() == stag) {
                return region;
            }
            at = at + 1 & mask;
        }
        return null;
    }

    /** Revokes a region, finally, and forgets it. Returns false if it was revoked before. */
    public boolean deregister(MemoryRegion region) {
        boolean first = region.revoke();
        if (first) {
            lock.lock();
            try {
                count--;
                bury(region);
            } finally {
                lock.unlock();
            }
        }
        return first;
    }

    /** Live regions. */
    public int count() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }

    private void bury(MemoryRegion region) {
        int mask = slots.length() - 1;
        int at = region.stag() & mask;
        for (int probes = 0; probes <= mask; probes++) {
            MemoryRegion found = slots.get(at);
            if (found == region) {
                slots.setRelease(at, TOMBSTONE);
                return;
            }
            if (found == null) {
                return;
            }
            at = at + 1 & mask;
        }
    }

    private int freshStag() {
        int stag;
        do {
            stag = random.nextInt();
        } while (stag == 0 || find(stag) != null);
        return stag;
    }

    /** Sweeps revoked regions out, into a table that is at most a quarter full. */
    private void rebuild() {
        int capacity = Math.max(FIRST_CAPACITY, Integer.highestOneBit(count + 1) * 8);
        AtomicReferenceArray<@Nullable MemoryRegion> fresh = new AtomicReferenceArray<>(capacity);
        int live = 0;
        for (int i = 0; i < slots.length(); i++) {
            MemoryRegion region = slots.get(i);
            if (region != null && !region.revoked()) {
                insert(fresh, region);
                live++;
            }
        }
        occupied = live;
        slots = fresh;
    }

    private static void insert(AtomicReferenceArray<@Nullable MemoryRegion> into, MemoryRegion region) {
        int mask = into.length() - 1;
        int at = region.stag() & mask;
        while (into.get(at) != null) {
            at = at + 1 & mask;
        }
        into.setRelease(at, region);
    }
}
