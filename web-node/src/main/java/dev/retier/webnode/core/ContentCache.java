package dev.retier.webnode.core;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps what was used most recently, up to a number of bytes and until each entry's time is over. Guarded by the
 * caller's lock.
 *
 * @param <V> what is kept
 */
public final class ContentCache<V> {
    private static final float LOAD_FACTOR = 0.75f;
    private static final int INITIAL_ENTRIES = 16;
    /** What an entry costs besides its body: map node, header strings, object headers; an estimate. */
    private static final int ENTRY_OVERHEAD_BYTES = 256;

    private final long limitBytes;
    private final Map<String, Entry<V>> entries = new LinkedHashMap<>(INITIAL_ENTRIES, LOAD_FACTOR, true);
    private long bytes;

    private record Entry<V>(V value, long bytes, long expiresNanos) {}

    /** An empty cache of at most {@code limitBytes}, 0 or more. */
    public ContentCache(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** What is kept under {@code key}, unless its time is over at {@code nowNanos}. Counts as a use. */
    public Optional<V> get(String key, long nowNanos) {
        Entry<V> entry = entries.get(key);
        if (entry == null) {
            return Optional.empty();
        }
        if (entry.expiresNanos - nowNanos <= 0) {
            remove(key);
            return Optional.empty();
        }
        return Optional.of(entry.value);
    }

    /**
     * Keeps {@code value} and drops what was used least recently until all fits. A value larger than the whole cache
     * is not kept.
     *
     * @param bodyBytes its length, 0 or more; the key and a fixed overhead are added
     * @param expiresNanos until when it may be used
     */
    public void put(String key, V value, int bodyBytes, long expiresNanos) {
        remove(key);
        long entryBytes = (long) bodyBytes + 2L * key.length() + ENTRY_OVERHEAD_BYTES;
        if (entryBytes > limitBytes) {
            return;
        }
        makeRoom(limitBytes - entryBytes);
        entries.put(key, new Entry<>(value, entryBytes, expiresNanos));
        bytes += entryBytes;
    }

    /** Entries kept now. */
    public int entries() {
        return entries.size();
    }

    /** Bytes kept now, never above the limit. */
    public long bytes() {
        return bytes;
    }

    private void makeRoom(long allowedBytes) {
        Iterator<Entry<V>> eldestFirst = entries.values().iterator();
        while (bytes > allowedBytes) {
            bytes -= eldestFirst.next().bytes;
            eldestFirst.remove();
        }
    }

    private void remove(String key) {
        Entry<V> removed = entries.remove(key);
        if (removed != null) {
            bytes -= removed.bytes;
        }
    }
}
