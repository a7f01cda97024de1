package dev.retier.fabric.regions;

import dev.retier.fabric.Callbacks;
import dev.retier.fabric.OneSided;
import dev.retier.fabric.OpOutcome;
import dev.retier.fabric.RemotePlace;
import dev.retier.fabric.directory.Permission;
import dev.retier.fabric.directory.RegionFailure;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One compare-and-set or fetch-add. It is sent once or never: only what was surely not sent is tried again.
 * Thread-safe.
 */
final class AtomicOperation extends Operation<AtomicOutcome> implements MappedRegion.PartUser {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

    private final long offset;
    /** What must be in the word for it to become {@link #value}; none if that is added, whatever is in it. */
    private final OptionalLong expected;

    private final long value;
    /** Whether it was sent, or never will be. */
    private final AtomicBoolean decided = new AtomicBoolean();

    AtomicOperation(MappedRegion region, long offset, OptionalLong expected, long value) {
        super(region);
        this.offset = offset;
        this.expected = expected;
        this.value = value;
    }

    @Override
    void check() {
        region.check(Permission.ATOMIC, offset, Long.BYTES);
        if (offset % Long.BYTES != 0) {
            throw new RegionException(RegionFailure.OUT_OF_BOUNDS, "a word at " + offset + ", no multiple of 8");
        }
    }

    @Override
    void begin() {
        region.reach(region.partOf(offset), this);
    }

    @Override
    void refuse(RegionException why) {
        done.complete(new AtomicOutcome.Refused(why.failure(), String.valueOf(why.getMessage())));
    }

    @Override
    void abandon(RegionFailure why, String detail) {
        if (decided.compareAndSet(false, true)) {
            end(new AtomicOutcome.Refused(why, detail));
        } else {
            unknown(why, detail);
        }
    }

    @Override
    public void unreachable(RegionException why) {
        if (decided.compareAndSet(false, true)) {
            region.leave();
            refuse(why);
        }
    }

    @Override
    public void local(MemorySegment own) {
        if (!decided.compareAndSet(false, true)) {
            return;
        }
        long inPart = region.inPart(offset);
        long found = expected.isPresent()
                ? (long) WORD.compareAndExchange(own, inPart, expected.getAsLong(), value)
                : (long) WORD.getAndAdd(own, inPart, value);
        end(new AtomicOutcome.Done(found));
    }

    @Override
    public void remote(Route.Remote way, ChunkPool.Chunk chunk) {
        Optional<String> refusal = way.staging().link.whyNoAtomics();
        if (refusal.isPresent()) {
            chunk.giveBack();
            unreachable(new RegionException(RegionFailure.NOT_PERMITTED, refusal.get()));
            return;
        }
        if (!decided.compareAndSet(false, true)) {
            chunk.giveBack();
            return;
        }
        OneSided.Piece found = chunk.piece(Long.BYTES);
        RemotePlace word = way.at(region.inPart(offset));
        OneSided operation = expected.isPresent()
                ? new OneSided.CompareAndSwap(word, expected.getAsLong(), value, found)
                : new OneSided.FetchAndAdd(word, value, found);
        Callbacks.run("an atomic", way.staging().link.post(operation), outcome -> posted(way, chunk, outcome));
    }

    private void posted(Route.Remote way, ChunkPool.Chunk chunk, OpOutcome outcome) {
        chunk.giveBack();
        switch (outcome) {
            case OpOutcome.Done(long found) -> end(new AtomicOutcome.Done(found));
            case OpOutcome.Unknown(String reason) -> {
                region.leave();
                unknown(RegionFailure.NODE_UNREACHABLE, reason);
            }
            case OpOutcome.NotDone(String reason)
            when way.isOpen() -> end(new AtomicOutcome.Refused(RegionFailure.BUSY, reason));
            case OpOutcome.NotDone _ -> {
                decided.set(false);
                begin();
            }
        }
    }

    private void unknown(RegionFailure why, String detail) {
        if (done.complete(new AtomicOutcome.Unknown(why, detail))) {
            region.regions.counters.count(RegionMetric.REGIONS_UNKNOWN);
        }
    }

    private void end(AtomicOutcome outcome) {
        region.leave();
        done.complete(outcome);
    }
}
