package dev.retier.testsupport.verbs;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.SVCDeregMr;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import com.ibm.disni.verbs.SVCRegMr;
import com.ibm.disni.verbs.SVCReqNotify;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** DiSNI's verbs in one world. */
final class MemoryVerbs extends RdmaVerbs {
    private final VerbsWorld world;

    MemoryVerbs(VerbsWorld world) {
        this.world = world;
    }

    private interface Make<T> {
        T make() throws IOException;
    }

    private <T> T made(String call, Make<T> body) throws IOException {
        world.lock.lock();
        try {
            world.check(call);
            T object = body.make();
            world.opened(call);
            return object;
        } finally {
            world.lock.unlock();
        }
    }

    private int freed(String call, String madeBy, Runnable close) throws IOException {
        Calls.run(world, call, () -> {
            close.run();
            world.closed(madeBy);
        });
        return 0;
    }

    @Override
    public IbvPd allocPd(IbvContext context) throws IOException {
        return made("allocPd", () -> new MemoryPd(context));
    }

    @Override
    public IbvCompChannel createCompChannel(IbvContext context) throws IOException {
        return made("createCompChannel", () -> new MemoryCompChannel(world, (MemoryContext) context));
    }

    @Override
    public IbvCQ createCQ(IbvContext context, @Nullable IbvCompChannel channel, int entries, int vector)
            throws IOException {
        return made("createCQ", () -> {
            if (entries > world.completionQueueLimit()) {
                throw new IOException("ibv_create_cq failed: Invalid argument");
            }
            return new MemoryCq(world, (MemoryContext) context, (MemoryCompChannel) channel, entries);
        });
    }

    @Override
    public boolean getCqEvent(IbvCompChannel channel, @Nullable IbvCQ queue, int timeoutMillis) throws IOException {
        world.lock.lock();
        try {
            world.check("getCqEvent");
            boolean there = ((MemoryCompChannel) channel).take(timeoutMillis);
            if (there) {
                world.opened("getCqEvent");
            }
            return there;
        } finally {
            world.lock.unlock();
        }
    }

    @Override
    public SVCRegMr regMr(IbvPd domain, ByteBuffer buffer, int access) {
        return regMr(domain, MemorySegment.ofBuffer(buffer).address(), buffer.remaining(), access);
    }

    @Override
    public SVCRegMr regMr(IbvPd domain, long address, int length, int access) {
        return new Calls.Register(world, (MemoryPd) domain, address, length, access);
    }

    @Override
    public int queryOdpSupport(IbvContext context) {
        return -1;
    }

    @Override
    public int expPrefetchMr(IbvMr region, long address, int length) throws IOException {
        throw new IOException("paging on demand is not supported");
    }

    @Override
    public SVCDeregMr deregMr(IbvMr region) {
        return new Calls.Deregister(world, region);
    }

    @Override
    public SVCPostSend postSend(IbvQP pair, List<IbvSendWR> requests, @Nullable List<IbvSendWR> bad) {
        return new PostSends(world, (MemoryQp) pair, requests);
    }

    @Override
    public SVCPostRecv postRecv(IbvQP pair, List<IbvRecvWR> requests, @Nullable List<IbvRecvWR> bad) {
        return new Calls.PostReceives(world, (MemoryQp) pair, requests);
    }

    @Override
    public SVCPollCq pollCQ(IbvCQ queue, IbvWC[] into, int most) {
        return new Calls.Poll(world, (MemoryCq) queue, into, most);
    }

    @Override
    public SVCReqNotify reqNotifyCQ(IbvCQ queue, boolean solicitedOnly) {
        return new Calls.Notify(world, (MemoryCq) queue);
    }

    @Override
    public int ackCqEvents(IbvCQ queue, int events) throws IOException {
        Calls.run(world, "ackCqEvents", () -> world.closed("getCqEvent"));
        return 0;
    }

    @Override
    public int destroyCompChannel(IbvCompChannel channel) throws IOException {
        return freed("destroyCompChannel", "createCompChannel", channel::close);
    }

    @Override
    public int deallocPd(IbvPd domain) throws IOException {
        return freed("deallocPd", "allocPd", domain::close);
    }

    @Override
    public int destroyCQ(IbvCQ queue) throws IOException {
        Calls.run(world, "destroyCQ", () -> {
            if (world.pairs().stream().anyMatch(pair -> pair.uses(queue))) {
                throw new IOException("a queue pair still uses the completion queue");
            }
            queue.close();
            world.closed("createCQ");
        });
        return 0;
    }
}
