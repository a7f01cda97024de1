package dev.retier.volume.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds reads of a volume that go on where others ended, and says what to read ahead of them: twice as much each time,
 * up to {@value #MOST_BLOCKS} blocks, and the next part when half of that is left. Not thread-safe.
 */
public final class SequentialRuns {
    /** Of how many rows of reads it knows at once; the one that has rested longest goes first. */
    static final int RUNS = 8;

    /** So many reads in a row are no chance. */
    static final int LEAST_READS = 4;

    /** What is read ahead at first: 128 KiB. */
    static final int LEAST_BLOCKS = 32;

    /** And at most: 1 MiB. */
    static final int MOST_BLOCKS = 256;

    /** Newest first. */
    private final List<Run> runs = new ArrayList<>();

    /** Blocks from {@code first} up to, and without, {@code end}. */
    public record Range(long first, long end) {}

    /**
     * A row of reads.
     *
     * @param next where it will go on
     * @param reads how many there were
     * @param aheadEnd up to where was read ahead
     * @param window how much is, the next time
     */
    private record Run(long next, int reads, long aheadEnd, int window) {
        /** Several threads may bring the reads of one program out of order, by a few of them. */
        private boolean goesOnWith(long first, long end) {
            long slack = RUNS / 2 * (end - first);
            return first <= next + slack && first >= next - slack;
        }

        private Run after(long end) {
            return end > next ? new Run(end, reads + 1, Math.max(aheadEnd, end), window) : this;
        }

        private Optional<Range> due(long volumeEnd) {
            long until = Math.min(next + window, volumeEnd);
            boolean isDue = reads >= LEAST_READS && aheadEnd - next <= window / 2 && until > aheadEnd;
            return isDue ? Optional.of(new Range(aheadEnd, until)) : Optional.empty();
        }

        private Run ahead(long end) {
            return new Run(next, reads, end, Math.min(2 * window, MOST_BLOCKS));
        }
    }

    /**
     * Somebody has read these blocks, of at least one.
     *
     * @param volumeEnd how many blocks there are
     * @return what to read ahead now
     */
    public Optional<Range> read(long first, long end, long volumeEnd) {
        Run before = taken(first, end).orElse(new Run(first, 0, first, LEAST_BLOCKS));
        Run run = before.after(end);
        Optional<Range> due = run.next > before.next ? run.due(volumeEnd) : Optional.empty();
        runs.addFirst(due.map(range -> run.ahead(range.end)).orElse(run));
        if (runs.size() > RUNS) {
            runs.removeLast();
        }
        return due;
    }

    private Optional<Run> taken(long first, long end) {
        for (int i = 0; i < runs.size(); i++) {
            if (runs.get(i).goesOnWith(first, end)) {
                return Optional.of(runs.remove(i));
            }
        }
        return Optional.empty();
    }
}
