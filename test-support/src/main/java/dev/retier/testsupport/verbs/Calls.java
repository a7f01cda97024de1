package dev.retier.testsupport.verbs;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCDeregMr;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCRegMr;
import com.ibm.disni.verbs.SVCReqNotify;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** DiSNI's stateful calls, but that for sends. Stateless. */
final class Calls {
    private Calls() {}

    interface Body {
        void run() throws IOException;
    }

    static void run(VerbsWorld world, String name, Body body) throws IOException {
        world.lock.lock();
        try {
            world.check(name);
            body.run();
        } finally {
            world.lock.unlock();
        }
    }

    static final class Register extends SVCRegMr {
        private final VerbsWorld world;
        private final MemoryPd domain;
        private final long address;
        private final int length;
        private final int access;
        private @Nullable IbvMr region;

        Register(VerbsWorld world, MemoryPd domain, long address, int length, int access) {
            this.world = world;
            this.domain = domain;
            this.address = address;
            this.length = length;
            this.access = access;
        }

        @Override
        public SVCRegMr execute() throws IOException {
            run(world, "regMr", () -> {
                MemoryMr made = new MemoryMr(domain, address, length, access, world.nextNumber());
                world.regions().put(made.getRkey(), made);
                world.opened("regMr");
                region = made;
            });
            return this;
        }

        @Override
        public @Nullable IbvMr getMr() {
            return region;
        }

        @Override
        public boolean isValid() {
            return true;
        }

        @Override
        public SVCRegMr free() {
            return this;
        }
    }

    static final class Deregister extends SVCDeregMr {
        private final VerbsWorld world;
        private final IbvMr region;

        Deregister(VerbsWorld world, IbvMr region) {
            this.world = world;
            this.region = region;
        }

        @Override
        public SVCDeregMr execute() throws IOException {
            run(world, "deregMr", () -> {
                region.close();
                if (world.regions().remove(region.getRkey()) != null) {
                    world.closed("regMr");
                }
            });
            return this;
        }

        @Override
        public boolean isValid() {
            return true;
        }

        @Override
        public SVCDeregMr free() {
            return this;
        }
    }

    static final class PostReceives extends SVCPostRecv {
        private final VerbsWorld world;
        private final MemoryQp pair;
        private final List<IbvRecvWR> requests;

        PostReceives(VerbsWorld world, MemoryQp pair, List<IbvRecvWR> requests) {
            this.world = world;
            this.pair = pair;
            this.requests = List.copyOf(requests);
        }

        @Override
        public SVCPostRecv execute() throws IOException {
            run(world, "postRecv", () -> {
                for (IbvRecvWR request : requests) {
                    pair.receive(request);
                }
            });
            return this;
        }

        @Override
        public RecvWRMod getWrMod(int index) {
            return () -> requests.get(index).getWr_id();
        }

        @Override
        public boolean isValid() {
            return true;
        }

        @Override
        public SVCPostRecv free() {
            return this;
        }
    }

    static final class Poll extends SVCPollCq {
        private final VerbsWorld world;
        private final MemoryCq queue;
        private final IbvWC[] into;
        private final int most;
        private int taken;

        Poll(VerbsWorld world, MemoryCq queue, IbvWC[] into, int most) {
            this.world = world;
            this.queue = queue;
            this.into = into;
            this.most = most;
        }

        @Override
        public SVCPollCq execute() throws IOException {
            run(world, "pollCQ", () -> taken = queue.take(into, most));
            return this;
        }

        @Override
        public int getPolls() {
            return taken;
        }

        @Override
        public boolean isValid() {
            return true;
        }

        @Override
        public SVCPollCq free() {
            return this;
        }
    }

    static final class Notify extends SVCReqNotify {
        private final VerbsWorld world;
        private final MemoryCq queue;

        Notify(VerbsWorld world, MemoryCq queue) {
            this.world = world;
            this.queue = queue;
        }

        @Override
        public SVCReqNotify execute() throws IOException {
            run(world, "reqNotifyCQ", queue::arm);
            return this;
        }

        @Override
        public boolean isValid() {
            return true;
        }

        @Override
        public SVCReqNotify free() {
            return this;
        }
    }
}
