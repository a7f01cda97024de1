package dev.retier.state.verbs.region;

import dev.retier.state.NodeId;
import dev.retier.state.region.Permission;
import dev.retier.state.region.Permissions;
import dev.retier.state.region.RegionException;
import dev.retier.state.region.RegionFailure;
import dev.retier.state.region.directory.Answer;
import dev.retier.state.region.directory.ExtentKey;
import dev.retier.state.region.directory.RegionRecord;
import dev.retier.state.verbs.Counters;
import dev.retier.state.verbs.rpc.PeerLink;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A handle's ways to its parts, found again after a connection was lost. Thread-safe. */
abstract class Mapping extends Use {
    private static final long FIRST_WAIT_NANOS = 5_000_000L;
    private static final long LONGEST_WAIT_NANOS = 100_000_000L;

    private final Ways ways;
    private final RegionRecord record;
    private final Permissions permissions;
    private final long handle;
    private final long lengthBytes;
    private final long extentBytes;
    /** To the first part, at hand: with many regions each object on the way costs a miss of the cache. */
    private volatile @Nullable Route first;
    /** To the parts behind the first. */
    private final AtomicReferenceArray<@Nullable Route> others;

    private final Map<NodeId, CompletableFuture<Void>> searching = new ConcurrentHashMap<>();

    /** What all handles of a node share. */
    interface Ways {
        NodeId self();

        Cores cores();

        Counters counters();

        Optional<PeerLink> link(NodeId node);

        /** Whether nobody should wait for the node: it has been away for too long. */
        boolean isLongAway(NodeId node);

        Optional<Staging> staging(PeerLink link);

        int chunkBytes();

        /** Whether a processor's atomics on this node's own words exclude those of peers. */
        boolean sharesWords();

        Optional<MemorySegment> ownMemory(long address);
    }

    Mapping(Ways ways, RegionRecord record, Permissions permissions, long handle) {
        this.ways = ways;
        this.record = record;
        this.permissions = permissions;
        this.handle = handle;
        this.lengthBytes = record.shape().lengthBytes();
        this.extentBytes = record.shape().extentBytes();
        this.others = new AtomicReferenceArray<>(record.shape().extents() - 1);
    }

    /** What it allows. */
    public final Permissions permissions() {
        return permissions;
    }

    RegionRecord record() {
        return record;
    }

    long handle() {
        return handle;
    }

    boolean sharesWords() {
        return ways.sharesWords();
    }

    int chunkBytes() {
        return ways.chunkBytes();
    }

    Counters counters() {
        return ways.counters();
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
    int extentOf(long offset) {
        return offset < extentBytes ? 0 : record.shape().extentOf(offset);
    }

    /** Where the part begins in the region. */
    long startOf(int extent) {
        return extent * extentBytes;
    }

    /** Where the part ends in the region. */
    long endOf(int extent) {
        return Math.min(lengthBytes, startOf(extent) + extentBytes);
    }

    /** How the part can be reached now; null if that is not known. */
    @Nullable
    Route route(int extent) {
        Route route = extent == 0 ? first : others.get(extent - 1);
        return route instanceof Route.Remote remote && !remote.isOpen() ? null : route;
    }

    private void setRoute(int extent, Route route) {
        if (extent == 0) {
            first = route;
        } else {
            others.set(extent - 1, route);
        }
    }

    /** Takes keys that a holder gave over {@code link}; none for this node's own parts. */
    boolean learn(NodeId holder, Optional<PeerLink> link, List<ExtentKey> keys) {
        Optional<Staging> staging = link.filter(PeerLink::isOpen).flatMap(ways::staging);
        for (ExtentKey key : keys) {
            if (key.index() <= others.length()
                    && record.placement().get(key.index()).equals(holder)) {
                Optional<Route> route = holder.equals(ways.self())
                        ? ways.ownMemory(key.address()).map(Route.Local::new)
                        : staging.map(to -> new Route.Remote(to, key.address(), key.key()));
                route.ifPresent(found -> setRoute(key.index(), found));
            }
        }
        return holder.equals(ways.self()) || staging.isPresent();
    }

    /**
     * Looks for the way to a part again. Ends well when there is one, or by {@link RegionException} when there is none
     * for good or the node that holds it has been away for too long; or later than anybody waits, so its caller has a
     * deadline.
     */
    CompletableFuture<Void> search(int extent) {
        NodeId holder = record.placement().get(extent);
        CompletableFuture<Void> mine = new CompletableFuture<>();
        CompletableFuture<Void> other = searching.putIfAbsent(holder, mine);
        if (other != null) {
            return other;
        }
        ways.cores().threads().execute(() -> {
            Optional<RegionException> failure = searchNow(holder);
            searching.remove(holder, mine);
            if (failure.isPresent()) {
                mine.completeExceptionally(failure.get());
            } else {
                mine.complete(null);
            }
        });
        return mine;
    }

    private Optional<RegionException> searchNow(NodeId holder) {
        long wait = FIRST_WAIT_NANOS;
        while (!Thread.currentThread().isInterrupted()) {
            Optional<RegionFailure> over = over();
            if (over.isPresent()) {
                return Optional.of(new RegionException(over.get(), "the handle was taken away"));
            }
            Optional<PeerLink> link = ways.link(holder);
            if (link.isEmpty() && ways.isLongAway(holder)) {
                return Optional.of(new RegionException(
                        RegionFailure.NODE_UNREACHABLE, holder + " holds the part and has been away for too long"));
            }
            Answer answer = link.isPresent() || holder.equals(ways.self())
                    ? ways.cores().reopen(handle, permissions, holder).join()
                    : new Answer.Refused(RegionFailure.NODE_UNREACHABLE, holder + " is not connected");
            if (answer instanceof Answer.Keys(List<ExtentKey> keys)) {
                if (link.equals(ways.link(holder)) && learn(holder, link, keys)) {
                    return Optional.empty();
                }
            } else if (answer instanceof Answer.Refused(RegionFailure failure, String detail) && !failure.isPassing()) {
                return Optional.of(new RegionException(failure, detail));
            }
            LockSupport.parkNanos(this, wait);
            wait = Math.min(2 * wait, LONGEST_WAIT_NANOS);
        }
        return Optional.of(new RegionException(RegionFailure.CLOSED, "this node's regions were closed"));
    }
}
