package dev.retier.volume.disk;

import dev.retier.volume.disk.Disk.DiskFile;
import dev.retier.volume.pool.MapPage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** The file of a volume's map, as far as it counts. Stateless. */
final class MapFile {
    private static final int PAIR_BYTES = 2 * MapPage.BYTES;
    /** Of what is read at once. */
    private static final int MOST_BYTES = 1 << 20;

    private static final ByteBuffer EMPTY = ByteBuffer.allocate(MapPage.BYTES).asReadOnlyBuffer();

    private MapFile() {}

    /** Why a slot does not count. */
    enum Why {
        /** It is of a checkpoint that did not end. */
        OF_LATER,
        /** It is not good, and not empty. */
        BROKEN,
        /** It cannot be read; only the sum of all maps can tell that nobody needs it. */
        UNREAD
    }

    /** Who hears of slots that do not count. */
    interface Unused {
        /** A slot, by its place in the file. */
        void slot(long at, Why why) throws IOException;
    }

    /** Who hears of pages. */
    interface Pages {
        /** The one of that number, in that slot of its two. */
        void page(int number, MapPage page, int slot);
    }

    /** What the checkpoint of that number has left; what was never written takes no time. */
    static void read(DiskFile file, long checkpoint, Pages pages, Unused unused) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES);
        long end = file.size() / MapPage.BYTES * MapPage.BYTES;
        for (long at = 0; at < end; at += MOST_BYTES) {
            at = Math.max(at, file.nextData(at) / PAIR_BYTES * PAIR_BYTES);
            if (at < end) {
                bytes.clear().limit((int) Math.min(MOST_BYTES, end - at));
                Unread unread = Unread.reading(file, bytes, at);
                read(new Part(at, bytes.flip(), unread, checkpoint), pages, unused);
            }
        }
    }

    /** Pages of a file from {@code offset} on. */
    private record Part(long offset, ByteBuffer bytes, Unread unread, long checkpoint) {
        Optional<MapPage> slot(int at, Unused unused) throws IOException {
            ByteBuffer slot = bytes.slice(at, MapPage.BYTES);
            Optional<MapPage> found = MapPage.parse(slot);
            if (unread.touches(offset + at, MapPage.BYTES)) {
                unused.slot(offset + at, Why.UNREAD);
            } else if (found.isPresent() && found.get().checkpoint() > checkpoint) {
                unused.slot(offset + at, Why.OF_LATER);
                return Optional.empty();
            } else if (found.isEmpty() && !slot.equals(EMPTY)) {
                unused.slot(offset + at, Why.BROKEN);
            }
            return found;
        }
    }

    private static void read(Part part, Pages pages, Unused unused) throws IOException {
        for (int at = 0; at < part.bytes.limit(); at += PAIR_BYTES) {
            int number = (int) ((part.offset + at) / PAIR_BYTES);
            Optional<MapPage> first = part.slot(at, unused);
            Optional<MapPage> second =
                    at + MapPage.BYTES < part.bytes.limit() ? part.slot(at + MapPage.BYTES, unused) : Optional.empty();
            if (second.isPresent()
                    && (first.isEmpty()
                            || second.get().checkpoint() > first.get().checkpoint())) {
                pages.page(number, second.get(), 1);
            } else {
                first.ifPresent(page -> pages.page(number, page, 0));
            }
        }
    }
}
