package dev.retier.fabric.regions;

import dev.retier.fabric.OneSided;
import dev.retier.fabric.OpOutcome;
import dev.retier.fabric.PeerLink;
import dev.retier.fabric.directory.RegionFailure;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One read or write of a region, cut into pieces that lie in one part and fit into one chunk. A piece whose connection
 * breaks is sent again on the next one. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what is chained handles every outcome itself
final class Transfer {
    /** Pieces of one transfer that are under way at once; enough to keep a connection busy. */
    private static final int WINDOW = 8;

    private final PartRoutes mapping;
    private final Direction direction;
    private final long offset;
    private final List<MemorySegment> memory;
    private final long lengthBytes;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    /** Guarded by this: bytes before it are under way or done. */
    private long position;
    /** Guarded by this. */
    private int underWay;
    /** Guarded by this: the caller's memory must not be touched any more. */
    private boolean over;

    enum Direction {
        READ,
        WRITE
    }

    /** Some bytes of the transfer: {@code at} in the caller's memory, {@code inPart} in the part. */
    private record Piece(int part, long inPart, long at, int lengthBytes) {
        /** Whether no piece of a transfer of {@code wholeBytes} begins after it. */
        boolean isLast(long wholeBytes) {
            return at + lengthBytes == wholeBytes;
        }
    }

    /** The mapping has been entered for it. */
    Transfer(PartRoutes mapping, Direction direction, long offset, List<MemorySegment> memory) {
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
        if (beginWhole()) {
            return;
        }
        synchronized (this) {
            underWay++;
        }
        pump();
        ended();
    }

    /** The usual case: one piece is all of it, and nobody else knows of the transfer yet. */
    private boolean beginWhole() {
        if (lengthBytes == 0) {
            return false;
        }
        Piece whole = pieceAt(0);
        if (whole.lengthBytes() < lengthBytes) {
            return false;
        }
        synchronized (this) {
            position = lengthBytes;
            underWay = 1;
        }
        send(whole);
        return true;
    }

    /** The caller waits no more. When it returns, the caller's memory is not touched any more. */
    void abandon(RegionFailure why, String detail) {
        synchronized (this) {
            over = true;
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

    private synchronized Optional<Piece> next() {
        if (over || position == lengthBytes || underWay > WINDOW) {
            return Optional.empty();
        }
        Piece piece = pieceAt(position);
        position += piece.lengthBytes();
        underWay++;
        return Optional.of(piece);
    }

    private Piece pieceAt(long at) {
        int part = mapping.partOf(offset + at);
        long rest = Math.min(lengthBytes - at, mapping.endOf(part) - offset - at);
        return new Piece(part, offset + at - mapping.startOf(part), at, (int) Math.min(rest, mapping.chunkBytes()));
    }

    /** Carries out a piece or has it carried out. */
    private void send(Piece piece) {
        Route route = mapping.route(piece.part());
        if (route == null) {
            mapping.search(piece.part()).whenComplete((_, failure) -> {
                if (failure == null) {
                    send(piece);
                } else {
                    fail(failure);
                }
            });
            return;
        }
        switch (route) {
            case Route.Local(MemorySegment own) -> {
                copy(piece, own.asSlice(piece.inPart(), piece.lengthBytes()));
                ended();
            }
            case Route.Remote remote -> remote.staging().take(chunk -> post(piece, remote, chunk));
        }
    }

    private void post(Piece piece, Route.Remote remote, ChunkPool.@Nullable Chunk chunk) {
        if (chunk == null) {
            fail(new RegionException(RegionFailure.BUSY, "too many operations wait for this peer"));
            return;
        }
        List<OneSided.Piece> pieces = List.of(chunk.piece(piece.lengthBytes()));
        PeerLink link = remote.staging().link();
        CompletableFuture<OpOutcome> ending;
        if (direction == Direction.WRITE) {
            copy(piece, chunk.memory());
            ending = link.place(new OneSided.Write(pieces, remote.at(piece.inPart())), chunk.piece(Long.BYTES));
        } else {
            ending = link.post(new OneSided.Read(remote.at(piece.inPart()), pieces));
        }
        ending.thenAccept(outcome -> posted(piece, link, chunk, outcome));
    }

    private void posted(Piece piece, PeerLink link, ChunkPool.Chunk chunk, OpOutcome outcome) {
        boolean well = outcome instanceof OpOutcome.Done;
        if (well && direction == Direction.READ) {
            copy(piece, chunk.memory());
        }
        chunk.giveBack();
        if (well) {
            if (!piece.isLast(lengthBytes)) {
                pump();
            }
            ended();
        } else if (mapping.over().isPresent()) {
            fail(new RegionException(mapping.over().get(), "the handle was taken away"));
        } else if (outcome instanceof OpOutcome.NotDone(String reason) && link.isOpen()) {
            fail(new RegionException(RegionFailure.BUSY, reason));
        } else {
            mapping.counters().count(RegionMetric.REGIONS_RETRIED);
            send(piece);
        }
    }

    private void fail(Throwable failure) {
        synchronized (this) {
            over = true;
        }
        done.completeExceptionally(failure);
        ended();
    }

    private void ended() {
        boolean last;
        boolean well;
        synchronized (this) {
            underWay--;
            last = underWay == 0 && (over || position == lengthBytes);
            well = last && !over;
        }
        if (last) {
            mapping.leave();
        }
        if (well) {
            done.complete(null);
        }
    }

    /** Copies between the caller's memory and the beginning of {@code other}, unless the caller has gone. */
    private synchronized void copy(Piece piece, MemorySegment other) {
        if (!over) {
            copyAll(piece, other);
        }
    }

    private void copyAll(Piece piece, MemorySegment other) {
        long skip = piece.at();
        long copied = 0;
        for (MemorySegment segment : memory) {
            long size = segment.byteSize();
            long here = Math.min(size - skip, piece.lengthBytes() - copied);
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
