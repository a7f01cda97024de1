package dev.retier.bench.iwarp;

import com.ibm.disni.RdmaEndpoint;
import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import com.ibm.disni.verbs.SVCReqNotify;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;

/** One end of a connection with its registered memory. Owned by one thread at a time. */
@SuppressWarnings({"JdkObsolete", "NonApiType"}) // DiSNI asks for linked lists
final class Side {
    static final int ALL_RIGHTS = 15;
    static final int SIGNALED = IbvSendWR.IBV_SEND_SIGNALED;
    private static final int BATCH = 32;
    private static final int SLEEP_MILLIS = 100;

    final RdmaEndpoint endpoint;
    final ByteBuffer memory;
    final IbvMr region;
    private final Waiting waiting;
    private final IbvCQ queue;
    private final SVCPollCq poll;
    private final SVCReqNotify notification;
    private final IbvWC[] completions = new IbvWC[BATCH];
    /** Completions that were taken and that nobody has waited for. */
    private int ready;

    Side(RdmaEndpoint endpoint, int bytes, Waiting waiting) throws IOException {
        this.endpoint = endpoint;
        this.waiting = waiting;
        this.memory = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
        this.region =
                endpoint.getPd().regMr(memory, ALL_RIGHTS).execute().free().getMr();
        for (int i = 0; i < BATCH; i++) {
            completions[i] = new IbvWC();
        }
        this.queue = endpoint.getCqProvider().getCQ();
        this.poll = queue.poll(completions, BATCH);
        this.notification = queue.reqNotification(false);
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

    /** Waits for completions as this side waits, a tenth of a second at most when it sleeps; returns how many came. */
    int some() throws IOException {
        int count = poll();
        if (count > 0 || waiting == Waiting.POLL) {
            return count;
        }
        notification.execute();
        count = poll();
        if (count == 0 && queue.getChannel().getCqEvent(queue, SLEEP_MILLIS)) {
            queue.ackEvents(1);
            count = poll();
        }
        return count;
    }

    /** Takes what has completed and keeps it for {@link #await}, driving the socket. */
    void look() throws IOException {
        ready += poll();
    }

    /** Waits until {@code count} completions came. */
    void await(int count) throws IOException {
        while (ready < count) {
            ready += some();
        }
        ready -= count;
    }

    private LinkedList<IbvSge> buffer(int at, int bytes) {
        return buffer(region, at, bytes);
    }

    private static LinkedList<IbvSge> buffer(IbvMr of, int at, int bytes) {
        IbvSge element = new IbvSge();
        element.setAddr(of.getAddr() + at);
        element.setLength(bytes);
        element.setLkey(of.getLkey());
        return new LinkedList<>(List.of(element));
    }

    /** A prepared call: {@code bytes} bytes of our memory from {@code at}, against the target. */
    SVCPostSend prepare(int opcode, int at, int bytes, Target target, int flags) throws IOException {
        return endpoint.postSend(List.of(work(opcode, at, bytes, target, flags)));
    }

    /** The same with {@link #SIGNALED} for the first bytes of other memory. */
    SVCPostSend prepare(int opcode, IbvMr of, int bytes, Target target) throws IOException {
        return endpoint.postSend(List.of(work(opcode, buffer(of, 0, bytes), target, SIGNALED)));
    }

    /** The work request of such a call. */
    IbvSendWR work(int opcode, int at, int bytes, Target target, int flags) {
        return work(opcode, buffer(at, bytes), target, flags);
    }

    private static IbvSendWR work(int opcode, LinkedList<IbvSge> ours, Target target, int flags) {
        IbvSendWR work = new IbvSendWR();
        work.setOpcode(opcode);
        work.setSend_flags(flags);
        work.setSg_list(ours);
        work.getRdma().setRemote_addr(target.address());
        work.getRdma().setRkey(target.key());
        work.getAtomic().setRemote_addr(target.address());
        work.getAtomic().setRkey(target.key());
        return work;
    }

    /** A prepared receive into {@code bytes} bytes of our memory from {@code at}. */
    SVCPostRecv prepareReceive(int at, int bytes) throws IOException {
        return prepareReceives(at, bytes, 1);
    }

    /** So many of them in one call, into memory that follows. */
    SVCPostRecv prepareReceives(int at, int bytes, int count) throws IOException {
        List<IbvRecvWR> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            IbvRecvWR work = new IbvRecvWR();
            work.setSg_list(buffer(at + i * bytes, bytes));
            all.add(work);
        }
        return endpoint.postRecv(all);
    }

    /** Our memory, for the other side. */
    Target target(int at) {
        return new Target(region.getAddr() + at, region.getRkey());
    }

    /** Where a one-sided operation goes. */
    record Target(long address, int key) {}
}
