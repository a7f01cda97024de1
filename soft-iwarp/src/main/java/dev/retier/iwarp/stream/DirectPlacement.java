package dev.retier.iwarp.stream;

import dev.retier.iwarp.memory.Access;
import dev.retier.iwarp.memory.AccessResult;
import dev.retier.iwarp.memory.MemoryRegion;
import dev.retier.iwarp.wire.DdpControl;
import dev.retier.iwarp.wire.RdmapControl;
import dev.retier.iwarp.wire.RdmapOpcode;
import dev.retier.iwarp.wire.TaggedHeader;
import dev.retier.iwarp.wire.TerminateReason;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The one tagged segment whose payload is on its way straight into a region. Everything about it is checked before its
 * first byte is placed; whether the region still is there, before every further piece. Segments that are wrong in any
 * way, or not simple, are left to the {@link Receiver}, which sees them once they are whole. Guarded by the stream
 * owner's lock.
 */
final class DirectPlacement {
    private final LocalMemory memory;
    private final StreamStatus status;
    private final ResponseReceiver responses;
    private final SpanList spans;
    private final Ulpdu segment = new Ulpdu();
    /** The header of the segment under way, for the Terminate. */
    private final ByteBuffer header = ByteBuffer.allocate(TaggedHeader.LENGTH);

    private @Nullable MemoryRegion region;
    private long offset;
    private int left;
    private @Nullable ByteBuffer view;

    DirectPlacement(StreamParts parts, ResponseReceiver responses) {
        this.memory = parts.memory();
        this.status = parts.status();
        this.responses = responses;
        this.spans = new SpanList(parts.maxElements());
    }

    /**
     * Places the first {@code arrived} bytes of a segment of {@code length}, header included, and takes charge of the
     * rest. Returns false, having done nothing, if the segment has to be received whole.
     */
    boolean begin(ByteBuffer buffer, int at, int arrived, int length) {
        segment.set(buffer, at, length);
        boolean known = segment.tagged()
                && DdpControl.versionKnown(segment.ddpControl())
                && RdmapControl.versionKnown(segment.rdmapControl());
        if (!known || !acquire()) {
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

    private boolean acquire() {
        RdmapOpcode opcode = RdmapOpcode.of(segment.rdmapControl());
        if (opcode == null) {
            return false;
        }
        segment.opcode = opcode;
        int bytes = segment.payloadLength();
        return switch (opcode) {
            case WRITE ->
                spans.add(
                                memory,
                                TaggedHeader.stag(segment.buffer, segment.at),
                                Access.REMOTE_WRITE,
                                TaggedHeader.taggedOffset(segment.buffer, segment.at),
                                bytes)
                        == AccessResult.GRANTED;
            case READ_RESPONSE -> responses.acquire(segment, spans);
            default -> false;
        };
    }

    /** Where the missing payload goes; the region stays acquired until {@link #placed}. Null if it may not any more. */
    @Nullable
    ByteBuffer space() {
        MemoryRegion target = region;
        if (target == null || !status.works()) {
            return null;
        }
        if (!target.acquire()) {
            boolean write = segment.opcode == RdmapOpcode.WRITE;
            status.fail(segment.failure(write ? TerminateReason.DDP_INVALID_STAG : TerminateReason.RDMAP_LOCAL));
            return null;
        }
        view = target.borrow(offset, left);
        return view;
    }

    /** Something or nothing was put into {@link #space}. Returns how many bytes. */
    int placed() {
        MemoryRegion target = region;
        ByteBuffer filled = view;
        if (target == null || filled == null) {
            throw new IllegalStateException("no space was given out");
        }
        int bytes = left - filled.remaining();
        target.giveBack(filled);
        target.release();
        view = null;
        offset += bytes;
        left -= bytes;
        return bytes;
    }

    /** The segment, all of which is placed: its header, and the length of its payload. */
    Ulpdu complete() {
        region = null;
        return segment;
    }
}
