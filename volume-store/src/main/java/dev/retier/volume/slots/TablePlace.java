package dev.retier.volume.slots;

import com.ibm.disni.verbs.IbvMr;
import dev.retier.link.LinkHost;
import dev.retier.link.auth.Right;
import dev.retier.volume.table.TableGrant;
import dev.retier.volume.table.VolumeTable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Where a server's table is, for others to read. {@link #put} is for one thread at a time; readers need no agreement
 * with it.
 */
public final class TablePlace {
    /** To read what a server tells of its volumes. */
    public static final Right TABLES = new Right(5, "retier volume tables");

    private static final int ALIGNMENT = 64;

    private final MemorySegment memory = Arena.ofAuto().allocate(VolumeTable.bytes(VolumeTable.MOST_ROWS), ALIGNMENT);
    private final ByteBuffer image = ByteBuffer.allocateDirect(VolumeTable.bytes(VolumeTable.MOST_ROWS));

    /** One whose table is {@code first}. */
    public TablePlace(VolumeTable first) {
        put(first);
    }

    /** From now on it is that. */
    public void put(VolumeTable table) {
        table.encode(image);
        MemorySegment.copy(
                MemorySegment.ofBuffer(image),
                0,
                memory,
                0,
                VolumeTable.bytes(table.rows().size()));
    }

    /** Lets the peer of a connection read it, as long as that lasts. */
    public TableGrant grant(LinkHost.Ready ready) throws IOException {
        IbvMr registration = ready.pair().register(memory, IbvMr.IBV_ACCESS_REMOTE_READ);
        return new TableGrant(memory.address(), registration.getRkey(), VolumeTable.MOST_ROWS);
    }
}
