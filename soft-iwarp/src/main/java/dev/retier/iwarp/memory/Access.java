package dev.retier.iwarp.memory;

/** Access rights of a region, as bits with the values that the verbs use. */
public final class Access {
    /** The device may write it on behalf of its owner: receives, and sinks of reads and atomics. */
    public static final int LOCAL_WRITE = 1;
    /** The peer may write it. */
    public static final int REMOTE_WRITE = 1 << 1;
    /** The peer may read it. */
    public static final int REMOTE_READ = 1 << 2;
    /** The peer may run atomic operations on it. */
    public static final int REMOTE_ATOMIC = 1 << 3;

    private static final int KNOWN = LOCAL_WRITE | REMOTE_WRITE | REMOTE_READ | REMOTE_ATOMIC | 1 << 4 | 1 << 6;

    private Access() {}

    /** Whether the rights make sense: known bits, and no remote write or atomic without local write. */
    public static boolean valid(int rights) {
        boolean remoteChange = (rights & (REMOTE_WRITE | REMOTE_ATOMIC)) != 0;
        return (rights & ~KNOWN) == 0 && (!remoteChange || (rights & LOCAL_WRITE) != 0);
    }
}
