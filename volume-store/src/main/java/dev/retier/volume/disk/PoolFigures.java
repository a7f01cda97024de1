package dev.retier.volume.disk;

import dev.retier.volume.cache.CacheFigures;
import java.util.Map;

/**
 * How a pool is.
 *
 * @param failure why it takes no changes any more; empty while it does
 * @param usedBytes clusters that hold something, as of the newest checkpoint
 * @param freeBytes what its file system has left
 * @param journalBytes size of the journal
 * @param journalLimitBytes size that this may have
 * @param cache what its block cache has done since it was opened
 * @param volumes what each takes of it; one of which nothing is kept may be missing
 */
public record PoolFigures(
        String failure,
        long usedBytes,
        long freeBytes,
        long journalBytes,
        long journalLimitBytes,
        CacheFigures cache,
        Map<Integer, Taken> volumes) {
    private static final int TENTHS = 10;
    private static final int NEARLY = 9;

    /**
     * What a volume takes.
     *
     * @param usedBytes clusters that hold something of it, as of the newest checkpoint
     * @param journalBytes that were written to it, each time, since the newest checkpoint that has ended began
     */
    public record Taken(long usedBytes, long journalBytes) {
        /** Nothing. */
        public static final Taken NOTHING = new Taken(0, 0);
    }

    /**
     * How much the file system should have left, so that nothing is refused: the journal may become as long as its
     * limit, and then all that it has needs clusters. With less it should be known to somebody.
     */
    public long neededBytes() {
        return 2 * journalLimitBytes - journalBytes;
    }

    /** Whether it has less. */
    public boolean isShortOfRoom() {
        return freeBytes < neededBytes();
    }

    /** Whether the journal is nearly full: checkpoints, which begin at half of it, do not keep up, or find no room. */
    public boolean isJournalShort() {
        return journalBytes > journalLimitBytes / TENTHS * NEARLY;
    }

    /** Keeps its own copy. */
    public PoolFigures {
        volumes = Map.copyOf(volumes);
    }
}
