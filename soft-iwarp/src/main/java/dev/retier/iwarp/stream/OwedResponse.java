package dev.retier.iwarp.stream;

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

/** A Read or Atomic Request of the peer that we have not answered to the end. Reused. */
final class OwedResponse {
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

    /** What to do to the word. */
    AtomicOperands operands() {
        return new AtomicOperands(data, dataMask, compare, compareMask);
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
