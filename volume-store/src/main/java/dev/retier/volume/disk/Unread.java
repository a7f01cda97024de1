package dev.retier.volume.disk;

import dev.retier.volume.disk.Disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.BitSet;

/**
 * What of a part of a file could not be read, in pages as systems have files in memory. All who bring blocks from one
 * place to another go by one rule: what the disk cannot read is lost, block by block, and nothing else with it. It
 * becomes zeros, so that a block that is lost has a checksum that is not its own (or was zeros), or one of zeros, and
 * reads of it fail until it is written anew. Where a page is lost that a few bytes are to be written to, it is written
 * as a whole, as the system would have to read the rest of it.
 *
 * @param firstPage of the file, in which the part begins
 * @param pages from that one on
 */
record Unread(long firstPage, BitSet pages) {
    /** A page of a file. */
    static final int PAGE_BYTES = 4096;

    /** Fills {@code into} from {@code offset} on, page by page where it must: what cannot be read becomes zeros. */
    static Unread reading(DiskFile file, ByteBuffer into, long offset) throws IOException {
        long first = offset / PAGE_BYTES;
        BitSet pages = new BitSet();
        int start = into.position();
        int end = into.limit();
        if (!isRead(file, into, offset)) {
            for (long at = offset; at < offset + end - start; ) {
                long next = Math.min((at / PAGE_BYTES + 1) * PAGE_BYTES, offset + end - start);
                into.limit(start + (int) (next - offset)).position(start + (int) (at - offset));
                if (!isRead(file, into, at)) {
                    pages.set((int) (at / PAGE_BYTES - first));
                    into.position(start + (int) (at - offset)).put(new byte[into.remaining()]);
                }
                at = next;
            }
        }
        return new Unread(first, pages);
    }

    private static boolean isRead(DiskFile file, ByteBuffer into, long offset) throws IOException {
        try {
            file.read(into, offset);
            return true;
        } catch (ClosedChannelException closed) {
            throw closed; // of a file that is open all can be read, or not
        } catch (IOException failed) {
            return false;
        }
    }

    boolean isNothing() {
        return pages.isEmpty();
    }

    /** Whether a part of these bytes of the file could not be read. */
    boolean touches(long offset, int bytes) {
        int page = pages.nextSetBit((int) Math.max(0, offset / PAGE_BYTES - firstPage));
        return page >= 0 && (firstPage + page) * PAGE_BYTES < offset + bytes;
    }
}
