package dev.retier.state.verbs.region;

import dev.retier.state.StateMetric;
import dev.retier.state.region.RegionException;
import dev.retier.state.region.RegionFailure;
import dev.retier.state.region.directory.Shape;
import dev.retier.state.verbs.rpc.OneSided;
import dev.retier.state.verbs.rpc.OpOutcome;
import dev.retier.state.verbs.rpc.PeerLink;
import dev.retier.state.verbs.rpc.RemotePlace;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One read or write of a region, cut into pieces that lie in one part and fit into one chunk. A piece whose connection
 * breaks is sent again on the next one. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what is chained handles every outcome itself
final class Transfer {
    /** Pieces of one transfer that are under way at once; enough to keep a connection busy. */
    private static final int WINDOW = 8;

    private final Mapping mapping;
    private final Direction direction;
    private final long offset;
    private final List<MemorySegment> memory;
    private final long lengthBytes;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by lock: bytes before it are under way or done. */
    private long position;
    /** Guarded by lock. */
    private int underWay;
    /** Guarded by lock: the caller's memory must not be touched any more. */
    private boolean over;

    enum Direction {
        READ,
        WRITE
    }

    /** Some bytes of the transfer: {@code at} in the caller's memory, {@code inExtent} in the part. */
    private record Piece(int extent, long inExtent, long at, int lengthBytes) {}

    /** The mapping has been entered for it. */
    Transfer(Mapping mapping, Direction direction, long offset, List<MemorySegment> memory) {
        this.mapping = mapping;
        this.direction = direction;
        this.offset = offset;
        this.memory = memory;
        this.lengthBytes = length(memory);
    }

    static long length(List<MemorySegment> memory) {
        long sum = 0;
        for (MemorySegment segment : memory) {
            sum += segment.byteSize();
        }
        return sum;
    }

    /** How it ends: well, or by {@link RegionException}. */
    CompletableFuture<Void> done() {
        return done;
    }

    void begin() {
        lock.lock();
        try {
            underWay++;
        } finally {
            lock.unlock();
        }
        pump();
        ended();
    }

    /** The caller waits no more. When it returns, the caller's memory is not touched any more. */
    void abandon(RegionFailure why, String detail) {
        lock.lock();
        try {
            over = true;
        } finally {
            lock.unlock();
        }
        done.completeExceptionally(new RegionException(why, detail));
    }

    private void pump() {
        Optional<Piece> piece = next();
        while (piece.isPresent()) {
            send(piece.get());
            piece = next();
        }
    }

    private Optional<Piece> next() {
        lock.lock();
        try {
            if (over || position == lengthBytes || underWay > WINDOW) {
                return Optional.empty();
            }
            Piece piece = pieceAt(position);
            position += piece.lengthBytes();
            underWay++;
            return Optional.of(piece);
        } finally {
            lock.unlock();
        }
    }

    private Piece pieceAt(long at) {
        Shape shape = mapping.record().shape();
        int extent = shape.extentOf(offset + at);
        long inExtent = offset + at - extent * shape.extentBytes();
        long rest = Math.min(lengthBytes - at, shape.lengthOf(extent) - inExtent);
        return new Piece(extent, inExtent, at, (int) Math.min(rest, mapping.chunkBytes()));
    }

    /** Carries out a piece or has it carried out. */
    private void send(Piece piece) {
        Optional<Route> route = mapping.route(piece.extent());
        if (route.isEmpty()) {
            mapping.search(piece.extent()).whenComplete((_, failure) -> {
                if (failure == null) {
                    send(piece);
                } else {
                    fail(failure);
                }
            });
            return;
        }
        switch (route.get()) {
            case Route.Local(MemorySegment own) -> {
                copy(piece, own.asSlice(piece.inExtent(), piece.lengthBytes()));
                ended();
            }
            case Route.Remote remote -> remote.staging().take(chunk -> post(piece, remote, chunk));
        }
    }

    private void post(Piece piece, Route.Remote remote, Staging.@Nullable Chunk chunk) {
        if (chunk == null) {
            fail(new RegionException(RegionFailure.BUSY, "too many operations wait for this peer"));
            return;
        }
        List<OneSided.Piece> pieces = List.of(chunk.piece(piece.lengthBytes()));
        RemotePlace there = remote.place().plus(piece.inExtent());
        MemorySegment staged = chunk.memory().asSlice(0, piece.lengthBytes());
        PeerLink link = remote.staging().link();
        CompletableFuture<OpOutcome> ending;
        if (direction == Direction.WRITE) {
            copy(piece, staged);
            ending = link.post(new OneSided.Write(pieces, there))
                    .thenCombine(
                            link.confirm(chunk.piece(Long.BYTES)),
                            (sent, placed) -> sent instanceof OpOutcome.Done ? placed : sent);
        } else {
            ending = link.post(new OneSided.Read(there, pieces));
        }
        ending.thenAccept(outcome -> posted(piece, link, chunk, outcome));
    }

    private void posted(Piece piece, PeerLink link, Staging.Chunk chunk, OpOutcome outcome) {
        boolean well = outcome instanceof OpOutcome.Done;
        if (well && direction == Direction.READ) {
            copy(piece, chunk.memory().asSlice(0, piece.lengthBytes()));
        }
        chunk.giveBack();
        if (well) {
            pump();
            ended();
        } else if (mapping.use().over().isPresent()) {
            fail(new RegionException(mapping.use().over().get(), "the handle was taken away"));
        } else if (outcome instanceof OpOutcome.NotDone(String reason) && link.isOpen()) {
            fail(new RegionException(RegionFailure.BUSY, reason));
        } else {
            mapping.counters().count(StateMetric.REGIONS_RETRIED);
            send(piece);
        }
    }

    private void fail(Throwable failure) {
        lock.lock();
        try {
            over = true;
        } finally {
            lock.unlock();
        }
        done.completeExceptionally(failure);
        ended();
    }

    private void ended() {
        boolean last;
        boolean well;
        lock.lock();
        try {
            underWay--;
            last = underWay == 0 && (over || position == lengthBytes);
            well = last && !over;
        } finally {
            lock.unlock();
        }
        if (last) {
            mapping.use().leave();
        }
        if (well) {
            done.complete(null);
        }
    }

    /** Copies between the caller's memory and {@code other}, unless the caller has gone. */
    private void copy(Piece piece, MemorySegment other) {
        lock.lock();
        try {
            if (!over) {
                copyAll(piece.at(), other);
            }
        } finally {
            lock.unlock();
        }
    }

    private void copyAll(long from, MemorySegment other) {
        long skip = from;
        long copied = 0;
        for (MemorySegment segment : memory) {
            long size = segment.byteSize();
            long here = Math.min(size - skip, other.byteSize() - copied);
            if (here > 0) {
                if (direction == Direction.WRITE) {
                    MemorySegment.copy(segment, skip, other, copied, here);
                } else {
                    MemorySegment.copy(other, copied, segment, skip, here);
                }
                copied += here;
                skip = 0;
            } else {
                skip -= size;
            }
        }
    }
}
