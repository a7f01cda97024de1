package dev.retier.volume.config;

import dev.retier.volume.wire.Request;

/**
 * How much of everything a volume server has.
 *
 * @param slots requests of one client that may be under way
 * @param slotBytes of each, head and data
 * @param clients that may be connected; each has {@code slots} times {@code slotBytes} twice
 * @param diskThreads that read and write for them
 */
public record Limits(int slots, int slotBytes, int clients, int diskThreads) {
    /** 64 requests of up to 64 KiB for each of 64 clients, 512 MiB in all, and four threads. */
    public static final Limits DEFAULT = new Limits(64, (64 << 10) + Request.BYTES, 64, 4);

    /** More than a client takes. */
    public static final int MOST_SLOTS = 256;

    static final int LEAST_DATA = 4 << 10;
    /** Clients ask for no more at once, so more would be memory for nothing. */
    static final int MOST_DATA = Request.MOST_DATA_BYTES;

    static final int MOST = 1024;

    /** Refuses what cannot be with {@link IllegalArgumentException}. */
    public Limits {
        within("credits", slots, 1, MOST_SLOTS);
        within("bytes of a slot", slotBytes, LEAST_DATA + Request.BYTES, MOST_DATA + Request.BYTES);
        within("clients", clients, 1, MOST);
        within("disk-threads", diskThreads, 1, MOST);
    }

    private static void within(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + ": " + value + ", must be " + least + " to " + most);
        }
    }

    /** Memory that clients may take, when all are there: two slots for each request, and what one is copied to. */
    public long bytes() {
        return clients * (2L * slots + 1) * slotBytes + (long) diskThreads * slotBytes;
    }
}
