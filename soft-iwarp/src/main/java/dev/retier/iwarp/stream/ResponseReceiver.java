package dev.retier.iwarp.stream;

import dev.retier.iwarp.memory.Access;
import dev.retier.iwarp.memory.AccessResult;
import dev.retier.iwarp.wire.AtomicResponseHeader;
import dev.retier.iwarp.wire.TaggedHeader;
import dev.retier.iwarp.wire.TerminateReason;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Answers to our own reads and atomics, checked against the oldest one that waits (RFC 5040 section 5.5). */
final class ResponseReceiver {
    private final LocalMemory memory;
    private final SendQueue sends;
    private final SpanList spans;
    private final ByteBuffer word = ByteBuffer.allocate(SendWork.ATOMIC_BYTES).order(ByteOrder.nativeOrder());
    private boolean rtrReadSent;

    ResponseReceiver(StreamParts parts, SpanList spans, boolean rtrReadSent) {
        this.memory = parts.memory();
        this.sends = parts.sends();
        this.spans = spans;
        this.rtrReadSent = rtrReadSent;
    }

    @Nullable
    TerminateReason readResponse(Ulpdu segment) {
        int bytes = segment.payloadLength();
        if (rtrReadSent) {
            rtrReadSent = false;
            return bytes == 0 && segment.last() ? null : TerminateReason.RDMAP_UNEXPECTED_OPCODE;
        }
        SendWork work = sends.awaitingAnswer();
        if (work == null || work.opcode != WorkOpcode.READ) {
            return TerminateReason.RDMAP_UNEXPECTED_OPCODE;
        }
        if (bytes > 0) {
            TerminateReason problem = place(segment, work, bytes);
            if (problem != null) {
                return problem;
            }
        }
        return placed(segment, work, bytes);
    }

    private @Nullable TerminateReason placed(Ulpdu segment, SendWork work, int bytes) {
        work.done += bytes;
        boolean complete = work.done == work.totalBytes();
        if (segment.last() != complete) {
            return TerminateReason.DDP_BOUNDS;
        }
        if (complete) {
            sends.answered();
        }
        return null;
    }

    /** Acquires where a segment's payload goes; false, and nothing acquired, unless it is exactly what is due. */
    boolean acquire(Ulpdu segment, SpanList into) {
        SendWork work = sends.awaitingAnswer();
        if (rtrReadSent || work == null || work.opcode != WorkOpcode.READ) {
            return false;
        }
        int bytes = segment.payloadLength();
        boolean due =
                problem(segment, work, bytes) == null && segment.last() == (work.done + bytes == work.totalBytes());
        return due
                && work.scatter().acquire(memory, Access.LOCAL_WRITE, work.done, bytes, into) == AccessResult.GRANTED;
    }

    /** All payload of a segment whose place was acquired is there. */
    @Nullable
    TerminateReason placed(Ulpdu segment) {
        SendWork work = sends.awaitingAnswer();
        return work == null ? TerminateReason.RDMAP_LOCAL : placed(segment, work, segment.payloadLength());
    }

    private static @Nullable TerminateReason problem(Ulpdu segment, SendWork work, int bytes) {
        ScatterList sink = work.scatter();
        if (TaggedHeader.stag(segment.buffer, segment.at) != sink.firstKey()) {
            return TerminateReason.DDP_INVALID_STAG;
        }
        long offset = TaggedHeader.taggedOffset(segment.buffer, segment.at);
        boolean next = offset - sink.firstAddress() == work.done;
        return next && bytes <= work.totalBytes() - work.done ? null : TerminateReason.DDP_BOUNDS;
    }

    private @Nullable TerminateReason place(Ulpdu segment, SendWork work, int bytes) {
        TerminateReason problem = problem(segment, work, bytes);
        if (problem != null) {
            return problem;
        }
        if (work.scatter().acquire(memory, Access.LOCAL_WRITE, work.done, bytes, spans) != AccessResult.GRANTED) {
            work.status = WorkStatus.LOCAL_PROTECTION;
            return TerminateReason.RDMAP_LOCAL;
        }
        spans.copyFrom(segment.buffer, segment.payloadAt());
        spans.release();
        return null;
    }

    @Nullable
    TerminateReason atomicResponse(Ulpdu segment) {
        SendWork work = sends.awaitingAnswer();
        int id = AtomicResponseHeader.requestId(segment.buffer, segment.payloadAt());
        if (work == null || !work.opcode.isAtomic() || id != (int) work.done) {
            return TerminateReason.RDMAP_UNEXPECTED_OPCODE;
        }
        AccessResult result = work.scatter().acquire(memory, Access.LOCAL_WRITE, 0, SendWork.ATOMIC_BYTES, spans);
        if (result != AccessResult.GRANTED) {
            work.status = WorkStatus.LOCAL_PROTECTION;
            return TerminateReason.RDMAP_LOCAL;
        }
        word.putLong(0, AtomicResponseHeader.value(segment.buffer, segment.payloadAt()));
        spans.copyFrom(word, 0);
        spans.release();
        sends.answered();
        return null;
    }
}
