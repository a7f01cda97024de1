package dev.retier.volume.pool;

import dev.retier.volume.VolumeName;
import java.nio.ByteBuffer;

/** One change of a pool. It is in the journal as a whole or not at all. */
public sealed interface JournalRecord {
    /** Which volume it changes. */
    int volume();

    /** Whether it takes no more room than itself: it gives room back, or is needed by who wants to do that. */
    default boolean isSmall() {
        return switch (this) {
            case Zeroed _, Deleted _, Resized _, Attached _, RolledBack _ -> true;
            case Written _, Created _, Copied _ -> false;
        };
    }

    /**
     * Whole blocks were written.
     *
     * @param stamp whose request it was
     * @param firstBlock of the volume
     * @param data as many whole blocks as there are; its position does not matter to equality
     */
    record Written(int volume, Stamp stamp, long firstBlock, ByteBuffer data) implements JournalRecord {
        /** How many. */
        public int blocks() {
            return data.remaining() / Geometry.BLOCK_BYTES;
        }
    }

    /** Whole blocks read as zeros from now on, and need no room. */
    record Zeroed(int volume, Stamp stamp, long firstBlock, long blocks) implements JournalRecord {}

    /**
     * There is a new volume, all zeros.
     *
     * @param maker whose request it was
     */
    record Created(int volume, VolumeName name, long bytes, Maker maker) implements JournalRecord {}

    /** The volume and all that it held is gone. */
    record Deleted(int volume) implements JournalRecord {}

    /** It has another size; what lies behind that is gone. */
    record Resized(int volume, long bytes) implements JournalRecord {}

    /** Somebody attached it for writing: what comes of lower epochs is refused. */
    record Attached(int volume, int epoch, long client) implements JournalRecord {}

    /**
     * Whose request made a volume, so that it is known when it comes again.
     *
     * @param client its life
     * @param sequence of the request at that client
     */
    record Maker(long client, long sequence) {
        /** Of a volume that nobody asked for by a request. */
        public static final Maker NOBODY = new Maker(0, 0);
    }

    /**
     * There is a volume, or a snapshot, that has what {@code source} has in this moment.
     *
     * @param parent of which it is a snapshot; 0 for a volume
     */
    record Copied(int volume, int source, int parent, VolumeName name) implements JournalRecord {}

    /** It has what {@code source} has, and its size; all that it had is gone. */
    record RolledBack(int volume, int source) implements JournalRecord {}

    /**
     * Whose request a change was. One of a lower epoch than the volume has is refused before it is a record.
     *
     * @param epoch of the attachment, unsigned
     * @param sequence of the request in its attachment
     */
    record Stamp(int epoch, long sequence) {
        /** Of a change that no attachment asked for, and that leaves what is read as it is: none is above it. */
        public static final Stamp NOBODY = new Stamp(-1, 0);
    }
}
