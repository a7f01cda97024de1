package dev.retier.iwarp.verbs;

import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import dev.retier.iwarp.memory.MemoryRegion;
import dev.retier.iwarp.net.SocketQueuePair;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A queue pair. */
final class IwarpQp extends IbvQP {
    /** Bytes of inline data that one work request may carry. */
    static final int MAX_INLINE = 1024;

    private final SocketQueuePair pair;

    IwarpQp(SocketQueuePair pair, IwarpPd protectionDomain, IbvQPInitAttr attributes) throws IOException {
        super(pair.number());
        this.pair = pair;
        this.context = protectionDomain.getContext();
        this.pd = protectionDomain;
        this.send_cq = attributes.getSend_cq();
        this.recv_cq = attributes.getRecv_cq();
        this.handle = pair.number();
        this.qp_type = IBV_QPT_RC;
    }

    @Override
    public int getState() {
        return switch (pair.state()) {
            case IDLE -> IBV_QPS_INIT;
            case RTS -> IBV_QPS_RTS;
            case CLOSING -> IBV_QPS_SQD;
            case TERMINATE, ERROR -> IBV_QPS_ERR;
        };
    }

    /** Copies a buffer: by its region if the key names one, by its bare address otherwise, as inline data may be. */
    void copy(SendTemplate.SgeTemplate element, byte[] target, int at) {
        MemoryRegion region = pair.device().regions().find(element.getLkey());
        long offset = element.getAddr();
        if (region != null && region.covers(offset, element.getLength()) && region.acquire()) {
            region.get(offset, ByteBuffer.wrap(target).position(at), element.getLength());
            region.release();
        } else {
            RawMemory.copy(offset, target, at, element.getLength());
        }
    }

    SocketQueuePair pair() {
        return pair;
    }

    SocketQueuePair requireOpen() throws IOException {
        if (!isOpen()) {
            throw new IOException("the queue pair was destroyed");
        }
        return pair;
    }
}
