package dev.retier.cli.fabric;

import dev.retier.fabric.directory.RegionFailure;
import dev.retier.fabric.regions.AtomicOutcome;
import dev.retier.fabric.regions.Region;
import dev.retier.fabric.regions.RegionException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * A region as words of 8 bytes. Every method throws {@link LostException} when the region's home is gone. Owned by one
 * thread.
 */
public final class SharedWords {
    /** Longer than it takes to know that a node is gone. */
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private static final int TRIES = 100;

    private final Region region;
    private final MemorySegment one = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);

    /** The words of {@code region}, mapped for reading, writing and atomics. */
    public SharedWords(Region region) {
        this.region = region;
    }

    /** What is in the word. */
    public long get(int word) {
        return get(word, one, 1)[0];
    }

    /** What is in {@code count} words. */
    public long[] get(int first, int count) {
        return get(first, Arena.ofAuto().allocate((long) count * Long.BYTES, Long.BYTES), count);
    }

    private long[] get(int first, MemorySegment into, int count) {
        transfer(() -> region.read(at(first), List.of(into), DEADLINE));
        return into.asSlice(0, (long) count * Long.BYTES).toArray(ValueLayout.JAVA_LONG);
    }

    /** Puts {@code value} into a word that nobody else writes. */
    public void set(int word, long value) {
        one.set(ValueLayout.JAVA_LONG, 0, value);
        transfer(() -> region.write(at(word), List.of(one), DEADLINE));
    }

    /**
     * Puts {@code value} into the word if {@code expected} is in it. Whether this has done so; nothing if nobody can
     * tell.
     */
    public Tried replace(int word, long expected, long value) {
        OptionalLong found = found(() -> region.compareAndSet(at(word), expected, value, DEADLINE));
        if (found.isEmpty()) {
            return Tried.UNKNOWN;
        }
        return found.getAsLong() == expected ? Tried.DONE : Tried.REFUSED;
    }

    /** What became of a {@link #replace}. */
    public enum Tried {
        /** The word was replaced. */
        DONE,
        /** Something else was in the word. */
        REFUSED,
        /** The connection broke before the answer came. */
        UNKNOWN
    }

    private static long at(int word) {
        return (long) word * Long.BYTES;
    }

    private interface Atomic {
        AtomicOutcome attempt();
    }

    private static OptionalLong found(Atomic atomic) {
        for (int i = 0; i < TRIES; i++) {
            switch (atomic.attempt()) {
                case AtomicOutcome.Done(long found) -> {
                    return OptionalLong.of(found);
                }
                case AtomicOutcome.Unknown _ -> {
                    return OptionalLong.empty();
                }
                case AtomicOutcome.Refused(RegionFailure failure, String detail) -> requireAgain(failure, detail);
            }
        }
        throw new LostException("the home is busy");
    }

    private static void transfer(Runnable transfer) {
        for (int i = 0; i < TRIES; i++) {
            try {
                transfer.run();
                return;
            } catch (RegionException refused) {
                requireAgain(refused.failure(), String.valueOf(refused.getMessage()));
            }
        }
        throw new LostException("the home is busy");
    }

    /** A node that was away for so long, or has come back without its memory, does not have the words any more. */
    private static void requireAgain(RegionFailure failure, String detail) {
        switch (failure) {
            case BUSY, NOT_READY -> {}
            case NOT_PERMITTED, OUT_OF_BOUNDS, MALFORMED -> throw new UnsupportedOperationException(detail);
            case LOST, MOVED, FREED, REVOKED, UNMAPPED, NODE_UNREACHABLE, TIMED_OUT, CLOSED ->
                throw new LostException(detail);
            case NAME_TAKEN, NO_SUCH_REGION, NO_SPACE -> throw new IllegalStateException(detail);
        }
    }
}
