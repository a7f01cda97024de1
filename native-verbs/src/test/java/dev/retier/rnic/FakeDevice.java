package dev.retier.rnic;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** The same with what the device does: memory, queues, work. */
@SuppressWarnings("MethodName") // C's names, called by C
public abstract class FakeDevice extends FakePorts {
    static final int EIO = 5;
    static final int EAGAIN = 11;
    /** No event, but that there will be none any more. */
    static final int GONE = -1;

    static final int ENOMEM = 12;
    static final int EBUSY = 16;
    static final int EINVAL = 22;

    final Map<Long, Channel> channels = new HashMap<>();
    final Map<Long, Pair> pairs = new HashMap<>();
    final Map<Long, Queue> queues = new HashMap<>();
    final Map<Integer, Region> regions = new HashMap<>();
    final Set<Long> domains = new HashSet<>();
    final List<String> calls = new ArrayList<>();
    int nextNumber = 100;
    /** 1, or as siw's own driver -1: how an errno that a post returns is signed. */
    int postSign = 1;
    /** As {@code ibv_query_qp} tells it: ready to send. */
    int pairState = 3;
    /** What {@code ibv_reg_mr} says; 0 if it works. */
    int regMrErrno;

    /** What destroys anything says; 0 if it works. */
    int destroyErrno;
    /** Where the library has the device's address in a protection domain. */
    int contextAt;
    /** Events of the device that were taken and not acknowledged. */
    final AtomicInteger taken = new AtomicInteger();

    private final LinkedBlockingQueue<long[]> asyncEvents = new LinkedBlockingQueue<>();

    static final class Channel {
        final ArrayDeque<Long> events = new ArrayDeque<>();
        final int fd;

        Channel(int fd) {
            this.fd = fd;
        }
    }

    static final class Queue {
        final ArrayDeque<byte[]> completions = new ArrayDeque<>();
        final long channel;
        boolean isArmed;

        Queue(long channel) {
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

    record Region(long address, long length, int access) {}

    /** The other end of its connection. */
    abstract Pair peer(Pair of);

    /** The names of what was called, in order, but for what is called again and again. */
    List<String> calls() {
        return calls;
    }

    public int ibv_query_qp(long qp, long attributes, int mask, long init) {
        setInt(attributes, 0, pairState);
        return 0;
    }

    public long ibv_alloc_pd(long of) {
        long memory = allocate();
        set(memory, contextAt, of);
        setInt(memory, 8, nextNumber++);
        domains.add(memory);
        return memory;
    }

    public int ibv_dealloc_pd(long pd) {
        return destroyErrno == 0 && !domains.remove(pd) ? EINVAL : destroyErrno;
    }

    public long ibv_reg_mr(long pd, long address, long length, int access) {
        if (regMrErrno != 0) {
            fail(regMrErrno);
            return 0;
        }
        long memory = allocate();
        int key = nextNumber++;
        set(memory, 16, address);
        set(memory, 24, length);
        setInt(memory, 32, key + 1000);
        setInt(memory, 36, key);
        setInt(memory, 40, key);
        regions.put(key, new Region(address, length, access));
        return memory;
    }

    public int ibv_dereg_mr(long region) {
        return destroyErrno == 0 && regions.remove(getInt(region, 36)) == null ? EINVAL : destroyErrno;
    }

    public long ibv_create_comp_channel(long of) {
        long memory = allocate();
        Channel made = new Channel(newDescriptor());
        setInt(memory, 8, made.fd);
        channels.put(memory, made);
        return memory;
    }

    public int ibv_destroy_comp_channel(long channel) {
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
        long memory = allocate();
        set(memory, 8, channel);
        setInt(memory, 24, nextNumber++);
        setInt(memory, 28, entries);
        queues.put(memory, new Queue(channel));
        return memory;
    }

    public int ibv_destroy_cq(long queue) {
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
            if (next[0] == GONE) {
                return fail(EIO);
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
        Queue known = known(queues, queue);
        int found = 0;
        while (found < most && !known.completions.isEmpty()) {
            byte[] one = known.completions.poll();
            MemorySegment.copy(MemorySegment.ofArray(one), 0, at(completions), found * 48L, one.length);
            found++;
        }
        return found;
    }

    public int op_req_notify_cq(long queue, int solicited) {
        calls.add("notify of " + (solicited == 0 ? "each" : "solicited"));
        known(queues, queue).isArmed = true;
        return 0;
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
        Queue known = known(queues, queue);
        known.completions.add(one);
        if (known.isArmed && known.channel != 0) {
            known.isArmed = false;
            known(channels, known.channel).events.add(queue);
            wake(known(channels, known.channel).fd);
        }
    }

    public int op_post_recv(long qp, long request, long bad) {
        for (long at = request; at != 0; at = get(at, 8)) {
            Pair pair = known(pairs, qp);
            long list = get(at, 16);
            int count = getInt(at, 24);
            pair.receiving.add(
                    count == 0
                            ? new long[] {get(at, 0), 0, 0, 0}
                            : new long[] {get(at, 0), get(list, 0), getInt(list, 8), getInt(list, 12)});
        }
        return 0;
    }

    public int op_post_send(long qp, long request, long bad) {
        Pair pair = known(pairs, qp);
        for (long at = request; at != 0; at = get(at, 8)) {
            if (pair.room == 0) {
                set(bad, 0, at);
                return postSign * ENOMEM;
            }
            pair.room--;
            int status = carryOut(pair, at);
            if ((getInt(at, 32) & 2) != 0 || status != 0) {
                int[] kinds = {1, 1, 0, 0, 2, 3, 4};
                complete(pair, pair.sends, new Done(get(at, 0), status, kinds[getInt(at, 28)], 0));
            }
        }
        return 0;
    }

    private int carryOut(Pair pair, long at) {
        Pair peer = peer(pair);
        byte[] gathered = gather(at);
        long remote = get(at, 40);
        int opcode = getInt(at, 28);
        return switch (opcode) {
            case 0 -> write(getInt(at, 48), remote, gathered);
            case 1 -> {
                int status = write(getInt(at, 48), remote, gathered);
                yield status == 0 ? notice(peer, gathered.length, getInt(at, 36)) : status;
            }
            case 2 -> deliver(peer, gathered);
            case 4 -> fetch(at, getInt(at, 48), remote);
            case 5, 6 -> atomic(at, opcode, getInt(at, 64), remote);
            default -> 2;
        };
    }

    private byte[] gather(long at) {
        int count = getInt(at, 24);
        int total = 0;
        for (int element = 0; element < count; element++) {
            total += getInt(get(at, 16) + element * 16L, 8);
        }
        byte[] all = new byte[total];
        int done = 0;
        for (int element = 0; element < count; element++) {
            long sge = get(at, 16) + element * 16L;
            requireRegion(getInt(sge, 12), get(sge, 0), getInt(sge, 8));
            MemorySegment.copy(at(get(sge, 0)), 0, MemorySegment.ofArray(all), done, getInt(sge, 8));
            done += getInt(sge, 8);
        }
        return all;
    }

    private void requireRegion(int key, long address, int length) {
        Region region = regions.get(key);
        if (region == null || address < region.address || address + length > region.address + region.length) {
            throw new AssertionError("no region with key " + key + " at " + address);
        }
    }

    private boolean mayReach(int key, long address, int length, int right) {
        Region region = regions.get(key);
        return region != null
                && (region.access & right) != 0
                && address >= region.address
                && address + length <= region.address + region.length;
    }

    private int write(int key, long address, byte[] data) {
        if (!mayReach(key, address, data.length, 2)) {
            return 10;
        }
        MemorySegment.copy(MemorySegment.ofArray(data), 0, at(address), 0, data.length);
        return 0;
    }

    private int fetch(long request, int key, long address) {
        long sge = get(request, 16);
        int length = getInt(sge, 8);
        if (!mayReach(key, address, length, 4)) {
            return 10;
        }
        MemorySegment.copy(at(address), 0, at(get(sge, 0)), 0, length);
        return 0;
    }

    private int atomic(long request, int opcode, int key, long address) {
        if (!mayReach(key, address, Long.BYTES, 8)) {
            return 10;
        }
        long before = get(address, 0);
        long operand = get(request, 48);
        if (opcode == 6) {
            set(address, 0, before + operand);
        } else if (before == operand) {
            set(address, 0, get(request, 56));
        }
        set(get(get(request, 16), 0), 0, before);
        return 0;
    }

    /** That something was written: {@code IBV_WC_RECV_RDMA_WITH_IMM}, {@code IBV_WC_WITH_IMM}. */
    private int notice(Pair peer, int length, int immediate) {
        long[] receive = peer.receiving.poll();
        if (receive == null) {
            return 13;
        }
        complete(peer, peer.receives, new Done(receive[0], 0, 129, length, immediate, 2));
        return 0;
    }

    private int deliver(Pair peer, byte[] data) {
        long[] receive = peer.receiving.poll();
        if (receive == null) {
            return 13;
        }
        MemorySegment.copy(MemorySegment.ofArray(data), 0, at(receive[1]), 0, data.length);
        complete(peer, peer.receives, new Done(receive[0], 0, 128, data.length));
        return 0;
    }
}
