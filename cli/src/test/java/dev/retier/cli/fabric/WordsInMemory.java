package dev.retier.cli.fabric;

import dev.retier.fabric.directory.Permissions;
import dev.retier.fabric.directory.RegionFailure;
import dev.retier.fabric.directory.RegionName;
import dev.retier.fabric.regions.AtomicOutcome;
import dev.retier.fabric.regions.Region;
import dev.retier.fabric.regions.RegionException;
import dev.retier.link.NodeId;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A handle of a region in this process, whose owner is killed after so many operations. Not thread-safe. */
final class WordsInMemory implements Region {
    private final long[] words;
    private final Permissions permissions = Permissions.ALL;
    private int stepsLeft;
    /** One in so many atomics ends as unknown, carried out or not in turn; 0 for none. */
    private int unknownOneIn;

    /** Reads, writes and swaps that are refused from now on, since the home is busy. */
    private int busy;

    private Runnable beforeWrite = () -> {};
    private int atomics;
    private boolean isLost;

    /** The owner of the handle is dead. */
    static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    WordsInMemory(long[] words, int steps) {
        this.words = words;
        this.stepsLeft = steps;
    }

    WordsInMemory unknownOneIn(int share) {
        unknownOneIn = share;
        return this;
    }

    /** The home ends: this and all that follow are carried out, and not answered. */
    void loseHome() {
        isLost = true;
    }

    private void answer() {
        if (isLost) {
            throw new RegionException(RegionFailure.NODE_UNREACHABLE, "the home has ended");
        }
    }

    WordsInMemory busyFor(int operations) {
        busy = operations;
        return this;
    }

    private void requireFree() {
        if (busy > 0) {
            busy--;
            throw new RegionException(RegionFailure.BUSY, "played");
        }
    }

    /** Has {@code others} act each time before the owner writes. */
    WordsInMemory beforeEachWrite(Runnable others) {
        beforeWrite = others;
        return this;
    }

    private int step(long offset) {
        if (stepsLeft-- == 0) {
            throw new Killed();
        }
        return Math.toIntExact(offset / Long.BYTES);
    }

    @Override
    public void read(long offset, List<MemorySegment> into, Duration deadline) {
        requireFree();
        int from = step(offset);
        MemorySegment target = into.getFirst();
        MemorySegment.copy(words, from, target, ValueLayout.JAVA_LONG, 0, (int) (target.byteSize() / Long.BYTES));
    }

    @Override
    public void write(long offset, List<MemorySegment> from, Duration deadline) {
        requireFree();
        beforeWrite.run();
        words[step(offset)] = from.getFirst().get(ValueLayout.JAVA_LONG, 0);
        answer();
    }

    @Override
    public AtomicOutcome compareAndSet(long offset, long expected, long value, Duration deadline) {
        if (busy > 0) {
            busy--;
            return new AtomicOutcome.Refused(RegionFailure.BUSY, "played");
        }
        int word = step(offset);
        boolean isUnknown = unknownOneIn > 0 && ++atomics % unknownOneIn == 0;
        long found = words[word];
        if (found == expected && (!isUnknown || atomics % (2 * unknownOneIn) == 0)) {
            words[word] = value;
        }
        return isUnknown
                ? new AtomicOutcome.Unknown(RegionFailure.NODE_UNREACHABLE, "played")
                : new AtomicOutcome.Done(found);
    }

    @Override
    public AtomicOutcome fetchAdd(long offset, long addend, Duration deadline) {
        int word = step(offset);
        words[word] += addend;
        return new AtomicOutcome.Done(words[word] - addend);
    }

    @Override
    public RegionName name() {
        return new RegionName("words");
    }

    @Override
    public long lengthBytes() {
        return (long) words.length * Long.BYTES;
    }

    @Override
    public Permissions permissions() {
        return permissions;
    }

    @Override
    public long version() {
        return 1;
    }

    @Override
    public List<NodeId> placement() {
        return List.of(new NodeId(1));
    }

    @Override
    public CompletableFuture<Void> readAsync(long offset, List<MemorySegment> into, Duration deadline) {
        throw notPlayed();
    }

    @Override
    public CompletableFuture<Void> writeAsync(long offset, List<MemorySegment> from, Duration deadline) {
        throw notPlayed();
    }

    @Override
    public CompletableFuture<AtomicOutcome> compareAndSetAsync(
            long offset, long expected, long value, Duration deadline) {
        throw notPlayed();
    }

    @Override
    public CompletableFuture<AtomicOutcome> fetchAddAsync(long offset, long addend, Duration deadline) {
        throw notPlayed();
    }

    @Override
    public Region remap(Duration deadline) {
        throw notPlayed();
    }

    @Override
    public void grant(NodeId node, Permissions granted, Duration deadline) {
        throw notPlayed();
    }

    @Override
    public void move(NodeId from, NodeId to, Duration deadline) {
        throw notPlayed();
    }

    @Override
    public void free(Duration deadline) {
        throw notPlayed();
    }

    @Override
    public void unmap() {
        stepsLeft = 0;
    }

    private static RegionException notPlayed() {
        return new RegionException(RegionFailure.NOT_PERMITTED, "not played here");
    }
}
