package dev.retier.fabric.regions;

import dev.retier.fabric.OneSided;
import dev.retier.fabric.OpOutcome;
import dev.retier.fabric.RemotePlace;
import dev.retier.fabric.directory.RegionFailure;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One compare-and-set or fetch-add. It is sent once or never: only what was surely not sent is tried again.
 * Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what is chained handles every outcome itself
final class AtomicOperation {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

    private final PartRoutes mapping;
    private final int part;
    private final long inPart;
    private final Change change;
    private final CompletableFuture<AtomicOutcome> done = new CompletableFuture<>();
    /** Whether it was sent, or never will be. */
    private final AtomicBoolean decided = new AtomicBoolean();

    /** What to do with the word. */
    sealed interface Change {
        /** Sets it to {@code value} if it is {@code expected}. */
        record CompareAndSet(long expected, long value) implements Change {}

        /** Adds to it. */
        record FetchAdd(long addend) implements Change {}
    }

    /** The mapping has been entered for it. */
    AtomicOperation(PartRoutes mapping, long offset, Change change) {
        this.mapping = mapping;
        this.part = mapping.partOf(offset);
        this.inPart = offset - mapping.startOf(part);
        this.change = change;
    }

    /** How it ends. Never ends exceptionally. */
    CompletableFuture<AtomicOutcome> done() {
        return done;
    }

    void begin() {
        Route route = mapping.route(part);
        if (route == null) {
            mapping.search(part).whenComplete((_, failure) -> {
                if (failure == null) {
                    begin();
                } else {
                    refuse(failure instanceof RegionException known ? known.failure() : RegionFailure.CLOSED, failure);
                }
            });
            return;
        }
        switch (route) {
            case Route.Local(MemorySegment own) -> local(own);
            case Route.Remote remote -> remote.staging().take(chunk -> post(remote, chunk));
        }
    }

    /** The caller waits no more. */
    void abandon(RegionFailure why, String detail) {
        if (decided.compareAndSet(false, true)) {
            mapping.leave();
            done.complete(new AtomicOutcome.Refused(why, detail));
        } else if (done.complete(new AtomicOutcome.Unknown(why, detail))) {
            mapping.counters().count(RegionMetric.REGIONS_UNKNOWN);
        }
    }

    private void refuse(RegionFailure failure, Throwable detail) {
        if (decided.compareAndSet(false, true)) {
            mapping.leave();
            done.complete(new AtomicOutcome.Refused(failure, String.valueOf(detail.getMessage())));
        }
    }

    private void local(MemorySegment own) {
        if (!mapping.sharesWords()) {
            String why = "this transport's atomics do not exclude the processor's: hold the part on another node";
            refuse(RegionFailure.NOT_PERMITTED, new RegionException(RegionFailure.NOT_PERMITTED, why));
            return;
        }
        if (!decided.compareAndSet(false, true)) {
            return;
        }
        long found = switch (change) {
            case Change.CompareAndSet(long expected, long value) ->
                (long) WORD.compareAndExchange(own, inPart, expected, value);
            case Change.FetchAdd(long addend) -> (long) WORD.getAndAdd(own, inPart, addend);
        };
        mapping.leave();
        done.complete(new AtomicOutcome.Done(found));
    }

    private void post(Route.Remote remote, ChunkPool.@Nullable Chunk chunk) {
        if (chunk == null) {
            refuse(RegionFailure.BUSY, new RegionException(RegionFailure.BUSY, "too many operations wait"));
            return;
        }
        if (!decided.compareAndSet(false, true)) {
            chunk.giveBack();
            return;
        }
        OneSided.Piece found = chunk.piece(Long.BYTES);
        RemotePlace word = remote.at(inPart);
        OneSided operation = switch (change) {
            case Change.CompareAndSet(long expected, long value) ->
                new OneSided.CompareAndSwap(word, expected, value, found);
            case Change.FetchAdd(long addend) -> new OneSided.FetchAndAdd(word, addend, found);
        };
        remote.staging().link().post(operation).thenAccept(outcome -> posted(remote, chunk, outcome));
    }

    private void posted(Route.Remote remote, ChunkPool.Chunk chunk, OpOutcome outcome) {
        chunk.giveBack();
        switch (outcome) {
            case OpOutcome.Done(long found) -> end(new AtomicOutcome.Done(found));
            case OpOutcome.Unknown(String reason) -> {
                mapping.counters().count(RegionMetric.REGIONS_UNKNOWN);
                end(new AtomicOutcome.Unknown(RegionFailure.NODE_UNREACHABLE, reason));
            }
            case OpOutcome.NotDone(String reason)
            when remote.isOpen() -> end(new AtomicOutcome.Refused(RegionFailure.BUSY, reason));
            case OpOutcome.NotDone _ -> {
                decided.set(false);
                begin();
            }
        }
    }

    private void end(AtomicOutcome outcome) {
        mapping.leave();
        done.complete(outcome);
    }
}
