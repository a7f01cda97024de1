package dev.retier.volume.pool;

/**
 * Who may append to a journal that must not grow beyond so many bytes, nor its index beyond so many rows: of both the
 * one that is nearer to its end counts. At half of that a checkpoint is due; while it is
 * under way others get of the room that is left as much as it has done of its work, so that they are slowed and never
 * stopped for all of it. Not thread-safe.
 */
public final class JournalRoom {
    /** Of the room that is left, before anything is done. */
    private static final double FIRST = 0.125;
    /** Of the work, what copying is, most of which is on the disk then; the rest is to bring the last of it there. */
    private static final double COPYING = 0.9;

    /** Parts of all that must come before a checkpoint, for which there was no room on the disk, is tried again. */
    private static final int TRIES = 16;

    /** Part of all that is there beside it for what makes room when there is none. */
    private static final int RESERVE = 16;

    /** Part of all of which as much may come of that, until it is tried again whether there is room. */
    private static final int RESERVE_AT_ONCE = 64;

    private static final long NEVER = -1;

    /** Of an index: more than the default journal has of writes of a block each, but small trims may be that many. */
    private static final long MOST_ROWS = 1 << 20;

    /** Of one, with the tree's own, as counted with compact headers. */
    private static final long ROW_BYTES = 128;

    /** Of a journal one row at most comes of so many bytes; what is cut in two has another one. */
    private static final long LEAST_BYTES = 64;

    private final long most;
    /** What was used when a checkpoint last found no room, and none has ended well since. */
    private long failedAt = NEVER;

    private boolean isUnderWay;
    private long dueAt;
    private long usedAtBegin;
    private double done;

    /** Of a journal of at most {@code most} bytes. */
    public JournalRoom(long most) {
        this.most = most;
        this.dueAt = most / 2;
    }

    /** Memory that the index of a journal of at most {@code most} bytes may take. */
    public static long indexBytes(long most) {
        return Math.min(MOST_ROWS, most / LEAST_BYTES) * ROW_BYTES;
    }

    /** So many bytes of the journal count as used, at least, as it has so many rows in its index. */
    public long ofRows(long rows) {
        return (long) ((double) most / MOST_ROWS * rows);
    }

    /** Whether a checkpoint should begin, and none has. */
    public boolean isDue(long used) {
        return !isUnderWay && used >= dueAt;
    }

    /** One begins, or has just begun to copy. */
    public void begun(long used) {
        isUnderWay = true;
        usedAtBegin = used;
        done = 0;
    }

    /** It has copied that share of what there is. */
    public void copied(double share) {
        done = COPYING * share;
    }

    /** It has ended, and the journal begins anew. */
    public void ended() {
        isUnderWay = false;
        failedAt = NEVER;
        dueAt = most / 2;
    }

    /** It has ended, and the journal is as it was. */
    public void failed(long used) {
        isUnderWay = false;
        failedAt = used;
        dueAt = Math.max(most / 2, used + most / TRIES);
    }

    /** Whether one is under way. */
    public boolean isUnderWay() {
        return isUnderWay;
    }

    /**
     * As {@link #hasRoom} for what makes room, or is needed for that, once a checkpoint has found none on the disk.
     * Some of it comes without another one in between.
     */
    public boolean hasReserve(long used, long bytes) {
        return !isUnderWay
                && failedAt != NEVER
                && used + bytes <= Math.min(failedAt + most / RESERVE_AT_ONCE, most + most / RESERVE);
    }

    /** Whether {@code bytes} may be appended to {@code used}. One record may always follow an empty journal. */
    public boolean hasRoom(long used, long bytes) {
        if (!isUnderWay) {
            return used + bytes <= most || used == 0;
        }
        return used + bytes - usedAtBegin <= (most - usedAtBegin) * Math.max(FIRST, done);
    }
}
