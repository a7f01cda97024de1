package dev.retier.bench.iwarp;

import com.ibm.disni.RdmaEndpoint;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedList;
import java.util.List;

/** One end of a connection with its registered memory. Owned by one thread. */
final class Side {
    static final int ALL_RIGHTS = 15;
    private static final int BATCH = 16;

    final RdmaEndpoint endpoint;
    final ByteBuffer memory;
    final IbvMr region;
    private final SVCPollCq poll;
    private final IbvWC[] completions = new IbvWC[BATCH];
    /** Completions that were taken and that nobody has waited for. */
    private int ready;

    Side(RdmaEndpoint endpoint, int bytes) throws IOException {
        this.endpoint = endpoint;
        this.memory = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
        this.region =
                endpoint.getPd().regMr(memory, ALL_RIGHTS).execute().free().getMr();
        for (int i = 0; i < BATCH; i++) {
            completions[i] = new IbvWC();
        }
        this.poll = endpoint.getCqProvider().getCQ().poll(completions, BATCH);
    }

    /** Takes what has completed, driving the socket; fails on the first error. */
    int poll() throws IOException {
        int count = poll.execute().getPolls();
        for (int i = 0; i < count; i++) {
            if (completions[i].getStatus() != 0) {
                throw new IOException("work failed with status " + completions[i].getStatus());
            }
        }
        return count;
    }

    /** Polls until {@code count} completions came. */
    void await(int count) throws IOException {
        while (ready < count) {
            ready += poll();
        }
        ready -= count;
    }

    /** A prepared call: {@code bytes} bytes of our memory from 0, against the target's from {@code remote}. */
    @SuppressWarnings("JdkObsolete") // DiSNI asks for a linked list
    SVCPostSend prepare(int opcode, int bytes, Target target, boolean signaled) throws IOException {
        IbvSge element = new IbvSge();
        element.setAddr(region.getAddr());
        element.setLength(bytes);
        element.setLkey(region.getLkey());
        IbvSendWR work = new IbvSendWR();
        work.setOpcode(opcode);
        work.setSend_flags(signaled ? IbvSendWR.IBV_SEND_SIGNALED : 0);
        work.setSg_list(new LinkedList<>(List.of(element)));
        work.getRdma().setRemote_addr(target.address());
        work.getRdma().setRkey(target.key());
        work.getAtomic().setRemote_addr(target.address());
        work.getAtomic().setRkey(target.key());
        return endpoint.postSend(List.of(work));
    }

    /** Our memory, for the other side. */
    Target target(int at) {
        return new Target(region.getAddr() + at, region.getRkey());
    }

    /** Where a one-sided operation goes. */
    record Target(long address, int key) {}
}
