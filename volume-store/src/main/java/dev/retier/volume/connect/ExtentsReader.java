package dev.retier.volume.connect;

import dev.retier.volume.Volume.Extent;
import dev.retier.volume.Volume.Range;
import dev.retier.volume.VolumeName;
import dev.retier.volume.wire.Extents;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Asks a server which parts of a volume hold something, as often as needed. Stateless. */
final class ExtentsReader {
    private ExtentsReader() {}

    /** Asks for one range; what is answered. */
    interface Asking {
        ByteBuffer ask(Range range) throws IOException;
    }

    /** All of {@code range}, asked for by at most {@code most} bytes. */
    static List<Extent> read(VolumeName name, Range range, long most, Asking asking) throws IOException {
        List<Extent> all = new ArrayList<>();
        for (long done = 0; done < range.bytes(); ) {
            long some = Math.min(range.bytes() - done, most);
            long told = 0;
            for (Extent extent : Extents.all(asking.ask(new Range(range.offset() + done, some)))) {
                all.add(extent);
                told += extent.bytes();
            }
            if (told <= 0 || told > some) {
                throw new IOException("the parts of " + name + " that the server tells cannot be");
            }
            done += told;
        }
        return all;
    }
}
