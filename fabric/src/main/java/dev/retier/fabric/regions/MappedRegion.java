package dev.retier.fabric.regions;

import dev.retier.fabric.Fabric;
import dev.retier.fabric.directory.Permission;
import dev.retier.fabric.directory.Permissions;
import dev.retier.fabric.directory.RegionFailure;
import dev.retier.fabric.directory.RegionName;
import dev.retier.fabric.directory.RegionRecord;
import dev.retier.fabric.directory.RegionRequest;
import dev.retier.link.NodeId;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** A handle. Thread-safe. */
@SuppressWarnings("FutureReturnValueIgnored") // what is chained handles every outcome itself
final class MappedRegion extends PartRoutes implements Region {
    private static final String LATE = "the deadline passed";
    /** Stands for any thread but the caller's: who may not touch memory of a confined arena. */
    private static final Thread ANOTHER = Thread.ofPlatform().unstarted(() -> {});

    private final Regions regions;
    private final AtomicBoolean given = new AtomicBoolean();

    MappedRegion(Regions regions, Ways ways, RegionRecord record, Permissions permissions, long handle) {
        super(ways, record, permissions, handle);
        this.regions = regions;
    }

    @Override
    public RegionName name() {
        return record().name();
    }

    @Override
    public long lengthBytes() {
        return record().shape().lengthBytes();
    }

    @Override
    public long version() {
        return record().version();
    }

    @Override
    public List<NodeId> placement() {
        return record().placement();
    }

    @Override
    public CompletableFuture<Void> readAsync(long offset, List<MemorySegment> into, Duration deadline) {
        return later(() -> transfer(Transfer.Direction.READ, offset, into), deadline);
    }

    @Override
    public CompletableFuture<Void> writeAsync(long offset, List<MemorySegment> from, Duration deadline) {
        return later(() -> transfer(Transfer.Direction.WRITE, offset, from), deadline);
    }

    @Override
    public CompletableFuture<AtomicOutcome> compareAndSetAsync(
            long offset, long expected, long value, Duration deadline) {
        return wordLater(offset, new AtomicOperation.Change.CompareAndSet(expected, value), deadline);
    }

    @Override
    public CompletableFuture<AtomicOutcome> fetchAddAsync(long offset, long addend, Duration deadline) {
        return wordLater(offset, new AtomicOperation.Change.FetchAdd(addend), deadline);
    }

    @Override
    public void read(long offset, List<MemorySegment> into, Duration deadline) {
        await(transfer(Transfer.Direction.READ, offset, into), deadline);
    }

    @Override
    public void write(long offset, List<MemorySegment> from, Duration deadline) {
        await(transfer(Transfer.Direction.WRITE, offset, from), deadline);
    }

    @Override
    public AtomicOutcome compareAndSet(long offset, long expected, long value, Duration deadline) {
        return awaitWord(offset, new AtomicOperation.Change.CompareAndSet(expected, value), deadline);
    }

    @Override
    public AtomicOutcome fetchAdd(long offset, long addend, Duration deadline) {
        return awaitWord(offset, new AtomicOperation.Change.FetchAdd(addend), deadline);
    }

    @Override
    public Region remap(Duration deadline) {
        unmap();
        return regions.map(name(), permissions(), deadline);
    }

    @Override
    public void grant(NodeId node, Permissions permissions, Duration deadline) {
        change(new RegionRequest.Grant(name(), id(), node, permissions), deadline);
    }

    @Override
    public void move(NodeId from, NodeId to, Duration deadline) {
        change(new RegionRequest.Move(name(), id(), from, to), deadline);
    }

    @Override
    public void free(Duration deadline) {
        change(new RegionRequest.Free(name(), id()), deadline);
    }

    @Override
    public void unmap() {
        if (given.compareAndSet(false, true)) {
            regions.unmap(this);
        }
    }

    private long id() {
        return record().id();
    }

    private void change(RegionRequest.ToDirectory request, Duration deadline) {
        check(Permission.ADMIN, 0, 0);
        Optional<RegionFailure> over = over();
        if (over.isPresent() && over.get() == RegionFailure.UNMAPPED) {
            throw new RegionException(over.get(), name() + " was unmapped");
        }
        regions.askKeeper(name(), request, deadline);
    }

    private Transfer transfer(Transfer.Direction direction, long offset, List<MemorySegment> memory) {
        memory.forEach(MappedRegion::checkMemory);
        Permission needed = direction == Transfer.Direction.READ ? Permission.READ : Permission.WRITE;
        check(needed, offset, Transfer.length(memory));
        begin();
        Transfer transfer = new Transfer(this, direction, offset, memory);
        transfer.begin();
        return transfer;
    }

    private static void checkMemory(MemorySegment segment) {
        if (!segment.isAccessibleBy(ANOTHER)) {
            throw new IllegalArgumentException(
                    "memory of a confined arena: use a shared or automatic one, or the heap");
        }
    }

    private AtomicOperation word(long offset, AtomicOperation.Change change) {
        check(Permission.ATOMIC, offset, Long.BYTES);
        if (offset % Long.BYTES != 0) {
            throw new RegionException(RegionFailure.OUT_OF_BOUNDS, "a word at " + offset + ", no multiple of 8");
        }
        if (change instanceof AtomicOperation.Change.FetchAdd && !fetchesAndAdds()) {
            throw new RegionException(RegionFailure.NOT_PERMITTED, "fetch-and-add: " + Fabric.NO_FETCH_ADD);
        }
        begin();
        AtomicOperation operation = new AtomicOperation(this, offset, change);
        operation.begin();
        return operation;
    }

    private void begin() {
        Optional<RegionFailure> over = enter();
        if (over.isPresent()) {
            throw new RegionException(over.get(), name() + " cannot be used by this handle any more");
        }
    }

    private interface Begin {
        Transfer begin();
    }

    private CompletableFuture<Void> later(Begin begin, Duration deadline) {
        try {
            Transfer transfer = begin.begin();
            return until(deadline, transfer.done(), () -> transfer.abandon(RegionFailure.TIMED_OUT, LATE));
        } catch (RegionException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private CompletableFuture<AtomicOutcome> wordLater(long offset, AtomicOperation.Change change, Duration deadline) {
        try {
            AtomicOperation operation = word(offset, change);
            return until(deadline, operation.done(), () -> operation.abandon(RegionFailure.TIMED_OUT, LATE));
        } catch (RegionException refused) {
            return CompletableFuture.completedFuture(
                    new AtomicOutcome.Refused(refused.failure(), String.valueOf(refused.getMessage())));
        }
    }

    /** The caller's own, ends as {@code done} does, which {@code abandon} ends when it is late. */
    private <T> CompletableFuture<T> until(Duration deadline, CompletableFuture<T> done, Runnable abandon) {
        if (done.isDone()) {
            return done.copy();
        }
        Future<?> late = regions.timers().after(deadline.toNanos(), abandon);
        return done.whenComplete((_, _) -> late.cancel(false));
    }

    private static void await(Transfer transfer, Duration deadline) {
        try {
            transfer.done().get(deadline.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            transfer.abandon(RegionFailure.TIMED_OUT, LATE);
            rethrow(transfer.done());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            transfer.abandon(RegionFailure.TIMED_OUT, "interrupted");
            rethrow(transfer.done());
        } catch (ExecutionException failed) {
            throw failure(failed);
        }
    }

    /** It may have ended well at the last moment. */
    private static void rethrow(CompletableFuture<Void> done) {
        try {
            done.join();
        } catch (CompletionException failed) {
            throw failure(failed);
        }
    }

    private static RegionException failure(Exception failed) {
        return failed.getCause() instanceof RegionException known
                ? known
                : new RegionException(RegionFailure.CLOSED, String.valueOf(failed.getCause()));
    }

    private AtomicOutcome awaitWord(long offset, AtomicOperation.Change change, Duration deadline) {
        AtomicOperation operation;
        try {
            operation = word(offset, change);
        } catch (RegionException refused) {
            return new AtomicOutcome.Refused(refused.failure(), String.valueOf(refused.getMessage()));
        }
        try {
            return operation.done().get(deadline.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            operation.abandon(RegionFailure.TIMED_OUT, LATE);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            operation.abandon(RegionFailure.TIMED_OUT, "interrupted");
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("an atomic never ends by an exception", impossible);
        }
        return operation.done().join();
    }
}
