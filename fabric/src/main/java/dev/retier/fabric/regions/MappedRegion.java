package dev.retier.fabric.regions;

import dev.retier.fabric.Callbacks;
import dev.retier.fabric.PeerLink;
import dev.retier.fabric.RemotePlace;
import dev.retier.fabric.directory.PartKey;
import dev.retier.fabric.directory.Permission;
import dev.retier.fabric.directory.Permissions;
import dev.retier.fabric.directory.RegionAnswer;
import dev.retier.fabric.directory.RegionFailure;
import dev.retier.fabric.directory.RegionName;
import dev.retier.fabric.directory.RegionRecord;
import dev.retier.fabric.directory.RegionRequest;
import dev.retier.link.NodeId;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A handle: until when it may be used, and its ways to its parts, found again after a connection was lost. Thread-safe.
 *
 * <p>Its users are counted in one word, without a lock, and all of it is in this object, not in others beside it: of
 * 100,000 handles none is in the cache, so each object that an operation has to fetch can be measured.
 */
final class MappedRegion implements Region {
    /** In the count of users: no more may come. Whoever finds it goes at once, so a count beside it may be passing. */
    private static final int OVER = 1 << 30;

    private static final AtomicIntegerFieldUpdater<MappedRegion> USERS =
            AtomicIntegerFieldUpdater.newUpdater(MappedRegion.class, "users");
    /** A search ends with its handle or node. */
    private static final Duration FOREVER = Duration.ofDays(1);

    final Regions regions;
    final RegionRecord record;
    final long handle;
    private final Permissions permissions;
    private final AtomicBoolean given = new AtomicBoolean();
    private final long lengthBytes;
    private final long partBytes;

    @SuppressWarnings("unused") // through USERS
    private volatile int users;

    private final AtomicReference<@Nullable Ending> ending = new AtomicReference<>();
    /** To the first part, at hand: with many regions each object on the way costs a miss of the cache. */
    private volatile @Nullable Route first;
    /** To the parts behind the first. */
    private final AtomicReferenceArray<@Nullable Route> others;

    private final Map<NodeId, CompletableFuture<Optional<RegionException>>> searching = new ConcurrentHashMap<>();

    /** Why it is over, and what ends when nobody uses it any more. */
    private record Ending(RegionFailure why, CompletableFuture<RegionAnswer> drained) {}

    /** Who wants to reach a part; exactly one of these is called for each time it asks. */
    interface PartUser {
        /** The part is in this node's memory, and its processors may use it. */
        void local(MemorySegment own);

        /** The part is at the end of {@code way}; {@code chunk} is the user's until it gives it back. */
        void remote(Route.Remote way, ChunkPool.Chunk chunk);

        /** There is no way for good, or the node that holds the part has been away for too long. */
        void unreachable(RegionException why);
    }

    MappedRegion(Regions regions, RegionRecord record, Permissions permissions, long handle) {
        this.regions = regions;
        this.record = record;
        this.permissions = permissions;
        this.handle = handle;
        this.lengthBytes = record.shape().lengthBytes();
        this.partBytes = record.shape().partBytes();
        this.others = new AtomicReferenceArray<>(record.shape().parts() - 1);
    }

    @Override
    public Permissions permissions() {
        return permissions;
    }

    @Override
    public RegionName name() {
        return record.name();
    }

    @Override
    public long lengthBytes() {
        return record.shape().lengthBytes();
    }

    @Override
    public long version() {
        return record.version();
    }

    @Override
    public List<NodeId> placement() {
        return record.placement();
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
        return new AtomicOperation(this, offset, OptionalLong.of(expected), value).within(deadline);
    }

    @Override
    public CompletableFuture<AtomicOutcome> fetchAddAsync(long offset, long addend, Duration deadline) {
        return new AtomicOperation(this, offset, OptionalLong.empty(), addend).within(deadline);
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
        return new AtomicOperation(this, offset, OptionalLong.of(expected), value).await(deadline);
    }

    @Override
    public AtomicOutcome fetchAdd(long offset, long addend, Duration deadline) {
        return new AtomicOperation(this, offset, OptionalLong.empty(), addend).await(deadline);
    }

    @Override
    public Region remap(Duration deadline) {
        unmap();
        return regions.map(record.name(), permissions, deadline);
    }

    @Override
    public void grant(NodeId node, Permissions permissions, Duration deadline) {
        change(new RegionRequest.Grant(record.name(), record.id(), node, permissions), deadline);
    }

    @Override
    public void move(NodeId from, NodeId to, Duration deadline) {
        change(new RegionRequest.Move(record.name(), record.id(), from, to), deadline);
    }

    @Override
    public void free(Duration deadline) {
        change(new RegionRequest.Free(record.name(), record.id()), deadline);
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
            throw new RegionException(RegionFailure.UNMAPPED, record.name() + " was unmapped");
        }
        regions.askKeeper(record.name(), request, deadline);
    }

    /** One more operation; throws {@link RegionException} if it must not begin. */
    void enter() {
        if ((USERS.getAndIncrement(this) & OVER) != 0) {
            leave();
            throw new RegionException(
                    over().orElse(RegionFailure.CLOSED), record.name() + " cannot be used by this handle any more");
        }
    }

    /** An operation that has entered has let go of everything. */
    void leave() {
        if (USERS.decrementAndGet(this) == OVER) {
            Objects.requireNonNull(ending.get()).drained().complete(new RegionAnswer.Done());
        }
    }

    /** Why no operation may begin any more, if so. */
    Optional<RegionFailure> over() {
        return Optional.ofNullable(ending.get()).map(Ending::why);
    }

    /** No operation may begin any more; ends when none is under way. The first reason stays. */
    CompletableFuture<RegionAnswer> drain(RegionFailure why) {
        ending.compareAndSet(null, new Ending(why, new CompletableFuture<>()));
        CompletableFuture<RegionAnswer> drained =
                Objects.requireNonNull(ending.get()).drained();
        if ((USERS.getAndUpdate(this, count -> count | OVER) & ~OVER) == 0) {
            drained.complete(new RegionAnswer.Done());
        }
        return drained.copy();
    }

    /** Refuses, by {@link RegionException}, what the handle must not do. */
    void check(Permission permission, long offset, long length) {
        if (!permissions.allow(permission)) {
            throw new RegionException(
                    RegionFailure.NOT_PERMITTED, record.name() + " was mapped for " + permissions + " only");
        }
        if (offset < 0 || length > lengthBytes || offset > lengthBytes - length) {
            throw new RegionException(
                    RegionFailure.OUT_OF_BOUNDS,
                    length + " bytes at " + offset + " of " + record.name() + ", which has " + lengthBytes);
        }
    }

    /** The part that the byte at {@code offset} is in. */
    int partOf(long offset) {
        return offset < partBytes ? 0 : record.shape().partOf(offset);
    }

    /** Where in its part the byte at {@code offset} is. */
    long inPart(long offset) {
        return offset - partOf(offset) * partBytes;
    }

    /** How the part can be reached now; null if that is not known. */
    @Nullable
    Route route(int part) {
        Route route = part == 0 ? first : others.get(part - 1);
        return route instanceof Route.Remote remote && !remote.isOpen() ? null : route;
    }

    /** Has the part used, at once or when there is a way to it; later than anybody waits, so users have deadlines. */
    void reach(int part, PartUser user) {
        switch (route(part)) {
            case null ->
                Callbacks.run(
                        "a search",
                        search(record.placement().get(part)),
                        none -> none.ifPresentOrElse(user::unreachable, () -> reach(part, user)));
            case Route.Local(MemorySegment own) -> user.local(own);
            case Route.Remote way ->
                way.staging().take(chunk -> {
                    if (chunk == null) {
                        user.unreachable(
                                new RegionException(RegionFailure.BUSY, "too many operations wait for this peer"));
                    } else {
                        user.remote(way, chunk);
                    }
                });
        }
    }

    /** Takes keys that a holder gave, over {@code link} unless it is reached directly. */
    boolean learn(NodeId holder, Optional<PeerLink> link, List<PartKey> keys) {
        boolean isDirect = regions.memory.isDirect(holder);
        Optional<ChunkPool> staging = link.filter(PeerLink::isOpen).flatMap(regions::staging);
        for (PartKey key : keys) {
            if (key.index() <= others.length()
                    && record.placement().get(key.index()).equals(holder)) {
                Optional<Route> route = isDirect
                        ? regions.memory.ownMemory(key.address()).map(Route.Local::new)
                        : staging.map(to -> new Route.Remote(to, new RemotePlace(key.address(), key.key())));
                route.ifPresent(found -> setRoute(key.index(), found));
            }
        }
        return isDirect || staging.isPresent();
    }

    private void setRoute(int part, Route route) {
        if (part == 0) {
            first = route;
        } else {
            others.set(part - 1, route);
        }
    }

    /** Looks for the way to a node's parts again: ends when there is one, or by why there is none for good. */
    private CompletableFuture<Optional<RegionException>> search(NodeId holder) {
        CompletableFuture<Optional<RegionException>> mine = new CompletableFuture<>();
        CompletableFuture<Optional<RegionException>> other = searching.putIfAbsent(holder, mine);
        if (other != null) {
            return other;
        }
        regions.cores.threads.execute(() -> {
            Optional<RegionException> failure;
            try {
                failure = regions.retry(FOREVER, _ -> searchNow(holder));
            } catch (RegionException closed) {
                failure = Optional.of(closed);
            }
            searching.remove(holder, mine);
            mine.complete(failure);
        });
        return mine;
    }

    /** As {@link #search}, once; throws what is passing. */
    private Optional<RegionException> searchNow(NodeId holder) {
        if (over().isPresent()) {
            return Optional.of(new RegionException(over().get(), "the handle was taken away"));
        }
        Optional<PeerLink> link = regions.fabric.link(holder);
        if (link.isEmpty() && !regions.memory.isDirect(holder)) {
            RegionException away = new RegionException(
                    RegionFailure.NODE_UNREACHABLE, holder + " holds the part and has been away for too long");
            if (regions.maintenance.isLongAway(holder)) {
                return Optional.of(away);
            }
            throw away;
        }
        return switch (regions.cores
                .map(mapper -> mapper.reopen(handle, permissions, holder))
                .join()) {
            case RegionAnswer.Keys(List<PartKey> keys)
            when link.equals(regions.fabric.link(holder)) && learn(holder, link, keys) -> Optional.empty();
            case RegionAnswer.Refused(RegionFailure failure, String detail)
            when !failure.isPassing() -> Optional.of(new RegionException(failure, detail));
            case RegionAnswer again -> throw new RegionException(RegionFailure.NOT_READY, "not yet: " + again);
        };
    }
}
