package dev.retier.rnic;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** The same with what the device has: memory, queues, events. */
@SuppressWarnings("MethodName") // C's names, called by C
public abstract class FakeDevice extends FakePorts {
    static final int EINTR = 4;
    static final int EIO = 5;
    static final int EAGAIN = 11;
    /** No event, but that there will be none any more. */
    static final int GONE = -1;
    /** No event, but a signal. */
    static final int INTERRUPTED = -2;
    /** By so much the key for peers is greater than the one for work requests. */
    static final int REMOTE = 500;

    static final int ENOMEM = 12;
    static final int EBUSY = 16;
    static final int EINVAL = 22;

    final Map<Long, Channel> channels = new HashMap<>();
    final Map<Long, Pair> pairs = new HashMap<>();
    final Map<Long, Completions> queues = new HashMap<>();
    final Map<Integer, Region> regions = new HashMap<>();
    final Set<Long> domains = new HashSet<>();
    final List<String> calls = new ArrayList<>();
    int nextNumber = 100;
    /** As {@code ibv_query_qp} tells it: ready to send. */
    int pairState = 3;
    /** What {@code ibv_query_qp} says; 0 if it works. */
    int queryErrno;
    /** What polling says; 0 if it works. */
    int pollResult;
    /** How many completions the newest poll had room for. */
    int polledAtMost;
    /** What asking for a notice says; 0 if it works. */
    int notifyErrno;
    /** What {@code ibv_reg_mr} says; 0 if it works. */
    int regMrErrno;

    /** Done while a region is deregistered, when the library has freed it. */
    Runnable whileDeregistering = () -> {};
    /** Where the library's next region is, if it was freed before; 0 for new memory. */
    private long freedRegion;

    /** What destroys anything says; 0 if it works. */
    int destroyErrno;
    /** By how much addresses in its structures are elsewhere than in every version that is known. */
    int shift;
    /** Events of the device that were taken and not acknowledged. */
    final AtomicInteger taken = new AtomicInteger();

    private final LinkedBlockingQueue<long[]> asyncEvents = new LinkedBlockingQueue<>();

    static final class Channel {
        /** One may wait for them while another makes some. */
        final Queue<Long> events = new ConcurrentLinkedQueue<>();

        final int fd;

        Channel(int fd) {
            this.fd = fd;
        }
    }

    static final class Completions {
        final ArrayDeque<byte[]> ready = new ArrayDeque<>();
        final long channel;
        boolean isArmed;

        Completions(long channel) {
            this.channel = channel;
        }
    }

    static final class Pair {
        final long id;
        final long sends;
        final long receives;
        final int number;
        final ArrayDeque<long[]> receiving = new ArrayDeque<>();
        int room;

        Pair(long id, long sends, long receives, int number, int room) {
            this.id = id;
            this.sends = sends;
            this.receives = receives;
            this.number = number;
            this.room = room;
        }
    }

    record Region(long address, long length, int access) {
        boolean has(long from, int bytes) {
            return from >= address && from + bytes <= address + length;
        }
    }

    /** The names of what was called, in order, but for what is called again and again. */
    List<String> calls() {
        return calls;
    }

    public int ibv_query_qp(long qp, long attributes, int mask, long init) {
        setInt(attributes, 0, pairState);
        return queryErrno;
    }

    public long ibv_alloc_pd(long of) {
        long memory = allocate();
        set(memory, shift, of);
        setInt(memory, 8, nextNumber++);
        domains.add(memory);
        return memory;
    }

    public int ibv_dealloc_pd(long pd) {
        calls.add("ibv_dealloc_pd");
        return destroyErrno == 0 && !domains.remove(pd) ? EINVAL : destroyErrno;
    }

    public long ibv_reg_mr(long pd, long address, long length, int access) {
        if (regMrErrno != 0) {
            fail(regMrErrno);
            return 0;
        }
        long memory = freedRegion == 0 ? allocate() : freedRegion;
        freedRegion = 0;
        at(memory).asSlice(0, 64).fill((byte) 0);
        int key = nextNumber++;
        set(memory, 16 + shift, address);
        set(memory, 24, length);
        setInt(memory, 32, key + 1000);
        setInt(memory, 36, key);
        setInt(memory, 40, key + REMOTE);
        regions.put(key, new Region(address, length, access));
        return memory;
    }

    public int ibv_dereg_mr(long region) {
        calls.add("ibv_dereg_mr");
        if (destroyErrno != 0) {
            return destroyErrno;
        }
        boolean wasThere = regions.remove(getInt(region, 36)) != null;
        freedRegion = region;
        whileDeregistering.run();
        return wasThere ? 0 : EINVAL;
    }

    public long ibv_create_comp_channel(long of) {
        long memory = allocate();
        Channel made = new Channel(newDescriptor());
        setInt(memory, 8, made.fd);
        channels.put(memory, made);
        return memory;
    }

    public int ibv_destroy_comp_channel(long channel) {
        calls.add("ibv_destroy_comp_channel");
        if (destroyErrno == 0) {
            channels.remove(channel);
        }
        return destroyErrno;
    }

    public int ibv_get_cq_event(long channel, long place, long own) {
        Channel known = known(channels, channel);
        Long queue = known.events.poll();
        if (queue == null) {
            calm(known.fd);
            return fail(EAGAIN);
        }
        set(place, 0, queue);
        return 0;
    }

    public void ibv_ack_cq_events(long queue, int events) {
        calls.add("ack " + events + (queues.containsKey(queue) ? "" : " of none"));
    }

    public long ibv_create_cq(long of, int entries, long own, long channel, int vector) {
        calls.add("queue of " + entries + ", vector " + vector);
        long memory = allocate();
        set(memory, 8 + shift, channel);
        setInt(memory, 24, nextNumber++);
        setInt(memory, 28, entries);
        queues.put(memory, new Completions(channel));
        return memory;
    }

    public int ibv_destroy_cq(long queue) {
        calls.add("ibv_destroy_cq");
        if (destroyErrno == 0) {
            queues.remove(queue);
        }
        return destroyErrno;
    }

    /** Tells whoever listens to the device; {@code element} is what the event is about. */
    void tell(int type, long element) {
        asyncEvents.add(new long[] {type, element});
    }

    /** The address of the completion queue of that pair's sends. */
    long sends(int number) {
        return known(pairs, pair(number)).sends;
    }

    /** The address of the completion queue of that pair's receives. */
    long receives(int number) {
        return known(pairs, pair(number)).receives;
    }

    /** The address of the queue pair with that number. */
    long pair(int number) {
        return pairs.entrySet().stream()
                .filter(entry -> entry.getValue().number == number)
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    public int ibv_get_async_event(long of, long event) {
        try {
            long[] next = asyncEvents.take();
            if (next[0] < 0) {
                return fail(next[0] == GONE ? EIO : EINTR);
            }
            taken.incrementAndGet();
            setInt(event, 8, (int) next[0]);
            set(event, 0, next[1]);
            return 0;
        } catch (InterruptedException e) {
            return fail(EINVAL);
        }
    }

    public void ibv_ack_async_event(long event) {
        taken.decrementAndGet();
    }

    public int op_poll_cq(long queue, int most, long completions) {
        polledAtMost = most;
        if (pollResult != 0) {
            return pollResult;
        }
        Completions known = known(queues, queue);
        int found = 0;
        while (found < most && !known.ready.isEmpty()) {
            byte[] one = known.ready.poll();
            MemorySegment.copy(MemorySegment.ofArray(one), 0, at(completions), found * 48L, one.length);
            found++;
        }
        return found;
    }

    public int op_req_notify_cq(long queue, int solicited) {
        calls.add("notify of " + (solicited == 0 ? "each" : "solicited"));
        known(queues, queue).isArmed = true;
        return notifyErrno;
    }

    record Done(long workId, int status, int opcode, int length, int immediate, int flags) {
        Done(long workId, int status, int opcode, int length) {
            this(workId, status, opcode, length, 0, 0);
        }
    }

    void complete(Pair pair, long queue, Done done) {
        byte[] one = new byte[48];
        MemorySegment memory = MemorySegment.ofArray(one);
        memory.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, done.workId);
        memory.set(ValueLayout.JAVA_INT_UNALIGNED, 8, done.status);
        memory.set(ValueLayout.JAVA_INT_UNALIGNED, 12, done.opcode);
        memory.set(ValueLayout.JAVA_INT_UNALIGNED, 16, 0x77);
        memory.set(ValueLayout.JAVA_INT_UNALIGNED, 20, done.length);
        memory.set(ValueLayout.JAVA_INT_UNALIGNED, 24, done.immediate);
        memory.set(ValueLayout.JAVA_INT_UNALIGNED, 28, pair.number);
        memory.set(ValueLayout.JAVA_INT_UNALIGNED, 32, 0x55);
        memory.set(ValueLayout.JAVA_INT_UNALIGNED, 36, done.flags);
        Completions known = known(queues, queue);
        known.ready.add(one);
        if (known.isArmed && known.channel != 0) {
            known.isArmed = false;
            known(channels, known.channel).events.add(queue);
            wake(known(channels, known.channel).fd);
        }
    }
}
