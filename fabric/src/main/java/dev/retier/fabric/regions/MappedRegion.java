package dev.retier.fabric.regions;

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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** A handle. Thread-safe. */
final class MappedRegion extends RegionHandle implements Region {
    private final AtomicBoolean given = new AtomicBoolean();

    MappedRegion(Regions regions, RegionRecord record, Permissions permissions, long handle) {
        super(regions, record, permissions, handle);
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
        return new Transfer(this, Permission.READ, offset, into).within(deadline);
    }

    @Override
    public CompletableFuture<Void> writeAsync(long offset, List<MemorySegment> from, Duration deadline) {
        return new Transfer(this, Permission.WRITE, offset, from).within(deadline);
    }

    @Override
    public CompletableFuture<AtomicOutcome> compareAndSetAsync(
            long offset, long expected, long value, Duration deadline) {
        return compareAndSet(offset, expected, value).within(deadline);
    }

    @Override
    public CompletableFuture<AtomicOutcome> fetchAddAsync(long offset, long addend, Duration deadline) {
        return fetchAdd(offset, addend).within(deadline);
    }

    @Override
    public void read(long offset, List<MemorySegment> into, Duration deadline) {
        new Transfer(this, Permission.READ, offset, into).await(deadline);
    }

    @Override
    public void write(long offset, List<MemorySegment> from, Duration deadline) {
        new Transfer(this, Permission.WRITE, offset, from).await(deadline);
    }

    @Override
    public AtomicOutcome compareAndSet(long offset, long expected, long value, Duration deadline) {
        return compareAndSet(offset, expected, value).await(deadline);
    }

    @Override
    public AtomicOutcome fetchAdd(long offset, long addend, Duration deadline) {
        return fetchAdd(offset, addend).await(deadline);
    }

    private AtomicOperation compareAndSet(long offset, long expected, long value) {
        return new AtomicOperation(this, offset, new AtomicOperation.Change.CompareAndSet(expected, value));
    }

    private AtomicOperation fetchAdd(long offset, long addend) {
        return new AtomicOperation(this, offset, new AtomicOperation.Change.FetchAdd(addend));
    }

    @Override
    public Region remap(Duration deadline) {
        unmap();
        return regions.map(name(), permissions(), deadline);
    }

    @Override
    public void grant(NodeId node, Permissions permissions, Duration deadline) {
        change(new RegionRequest.Grant(name(), record().id(), node, permissions), deadline);
    }

    @Override
    public void move(NodeId from, NodeId to, Duration deadline) {
        change(new RegionRequest.Move(name(), record().id(), from, to), deadline);
    }

    @Override
    public void free(Duration deadline) {
        change(new RegionRequest.Free(name(), record().id()), deadline);
    }

    @Override
    public void unmap() {
        if (given.compareAndSet(false, true)) {
            regions.unmap(this);
        }
    }

    private void change(RegionRequest.ToDirectory request, Duration deadline) {
        check(Permission.ADMIN, 0, 0);
        if (over().filter(RegionFailure.UNMAPPED::equals).isPresent()) {
            throw new RegionException(RegionFailure.UNMAPPED, name() + " was unmapped");
        }
        regions.askKeeper(name(), request, deadline);
    }
}
