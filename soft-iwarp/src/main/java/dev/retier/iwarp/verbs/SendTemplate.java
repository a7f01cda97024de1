package dev.retier.iwarp.verbs;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.SVCPostSend;
import dev.retier.iwarp.rdmap.SendWork;
import dev.retier.iwarp.rdmap.WorkOpcode;
import dev.retier.iwarp.wire.AtomicOperands;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A copy of one send work request that its owner may change between executions. Owned by one thread at a time. */
final class SendTemplate implements SVCPostSend.SendWRMod, SVCPostSend.RdmaMod {
    private final WorkOpcode opcode;
    private final int verbsOpcode;
    private final SgeTemplate[] elements;
    private final int immediate;
    private final int invalidateKey;
    private final @Nullable AtomicOperands operands;
    private long workId;
    private int flags;
    private long remoteAddress;
    private int remoteKey;
    private int reserved;
    private byte[] inline = {};

    SendTemplate(IbvSendWR source) throws IOException {
        verbsOpcode = source.getOpcode();
        opcode = opcode(verbsOpcode);
        elements = source.getSg_list().stream().map(SgeTemplate::new).toArray(SgeTemplate[]::new);
        immediate = source.getImm_data();
        invalidateKey = source instanceof IwarpSendWr ours ? ours.invalidateKey() : 0;
        workId = source.getWr_id();
        flags = source.getSend_flags();
        operands = opcode.isAtomic() ? operands(source) : null;
        remoteAddress = opcode.isAtomic()
                ? source.getAtomic().getRemote_addr()
                : source.getRdma().getRemote_addr();
        remoteKey = opcode.isAtomic()
                ? source.getAtomic().getRkey()
                : source.getRdma().getRkey();
        check();
    }

    private static WorkOpcode opcode(int code) throws IOException {
        return switch (code) {
            case IbvSendWR.IBV_WR_RDMA_WRITE -> WorkOpcode.WRITE;
            case IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM -> WorkOpcode.WRITE_IMMEDIATE;
            case IbvSendWR.IBV_WR_SEND -> WorkOpcode.SEND;
            case IbvSendWR.IBV_WR_RDMA_READ -> WorkOpcode.READ;
            case IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP -> WorkOpcode.COMPARE_SWAP;
            case IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD -> WorkOpcode.FETCH_ADD;
            case IbvSendWR.IBV_WR_SEND_WITH_IMM ->
                throw new IOException("iWARP has no Send with immediate; use RDMA_WRITE_WITH_IMM");
            default -> throw new IOException("send opcode " + code + " is unknown");
        };
    }

    private AtomicOperands operands(IbvSendWR source) {
        IbvSendWR.Atomic atomic = source.getAtomic();
        boolean masked = source instanceof IwarpSendWr ours && ours.masked();
        if (opcode == WorkOpcode.FETCH_ADD) {
            long fields = masked ? ((IwarpSendWr) source).dataMask() : 0;
            return new AtomicOperands(atomic.getCompare_add(), fields, 0, -1);
        }
        if (!masked) {
            return AtomicOperands.compareAndSwap(atomic.getCompare_add(), atomic.getSwap());
        }
        IwarpSendWr ours = (IwarpSendWr) source;
        return new AtomicOperands(atomic.getSwap(), ours.dataMask(), atomic.getCompare_add(), ours.compareMask());
    }

    private void check() throws IOException {
        long total = 0;
        for (SgeTemplate element : elements) {
            total += Math.max(0, element.getLength());
        }
        if (total > 0xFFFF_FFFFL) {
            throw new IOException("a message of " + total + " bytes; iWARP carries less than 4 GiB");
        }
        if (opcode.isAtomic() && total != Long.BYTES) {
            throw new IOException("an atomic needs 8 bytes for its result, not " + total);
        }
    }

    /** Whether it is a read or an atomic. */
    boolean awaitsResponse() {
        return opcode.awaitsResponse();
    }

    /** Fills an entry of the send queue. */
    void fill(SendWork work, IwarpQp qp) {
        work.workId = workId;
        work.opcode = opcode;
        work.signaled = has(IbvSendWR.IBV_SEND_SIGNALED);
        work.fence = has(IbvSendWR.IBV_SEND_FENCE);
        work.solicited = has(IbvSendWR.IBV_SEND_SOLICITED);
        work.remoteOffset = remoteAddress;
        work.remoteStag = remoteKey;
        work.immediate = immediate;
        work.invalidateStag = invalidateKey;
        work.operands = operands;
        if (has(IbvSendWR.IBV_SEND_INLINE) && !opcode.awaitsResponse()) {
            fillInline(work, qp);
        } else {
            for (SgeTemplate element : elements) {
                work.scatter().add(element.getAddr(), element.getLength(), element.getLkey());
            }
        }
    }

    private void fillInline(SendWork work, IwarpQp qp) {
        int total = 0;
        for (SgeTemplate element : elements) {
            total += element.getLength();
        }
        if (total > IwarpQp.MAX_INLINE || total < 0) {
            throw new IllegalArgumentException(
                    total + " bytes of inline data; at most " + IwarpQp.MAX_INLINE + " are taken");
        }
        if (inline.length < total) {
            inline = new byte[total];
        }
        int at = 0;
        for (SgeTemplate element : elements) {
            qp.copy(element, inline, at);
            at += element.getLength();
        }
        work.inline(inline, total);
    }

    private boolean has(int flag) {
        return (flags & flag) != 0;
    }

    @Override
    public void setWr_id(long id) {
        workId = id;
    }

    @Override
    public void setSend_flags(int newFlags) {
        flags = newFlags;
    }

    @Override
    public long getWr_id() {
        return workId;
    }

    @Override
    public int getNum_sge() {
        return elements.length;
    }

    @Override
    public int getOpcode() {
        return verbsOpcode;
    }

    @Override
    public int getSend_flags() {
        return flags;
    }

    /** The remote address and key: of atomics, too. */
    @Override
    public SVCPostSend.RdmaMod getRdmaMod() {
        return this;
    }

    @Override
    public SVCPostSend.SgeMod getSgeMod(int index) {
        return elements[index];
    }

    @Override
    public void setRemote_addr(long address) {
        remoteAddress = address;
    }

    @Override
    public long getRemote_addr() {
        return remoteAddress;
    }

    @Override
    public void setRkey(int key) {
        remoteKey = key;
    }

    @Override
    public int getRkey() {
        return remoteKey;
    }

    @Override
    public void setReserved(int value) {
        reserved = value;
    }

    @Override
    public int getReserved() {
        return reserved;
    }

    /** One scatter/gather element. */
    static final class SgeTemplate implements SVCPostSend.SgeMod {
        private long address;
        private int length;
        private int key;

        SgeTemplate(IbvSge source) {
            address = source.getAddr();
            length = source.getLength();
            key = source.getLkey();
        }

        @Override
        public void setAddr(long newAddress) {
            address = newAddress;
        }

        @Override
        public long getAddr() {
            return address;
        }

        @Override
        public void setLength(int newLength) {
            length = newLength;
        }

        @Override
        public int getLength() {
            return length;
        }

        @Override
        public void setLkey(int newKey) {
            key = newKey;
        }

        @Override
        public int getLkey() {
            return key;
        }
    }
}
