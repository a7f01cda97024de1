package dev.retier.state.slot;

import dev.retier.state.SiteId;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Where everything is in a slot. All of it is read by one RDMA read.
 *
 * <pre>
 *  offset  0               4       6       8              12              16
 *     0   +---------------+-------+-------+-------------------------------+
 *         | magic "RTSL"  | since | as of |  record number                |  --.
 *    16   +---------------+-------+-------+-------------------------------+    |
 *         | node id       | operator word |  incarnation                  |    |
 *    32   +---------------+---------------+-------------------------------+    |
 *         |  heartbeat                    |  applied epoch                |    | under the
 *    48   +---------------+---------------+-------------------------------+    | checksum
 *         | server health | in service    |  utilisation (double)         |    |
 *    64   +---------------+---------------+-------------------------------+    |
 *         |  cache share (double)         |  back-end share (double)      |    |
 *    80   +-------------------------------+-------------------------------+    |
 *         |  requests/s (double)          |  capacity units/s (double)    |  --'
 *    96   +---------------+---------------+-------------------------------+
 *         | CRC32C        |  reserved     |  record number, for version 1 |
 *   112   +---------------+---------------+-------------------------------+
 *         |  role word                    |  reserved                     |  changed by peers
 *   128   +-------------------------------+-------------------------------+  (remote atomic)
 *         |  lock words of sites 0 to 63 (site 0 is nobody's)             |
 *   640   +---------------------------------------------------------------+
 * </pre>
 *
 * <p>Numbers are little-endian. Atomics act in the byte order of the target's memory (RFC 7306 section 5), so a node
 * on big-endian hardware would need a slot of another version, and is refused at start.
 *
 * <p><b>Versions.</b> A slot is written {@code as of} one version, and can be read by whoever knows the one {@code
 * since} which it can be; 0 in {@code as of} is version 1, whose writers left it out. A reader takes a slot whose range
 * meets its own, {@link #OLDEST} to {@link #NEWEST}. Version 2 differs from 1 by the range alone, and by what a reader
 * asks of it: a reader of version 1 wants the number of the record at the end as well, so it is written there for as
 * long as {@link #OLDEST} is 1. Hence one slot serves a cell of both, and nobody has to know what a peer speaks.
 * Version 3 differs by the role words of batches, which readers of versions before take for damaged: nobody gives such
 * orders while a node of the cell writes an older version.
 *
 * <p><b>Whole or torn.</b> The checksum alone decides. It is computed over the reader's copy, which changes no more, so
 * it does not matter in which order, or in what pieces, the writer stored and the reader copied: a mixture of records
 * is taken for whole only if 32 bits agree by chance. The writer therefore uses no fences.
 *
 * <p><b>Role word and lock words lie outside it by design</b>, as peers change them between two records: nothing but
 * their own bits says that they are right. Each is eight aligned bytes, changed in one piece, and copied in one piece
 * by hardware; a provider that copies bytes may show a mixture of two words. So who acts on a word swaps it, and
 * expects what it has read: a word that was never there is never won.
 */
public final class SlotLayout {
    /** Length of a slot in bytes. */
    public static final int LENGTH_BYTES = 640;

    /** Slots begin at a multiple of this many bytes: a cache line. */
    public static final int ALIGNMENT_BYTES = 64;

    /** Offset of the role word. */
    public static final int ROLE_OFFSET = 112;

    /** Offset of the first byte that a peer may change. */
    public static final int SHARED_OFFSET = ROLE_OFFSET;

    /** How many bytes from {@link #SHARED_OFFSET} on a peer may change by atomics. */
    public static final int SHARED_LENGTH_BYTES = LENGTH_BYTES - SHARED_OFFSET;

    /** How a word is laid out, in a slot and in a buffer beside it. */
    public static final ValueLayout.OfLong WORD_LAYOUT = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Access to a word, by its offset, in one piece. */
    public static final VarHandle WORD = WORD_LAYOUT.varHandle();

    static final int MAGIC = 0x4C53_5452;
    /** The oldest version that is read, and as which what is written can be read. */
    static final short OLDEST = 1;

    /** The version that is written. */
    static final short NEWEST = 3;

    /** The first version whose readers know role words of batches. */
    static final short BATCHES = 3;

    static final int MAGIC_OFFSET = 0;
    static final int SINCE_OFFSET = 4;
    static final int AS_OF_OFFSET = 6;
    static final int NUMBER_OFFSET = 8;
    static final int NODE_OFFSET = 16;
    static final int OPERATOR_OFFSET = 20;
    static final int INCARNATION_OFFSET = 24;
    static final int HEARTBEAT_OFFSET = 32;
    static final int APPLIED_EPOCH_OFFSET = 40;
    static final int HEALTH_OFFSET = 48;
    static final int IN_SERVICE_OFFSET = 52;
    static final int UTILISATION_OFFSET = 56;
    static final int CACHE_SHARE_OFFSET = 64;
    static final int BACK_END_SHARE_OFFSET = 72;
    static final int REQUESTS_OFFSET = 80;
    static final int CAPACITY_OFFSET = 88;
    static final int CRC_OFFSET = 96;
    static final int NUMBER_AGAIN_OFFSET = 104;
    private static final int LOCKS_OFFSET = 128;

    static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE.withOrder(ByteOrder.LITTLE_ENDIAN);

    private SlotLayout() {}

    /** Offset of the lock word of {@code site}. */
    public static int lockOffset(SiteId site) {
        return LOCKS_OFFSET + site.value() * Long.BYTES;
    }
}
