package dev.retier.fabric.regions;

import dev.retier.fabric.PeerLink;
import dev.retier.fabric.directory.PartKey;
import dev.retier.fabric.directory.Permission;
import dev.retier.fabric.directory.Permissions;
import dev.retier.fabric.directory.RegionAnswer;
import dev.retier.fabric.directory.RegionFailure;
import dev.retier.fabric.directory.RegionRecord;
import dev.retier.link.Counters;
import dev.retier.link.NodeId;
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
abstract class PartRoutes extends Use {
    private static final long FIRST_WAIT_NANOS = 5_000_000L;
    private static final long LONGEST_WAIT_NANOS = 100_000_000L;

    private final Ways ways;
    private final RegionRecord record;
    private final Permissions permissions;
    private final long handle;
    private final long lengthBytes;
    private final long partBytes;
    /** To the first part, at hand: with many regions each object on the way costs a miss of the cache. */
    private volatile @Nullable Route first;
    /** To the parts behind the first. */
    private final AtomicReferenceArray<@Nullable Route> others;

    private final Map<NodeId, CompletableFuture<Void>> searching = new ConcurrentHashMap<>();

    /** What all handles of a node share. */
    interface Ways {
        NodeId self();

        DirectoryDriver cores();

        Counters counters();

        Optional<PeerLink> link(NodeId node);

        /** Whether nobody should wait for the node: it has been away for too long. */
        boolean isLongAway(NodeId node);

        Optional<ChunkPool> staging(PeerLink link);

        int chunkBytes();

        /** Whether a processor's atomics on this node's own words exclude those of peers. */
        boolean sharesWords();

        Optional<MemorySegment> ownMemory(long address);
    }

    PartRoutes(Ways ways, RegionRecord record, Permissions permissions, long handle) {
        this.ways = ways;
        this.record = record;
        this.permissions = permissions;
        this.handle = handle;
        this.lengthBytes = record.shape().lengthBytes();
        this.partBytes = record.shape().partBytes();
        this.others = new AtomicReferenceArray<>(record.shape().parts() - 1);
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

    /** DiSNI's own provider cannot send it; the one whose atomics exclude the processor's can. */
    boolean fetchesAndAdds() {
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
    int partOf(long offset) {
        return offset < partBytes ? 0 : record.shape().partOf(offset);
    }

    /** Where the part begins in the region. */
    long startOf(int part) {
        return part * partBytes;
    }

    /** Where the part ends in the region. */
    long endOf(int part) {
        return Math.min(lengthBytes, startOf(part) + partBytes);
    }

    /** How the part can be reached now; null if that is not known. */
    @Nullable
    Route route(int part) {
        Route route = part == 0 ? first : others.get(part - 1);
        return route instanceof Route.Remote remote && !remote.isOpen() ? null : route;
    }

    private void setRoute(int part, Route route) {
        if (part == 0) {
            first = route;
        } else {
            others.set(part - 1, route);
        }
    }

    /** Takes keys that a holder gave over {@code link}; none for this node's own parts. */
    boolean learn(NodeId holder, Optional<PeerLink> link, List<PartKey> keys) {
        Optional<ChunkPool> staging = link.filter(PeerLink::isOpen).flatMap(ways::staging);
        for (PartKey key : keys) {
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
    CompletableFuture<Void> search(int part) {
        NodeId holder = record.placement().get(part);
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
            RegionAnswer answer = link.isPresent() || holder.equals(ways.self())
                    ? ways.cores().reopen(handle, permissions, holder).join()
                    : new RegionAnswer.Refused(RegionFailure.NODE_UNREACHABLE, holder + " is not connected");
            if (answer instanceof RegionAnswer.Keys(List<PartKey> keys)) {
                if (link.equals(ways.link(holder)) && learn(holder, link, keys)) {
                    return Optional.empty();
                }
            } else if (answer instanceof RegionAnswer.Refused(RegionFailure failure, String detail)
                    && !failure.isPassing()) {
                return Optional.of(new RegionException(failure, detail));
            }
            LockSupport.parkNanos(this, wait);
            wait = Math.min(2 * wait, LONGEST_WAIT_NANOS);
        }
        return Optional.of(new RegionException(RegionFailure.CLOSED, "this node's regions were closed"));
    }
}
