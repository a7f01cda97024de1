package dev.retier.iwarp.ddp;

import dev.retier.iwarp.memory.MemoryRegion;
import dev.retier.iwarp.wire.DdpControl;
import dev.retier.iwarp.wire.TaggedHeader;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The one tagged segment whose payload is on its way straight into a region. Everything about it is checked before its
 * first byte is placed; whether the region still is there, before every further piece. Segments that are wrong in any
 * way, or not simple, are left to the receiver, which sees them once they are whole. Guarded by the stream
 * owner's lock.
 */
public final class DirectPlacement {
    private final Target target;
    private final SpanList spans;
    private final Ulpdu segment = new Ulpdu();
    /** The header of the segment under way, for the Terminate. */
    private final ByteBuffer header = ByteBuffer.allocate(TaggedHeader.LENGTH);

    private @Nullable MemoryRegion region;
    private long offset;
    private int left;
    private @Nullable ByteBuffer view;

    /** Knows where the payload of a tagged segment belongs. */
    @FunctionalInterface
    public interface Target {
        /** Acquires the place and sets the segment's opcode; false, and nothing acquired, if anything is wrong. */
        boolean acquire(Ulpdu segment, SpanList into);
    }

    /** No segment under way. */
    public DirectPlacement(int maxElements, Target target) {
        this.target = target;
        this.spans = new SpanList(maxElements);
    }

    /**
     * Places the first {@code arrived} bytes of a segment of {@code length}, header included, and takes charge of the
     * rest. Returns false, having done nothing, if the segment has to be received whole.
     */
    public boolean begin(ByteBuffer buffer, int at, int arrived, int length) {
        segment.set(buffer, at, length);
        boolean known = segment.tagged() && DdpControl.versionKnown(segment.ddpControl());
        if (!known || !target.acquire(segment, spans)) {
            return false;
        }
        MemoryRegion only = spans.only();
        if (only == null) {
            spans.release();
            return false;
        }
        int here = arrived - TaggedHeader.LENGTH;
        region = only;
        offset = spans.onlyOffset() + here;
        left = segment.payloadLength() - here;
        only.put(spans.onlyOffset(), buffer, segment.payloadAt(), here);
        spans.release();
        header.put(0, buffer, at, TaggedHeader.LENGTH);
        segment.set(header, 0, length);
        return true;
    }

    /** Where the missing payload goes; the region stays acquired until {@link #placed}. Null if it was revoked. */
    public @Nullable ByteBuffer space() {
        MemoryRegion into = region;
        if (into == null || !into.acquire()) {
            return null;
        }
        view = into.borrow(offset, left);
        return view;
    }

    /** Something or nothing was put into {@link #space}. Returns how many bytes. */
    public int placed() {
        MemoryRegion into = region;
        ByteBuffer filled = view;
        if (into == null || filled == null) {
            throw new IllegalStateException("no space was given out");
        }
        int bytes = left - filled.remaining();
        into.giveBack(filled);
        into.release();
        view = null;
        offset += bytes;
        left -= bytes;
        return bytes;
    }

    /** The segment, all of which is placed: its header, and the length of its payload. */
    public Ulpdu complete() {
        region = null;
        return segment;
    }
}
