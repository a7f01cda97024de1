package dev.retier.volume.disk;

import dev.retier.volume.disk.BlockReader.Piece;
import dev.retier.volume.pool.Geometry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads what volumes keep from where it lies and proves it, while they are used: what is in clusters from the disk,
 * also if the system has it in memory. A part at a time, so that who asks can go at its own pace. Used by one thread.
 */
public final class Scrub {
    /** Of one part: in a volume of which nothing is kept it is soon looked at. */
    private static final long MOST_LOOKED_AT = 1 << 16;

    private static final int MOST_READ = 64;
    private static final int MOST_PIECES = 16;
    /** Of what one answer names, unless one piece has more. */
    private static final int MOST_BROKEN = 256;

    private final Known known;
    private final BlockReader reader;
    private final Geometry geometry;
    private final ByteBuffer memory = ByteBuffer.allocate(MOST_READ * Geometry.BLOCK_BYTES);

    Scrub(Known known, BlockReader reader, Geometry geometry) {
        this.known = known;
        this.reader = reader;
        this.geometry = geometry;
    }

    /**
     * What was found.
     *
     * @param next the block to go on with; that behind the last one of the volume if this was the last part
     * @param bytes that were read
     * @param broken blocks that are not what was written, or cannot be read
     * @param isWhole whether nothing of it was left out, as one with a lower number has it
     */
    public record Part(long next, long bytes, List<Long> broken, boolean isWhole) {}

    /** A look at all there is begins: what comes to the system's memory from now on is read from the disk. */
    public void begin() {
        reader.fromTheDisk();
    }

    /**
     * A part of a volume or a snapshot, from that block on: a MiB at most, or 256 MiB of which nothing is kept. One
     * that is deleted meanwhile has nothing.
     *
     * @param isOnce whether clusters are left out that one with a lower number has, too
     */
    public Part part(int volume, long first, boolean isOnce) {
        try {
            return found(volume, first, isOnce);
        } catch (NoVolumeException gone) {
            return new Part(first + 1, 0, List.of(), true);
        }
    }

    private Part found(int volume, long first, boolean isOnce) {
        long end = Geometry.blocks(known.entry(volume).bytes());
        long until = Math.min(end, first + MOST_LOOKED_AT);
        List<Long> broken = new ArrayList<>();
        long block = first;
        long bytes = 0;
        int pieces = 0;
        boolean isWhole = true;
        for (Piece piece : known.find(volume, first, until).pieces()) {
            long endOfPiece = block + piece.count();
            if (isOnce && !piece.isHole() && isSeenBefore(volume, piece)) {
                isWhole = false;
            } else if (!piece.isHole()) {
                boolean isFull = !broken.isEmpty() && broken.size() + piece.count() > MOST_BROKEN;
                if (++pieces > MOST_PIECES || isFull) {
                    return new Part(block, bytes, broken, isWhole);
                }
                bytes += piece.count() * (long) Geometry.BLOCK_BYTES;
                for (; block < endOfPiece; block += MOST_READ) {
                    prove(volume, block, (int) Math.min(MOST_READ, endOfPiece - block), broken);
                }
            }
            block = endOfPiece;
        }
        return new Part(Math.max(block, until), bytes, broken, isWhole);
    }

    private boolean isSeenBefore(int volume, Piece piece) {
        return piece.record().isEmpty() && known.isElsewhere(volume, geometry.clusterOf(piece.block()), piece.place());
    }

    /** What fails is looked for in its halves. */
    private void prove(int volume, long first, int count, List<Long> broken) {
        try {
            reader.locate(volume, first, memory.clear().limit(count * Geometry.BLOCK_BYTES), new int[count]);
        } catch (IOException failed) {
            if (count == 1) {
                broken.add(first);
            } else {
                prove(volume, first, count / 2, broken);
                prove(volume, first + count / 2, count - count / 2, broken);
            }
        }
    }
}
