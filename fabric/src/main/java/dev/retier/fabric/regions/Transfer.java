package dev.retier.fabric.regions;

import dev.retier.fabric.Callbacks;
import dev.retier.fabric.OneSided;
import dev.retier.fabric.OpOutcome;
import dev.retier.fabric.PeerLink;
import dev.retier.fabric.directory.Permission;
import dev.retier.fabric.directory.RegionFailure;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One read or write of a region, cut into pieces that lie in one part and fit into one chunk. A piece whose connection
 * breaks is sent again on the next one. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what is chained handles every outcome itself
final class Transfer extends Operation<Void> {
    /** Pieces of one transfer that are under way at once; enough to keep a connection busy. */
    private static final int WINDOW = 8;
    /** Stands for any thread but the caller's: who may not touch memory of a confined arena. */
    private static final Thread ANOTHER = Thread.ofPlatform().unstarted(() -> {});

    private final Permission direction;
    private final long offset;
    private final List<MemorySegment> memory;
    private final long lengthBytes;
    /** Guarded by this: bytes before it are under way or done. */
    private long position;
    /** Guarded by this; the transfer's own beginning counts as one. */
    private int underWay = 1;
    /** Guarded by this: the caller's memory must not be touched any more. */
    private boolean over;

    /**
     * A transfer that has not begun.
     *
     * @param direction {@link Permission#READ} or {@link Permission#WRITE}
     */
    Transfer(MappedRegion region, Permission direction, long offset, List<MemorySegment> memory) {
        super(region);
        if (!memory.stream().allMatch(segment -> segment.isAccessibleBy(ANOTHER))) {
            throw new IllegalArgumentException(
                    "memory of a confined arena: use a shared or automatic one, or the heap");
        }
        if (direction == Permission.READ && memory.stream().anyMatch(MemorySegment::isReadOnly)) {
            throw new IllegalArgumentException("nothing can be read into memory that is read-only");
        }
        this.direction = direction;
        this.offset = offset;
        this.memory = memory;
        this.lengthBytes = memory.stream().mapToLong(MemorySegment::byteSize).sum();
    }

    @Override
    void check() {
        region.check(direction, offset, lengthBytes);
    }

    @Override
    void begin() {
        sendAll();
        ended();
    }

    @Override
    void refuse(RegionException why) {
        synchronized (this) {
            over = true;
        }
        done.completeExceptionally(why);
    }

    @Override
    void abandon(RegionFailure why, String detail) {
        refuse(new RegionException(why, detail));
    }

    private void sendAll() {
        Optional<Piece> piece = next();
        while (piece.isPresent()) {
            region.reach(piece.get().part, piece.get());
            piece = next();
        }
    }

    private synchronized Optional<Piece> next() {
        if (over || position == lengthBytes || underWay > WINDOW) {
            return Optional.empty();
        }
        Piece piece = new Piece(position);
        position += piece.bytes;
        underWay++;
        return Optional.of(piece);
    }

    private void ended() {
        boolean well;
        synchronized (this) {
            underWay--;
            if (underWay > 0 || (!over && position < lengthBytes)) {
                return;
            }
            well = !over;
        }
        region.leave();
        if (well) {
            done.complete(null);
        }
    }

    /** Some bytes of the transfer, from {@code at} on in the caller's memory. */
    private final class Piece implements MappedRegion.PartUser {
        private final long at;
        private final int part;
        private final long inPart;
        private final int bytes;

        Piece(long at) {
            this.at = at;
            this.part = region.partOf(offset + at);
            this.inPart = region.inPart(offset + at);
            long rest = Math.min(lengthBytes - at, region.record.shape().lengthOf(part) - inPart);
            this.bytes = (int) Math.min(rest, region.regions.config.chunkBytes());
        }

        @Override
        public void unreachable(RegionException why) {
            refuse(why);
            ended();
        }

        @Override
        public void local(MemorySegment own) {
            copy(own.asSlice(inPart, bytes));
            ended();
        }

        @Override
        public void remote(Route.Remote way, ChunkPool.Chunk chunk) {
            if (direction == Permission.WRITE && !copy(chunk.memory)) {
                chunk.giveBack();
                ended();
                return;
            }
            List<OneSided.Piece> pieces = List.of(chunk.piece(bytes));
            PeerLink link = way.staging().link;
            CompletableFuture<OpOutcome> ending = direction == Permission.WRITE
                    ? link.place(new OneSided.Write(pieces, way.at(inPart)), chunk.piece(Long.BYTES))
                    : link.post(new OneSided.Read(way.at(inPart), pieces));
            Callbacks.run("a piece of a transfer", ending, outcome -> posted(link, chunk, outcome));
        }

        private void posted(PeerLink link, ChunkPool.Chunk chunk, OpOutcome outcome) {
            boolean well = outcome instanceof OpOutcome.Done;
            if (well && direction == Permission.READ) {
                copy(chunk.memory);
            }
            chunk.giveBack();
            if (well) {
                sendAll();
                ended();
            } else if (region.over().isPresent()) {
                unreachable(new RegionException(region.over().get(), "the handle was taken away"));
            } else if (outcome instanceof OpOutcome.NotDone(String reason) && link.isOpen()) {
                unreachable(new RegionException(RegionFailure.BUSY, reason));
            } else {
                region.regions.counters.count(RegionMetric.REGIONS_RETRIED);
                region.reach(part, this);
            }
        }

        /**
         * Copies between the caller's memory and the beginning of {@code other}; false if the caller has gone, or one
         * of both was closed, which ends the transfer.
         */
        private boolean copy(MemorySegment other) {
            try {
                synchronized (Transfer.this) {
                    long skip = at;
                    long copied = 0;
                    for (MemorySegment segment : over ? List.<MemorySegment>of() : memory) {
                        long here = Math.min(segment.byteSize() - skip, bytes - copied);
                        if (here > 0 && direction == Permission.WRITE) {
                            MemorySegment.copy(segment, skip, other, copied, here);
                        } else if (here > 0) {
                            MemorySegment.copy(other, copied, segment, skip, here);
                        }
                        copied += Math.max(0, here);
                        skip = Math.max(0, skip - segment.byteSize());
                    }
                    return !over;
                }
            } catch (IllegalStateException closed) {
                String why = "the caller's memory, or the part's: " + closed.getMessage();
                refuse(new RegionException(RegionFailure.CLOSED, why));
                return false;
            }
        }
    }
}
