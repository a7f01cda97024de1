package dev.retier.iwarp.rdmap;

import dev.retier.iwarp.memory.MemoryRegion;
import dev.retier.iwarp.wire.AtomicOperands;
import dev.retier.iwarp.wire.AtomicRequestHeader;
import dev.retier.iwarp.wire.DdpControl;
import dev.retier.iwarp.wire.RdmapOpcode;
import dev.retier.iwarp.wire.ReadRequestHeader;
import dev.retier.iwarp.wire.Segment;
import dev.retier.iwarp.wire.TerminateHeader;
import dev.retier.iwarp.wire.TerminateReason;
import dev.retier.iwarp.wire.UntaggedHeader;
import java.nio.ByteBuffer;

/** An entry of the inbound read queue: a Read or Atomic Request that is not answered to the end. Reused. */
final class InboundRead {
    boolean atomic;
    int msn;
    int sinkStag;
    long sinkOffset;
    long size;
    int sourceStag;
    long sourceOffset;
    long sent;
    int requestId;
    int operation;
    private long data;
    private long dataMask;
    private long compare;
    private long compareMask;

    void read(ByteBuffer buffer, int at, int number) {
        atomic = false;
        msn = number;
        sinkStag = ReadRequestHeader.sinkStag(buffer, at);
        sinkOffset = ReadRequestHeader.sinkOffset(buffer, at);
        size = Integer.toUnsignedLong(ReadRequestHeader.size(buffer, at));
        sourceStag = ReadRequestHeader.sourceStag(buffer, at);
        sourceOffset = ReadRequestHeader.sourceOffset(buffer, at);
        sent = 0;
    }

    void atomic(ByteBuffer buffer, int at, int number) {
        atomic = true;
        msn = number;
        sourceStag = AtomicRequestHeader.stag(buffer, at);
        sourceOffset = AtomicRequestHeader.taggedOffset(buffer, at);
        requestId = AtomicRequestHeader.requestId(buffer, at);
        operation = AtomicRequestHeader.operation(buffer, at);
        AtomicOperands operands = AtomicRequestHeader.operands(buffer, at);
        data = operands.data();
        dataMask = operands.dataMask();
        compare = operands.compare();
        compareMask = operands.compareMask();
    }

    /**
     * Runs the atomic operation (RFC 7306 section 5.1), in the memory's own byte order and by the processor's
     * compare-and-set, so that it excludes local atomic access to the same word, too. The region is acquired and the
     * word checked. Returns what the word held before.
     */
    long applyTo(MemoryRegion region) {
        AtomicOperands operands = new AtomicOperands(data, dataMask, compare, compareMask);
        boolean add = operation == AtomicRequestHeader.FETCH_ADD;
        while (true) {
            long old = region.word(sourceOffset);
            if (!add && !operands.matches(old)) {
                return old;
            }
            long fresh = add ? operands.added(old) : operands.swapped(old);
            if (region.compareAndSet(sourceOffset, old, fresh)) {
                return old;
            }
        }
    }

    /** The Terminate for a response that fails half-way: the request's headers, brought up to its progress. */
    TerminateHeader failure(TerminateReason reason) {
        ByteBuffer ddp = ByteBuffer.allocate(UntaggedHeader.LENGTH);
        RdmapOpcode opcode = atomic ? RdmapOpcode.ATOMIC_REQUEST : RdmapOpcode.READ_REQUEST;
        new Segment().untagged(opcode, msn, 0, true).emit(ddp, 0);
        ddp.put(0, DdpControl.of(false, true));
        byte[] read = new byte[0];
        if (!atomic && reason.carriesReadHeader()) {
            ByteBuffer header = ByteBuffer.allocate(ReadRequestHeader.LENGTH);
            new ReadRequestHeader(sinkStag, sinkOffset + sent, (int) (size - sent), sourceStag, sourceOffset + sent)
                    .emit(header, 0);
            read = header.array();
        }
        int length = UntaggedHeader.LENGTH + opcode.fixedPayloadLength();
        return new TerminateHeader(reason, length, ddp.array(), read);
    }
}
