package dev.retier.volume.wire;

import dev.retier.volume.Volume.Extent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Parts of a volume, as an answer has them: each in eight bytes, its length times two, and 1 more if it is a hole. */
public final class Extents {
    private Extents() {}

    /** Appends as many of the first ones as there is room for. */
    public static void put(List<Extent> extents, ByteBuffer into) {
        into.order(ByteOrder.LITTLE_ENDIAN);
        for (Extent extent : extents) {
            if (into.remaining() < Long.BYTES) {
                return;
            }
            into.putLong(extent.bytes() << 1 | (extent.isHole() ? 1 : 0));
        }
    }

    /** All of {@code from}. */
    public static List<Extent> all(ByteBuffer from) {
        ByteBuffer bytes = from.slice().order(ByteOrder.LITTLE_ENDIAN);
        List<Extent> found = new ArrayList<>();
        while (bytes.remaining() >= Long.BYTES) {
            long word = bytes.getLong();
            found.add(new Extent(word >>> 1, (word & 1) != 0));
        }
        return found;
    }
}
