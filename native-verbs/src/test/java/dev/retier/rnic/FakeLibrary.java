package dev.retier.rnic;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * libibverbs and librdmacm, made of upcalls: one device, whose connections end in this process. It has its own copy of
 * the offsets of C's structures, as a C compiler told them (see {@code layouts.txt}), so what the provider writes
 * wrongly arrives wrongly. Each public method is the function of that name. One thread at a time.
 */
@SuppressWarnings({"restricted", "MethodName", "unused"}) // C's names, called by C
public final class FakeLibrary implements SymbolLookup {
    static final int EAGAIN = 11;
    static final int ENOMEM = 12;
    static final int EINVAL = 22;
    private static final int EFD_NONBLOCK = 0x800;

    private static final int MEMORY = 1024;
    private static final int ADDR_RESOLVED = 0;
    private static final int ROUTE_RESOLVED = 2;
    private static final int CONNECT_REQUEST = 4;
    private static final int REJECTED = 8;
    private static final int ESTABLISHED = 9;
    private static final int DISCONNECTED = 10;

    private static final Linker LINKER = Linker.nativeLinker();

    private final Arena arena = Arena.ofShared();
    private final Map<String, MemorySegment> functions = new HashMap<>();
    private final Map<Long, MemorySegment> allocated = new HashMap<>();
    private final Map<Long, Channel> channels = new HashMap<>();
    private final Map<Long, Id> ids = new HashMap<>();
    private final Map<Integer, Id> listeners = new HashMap<>();
    private final Map<Long, Pair> pairs = new HashMap<>();
    private final Map<Long, Queue> queues = new HashMap<>();
    private final Map<Integer, Region> regions = new HashMap<>();
    private final Map<Long, Long> cmEvents = new HashMap<>();
    private final List<String> calls = new ArrayList<>();
    private final MethodHandle eventfd = libc("eventfd", 2);
    private final MethodHandle write = libc("write", 3);
    private final MethodHandle read = libc("read", 3);
    private final MethodHandle errnoLocation = libc("__errno_location", 0);
    private final LinkedBlockingQueue<long[]> asyncEvents = new LinkedBlockingQueue<>();
    private final long context;
    private final long device;
    private int nextNumber = 100;
    /** What {@code ibv_reg_mr} says; 0 if it works. */
    int regMrErrno;

    int atomicCap = 1;
    int maxWork = 64;

    private static final class Channel {
        final ArrayDeque<Long> events = new ArrayDeque<>();
        final int fd;

        Channel(int fd) {
            this.fd = fd;
        }
    }

    private static final class Id {
        final long address;
        final long channel;
        int port;
        long peer;
        byte[] data = {};

        Id(long address, long channel) {
            this.address = address;
            this.channel = channel;
        }
    }

    private static final class Queue {
        final ArrayDeque<byte[]> completions = new ArrayDeque<>();
        final long channel;
        boolean isArmed;

        Queue(long channel) {
            this.channel = channel;
        }
    }

    private static final class Pair {
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

    private record Region(long address, long length, int access) {}

    FakeLibrary() {
        for (Method method : FakeLibrary.class.getDeclaredMethods()) {
            String name = method.getName();
            if (name.startsWith("ibv_") || name.startsWith("rdma_") || name.startsWith("op_")) {
                functions.put(name, stub(method));
            }
        }
        device = allocate();
        context = allocate();
        set(context, 0, device);
        set(context, 96, function("op_poll_cq"));
        set(context, 104, function("op_req_notify_cq"));
        set(context, 208, function("op_post_send"));
        set(context, 216, function("op_post_recv"));
        setInt(context, 264, 7);
        setInt(context, 272, 1);
    }

    private long function(String name) {
        return Objects.requireNonNull(functions.get(name)).address();
    }

    private MemorySegment stub(Method method) {
        try {
            method.setAccessible(true);
            MethodHandle handle = MethodHandles.lookup().unreflect(method).bindTo(this);
            MethodType type = handle.type();
            ValueLayout[] arguments = type.parameterList().stream()
                    .map(parameter -> parameter == int.class ? ValueLayout.JAVA_INT : ValueLayout.JAVA_LONG)
                    .toArray(ValueLayout[]::new);
            FunctionDescriptor descriptor = type.returnType() == void.class
                    ? FunctionDescriptor.ofVoid(arguments)
                    : FunctionDescriptor.of(
                            type.returnType() == int.class ? ValueLayout.JAVA_INT : ValueLayout.JAVA_LONG, arguments);
            return LINKER.upcallStub(handle, descriptor, arena);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static MethodHandle libc(String name, int arguments) {
        ValueLayout[] types = new ValueLayout[arguments];
        Arrays.fill(types, ValueLayout.JAVA_LONG);
        return LINKER.downcallHandle(
                LINKER.defaultLookup().find(name).orElseThrow(), FunctionDescriptor.of(ValueLayout.JAVA_LONG, types));
    }

    @Override
    public Optional<MemorySegment> find(String name) {
        Optional<MemorySegment> own = Optional.ofNullable(functions.get(name));
        return own.isPresent() || name.startsWith("ibv_") || name.startsWith("rdma_")
                ? own
                : LINKER.defaultLookup().find(name);
    }

    /** The names of what was called, in order, but for what is called again and again. */
    List<String> calls() {
        return calls;
    }

    /** How many of the library's objects are not destroyed. */
    int left() {
        return channels.size() + ids.size() + pairs.size() + queues.size() + regions.size();
    }

    private static <K, V> V known(Map<K, V> map, K key) {
        return Objects.requireNonNull(map.get(key), () -> "the library knows none at " + key);
    }

    private long allocate() {
        MemorySegment memory = arena.allocate(MEMORY, Long.BYTES);
        allocated.put(memory.address(), memory);
        return memory.address();
    }

    private static MemorySegment at(long address) {
        return MemorySegment.ofAddress(address).reinterpret(Long.MAX_VALUE);
    }

    private static long get(long address, long offset) {
        return at(address).get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
    }

    private static int getInt(long address, long offset) {
        return at(address).get(ValueLayout.JAVA_INT_UNALIGNED, offset);
    }

    private static int getByte(long address, long offset) {
        return at(address).get(ValueLayout.JAVA_BYTE, offset) & 0xFF;
    }

    private static void set(long address, long offset, long value) {
        at(address).set(ValueLayout.JAVA_LONG_UNALIGNED, offset, value);
    }

    private static void setInt(long address, long offset, int value) {
        at(address).set(ValueLayout.JAVA_INT_UNALIGNED, offset, value);
    }

    private int fail(int errno) {
        try {
            setInt((long) errnoLocation.invokeExact(), 0, errno);
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
        return -1;
    }

    private int newDescriptor() {
        try {
            return (int) (long) eventfd.invokeExact(0L, (long) EFD_NONBLOCK);
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    private void wake(int fd) {
        try (Arena local = Arena.ofConfined()) {
            long ignored = (long) write.invokeExact(
                    (long) fd, local.allocateFrom(ValueLayout.JAVA_LONG, 1L).address(), 8L);
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    private void calm(int fd) {
        try (Arena local = Arena.ofConfined()) {
            long ignored =
                    (long) read.invokeExact((long) fd, local.allocate(8, 8).address(), 8L);
        } catch (Throwable t) {
            throw new AssertionError(t);
        }
    }

    private void raise(long id, long listener, int event, byte[] data) {
        long memory = allocate();
        set(memory, 0, id);
        set(memory, 8, listener);
        setInt(memory, 16, event);
        setInt(memory, 20, 0);
        long copy = allocate();
        MemorySegment.copy(MemorySegment.ofArray(data), 0, at(copy), 0, data.length);
        set(memory, 24, data.length == 0 ? 0 : copy);
        at(memory).set(ValueLayout.JAVA_BYTE, 32, (byte) data.length);
        long channel = (listener == 0 ? known(ids, id) : known(ids, listener)).channel;
        known(channels, channel).events.add(memory);
        wake(known(channels, channel).fd);
    }

    // ---- librdmacm

    public long rdma_create_event_channel() {
        long memory = allocate();
        Channel made = new Channel(newDescriptor());
        setInt(memory, 0, made.fd);
        channels.put(memory, made);
        return memory;
    }

    public void rdma_destroy_event_channel(long channel) {
        channels.remove(channel);
    }

    public int rdma_get_cm_event(long channel, long place) {
        Channel known = known(channels, channel);
        Long event = known.events.poll();
        if (event == null) {
            calm(known.fd);
            return fail(EAGAIN);
        }
        cmEvents.put(event, channel);
        set(place, 0, event);
        return 0;
    }

    public int rdma_ack_cm_event(long event) {
        at(event).asSlice(0, 64).fill((byte) 0xEE); // nobody may read it any more
        return cmEvents.remove(event) == null ? fail(EINVAL) : 0;
    }

    public int rdma_create_id(long channel, long place, long own, int portSpace) {
        set(place, 0, newId(channel, portSpace));
        return 0;
    }

    private long newId(long channel, int portSpace) {
        long memory = allocate();
        set(memory, 8, channel);
        setInt(memory, 344, portSpace);
        ids.put(memory, new Id(memory, channel));
        return memory;
    }

    public int rdma_destroy_id(long id) {
        calls.add("rdma_destroy_id");
        Id gone = ids.remove(id);
        if (gone == null) {
            return fail(EINVAL);
        }
        listeners.values().remove(gone);
        return 0;
    }

    public int rdma_bind_addr(long id, long address) {
        MemorySegment.copy(at(address), 0, at(id), 32, 28);
        known(ids, id).port = port(address);
        set(id, 0, context);
        at(id).set(ValueLayout.JAVA_BYTE, 348, (byte) 1);
        return 0;
    }

    private static int port(long address) {
        return getByte(address, 2) << 8 | getByte(address, 3);
    }

    public int rdma_listen(long id, int backlog) {
        listeners.put(known(ids, id).port, known(ids, id));
        return 0;
    }

    public int rdma_resolve_addr(long id, long source, long destination, int timeout) {
        MemorySegment.copy(at(destination), 0, at(id), 160, 28);
        set(id, 0, context);
        at(id).set(ValueLayout.JAVA_BYTE, 348, (byte) 1);
        raise(id, 0, ADDR_RESOLVED, new byte[0]);
        return 0;
    }

    public int rdma_resolve_route(long id, int timeout) {
        raise(id, 0, ROUTE_RESOLVED, new byte[0]);
        return 0;
    }

    public int rdma_create_qp(long id, long pd, long attributes) {
        int sends = getInt(attributes, 32);
        if (sends > maxWork || getInt(attributes, 52) != 2) {
            return fail(EINVAL);
        }
        long memory = allocate();
        int number = nextNumber++;
        set(memory, 0, context);
        set(memory, 16, pd);
        setInt(memory, 48, number);
        setInt(memory, 52, number);
        setInt(memory, 60, 2);
        pairs.put(memory, new Pair(id, get(attributes, 8), get(attributes, 16), number, sends));
        set(id, 24, memory);
        return 0;
    }

    public void rdma_destroy_qp(long id) {
        calls.add("rdma_destroy_qp");
        pairs.remove(get(id, 24));
        set(id, 24, 0);
    }

    private static byte[] privateData(long parameters) {
        int length = getByte(parameters, 8);
        byte[] data = new byte[length];
        if (length > 0) {
            MemorySegment.copy(at(get(parameters, 0)), 0, MemorySegment.ofArray(data), 0, length);
        }
        return data;
    }

    public int rdma_connect(long id, long parameters) {
        calls.add("reads " + getByte(parameters, 9) + " " + getByte(parameters, 10));
        Id from = known(ids, id);
        Id listener = listeners.get(port(id + 160));
        if (listener == null) {
            raise(id, 0, REJECTED, new byte[0]);
            return 0;
        }
        long request = newId(listener.channel, getInt(id, 344));
        set(request, 0, context);
        MemorySegment.copy(at(id), 160, at(request), 32, 28);
        known(ids, request).peer = id;
        from.peer = request;
        raise(request, listener.address, CONNECT_REQUEST, privateData(parameters));
        return 0;
    }

    public int rdma_accept(long id, long parameters) {
        Id own = known(ids, id);
        raise(id, 0, ESTABLISHED, new byte[0]);
        raise(own.peer, 0, ESTABLISHED, privateData(parameters));
        return 0;
    }

    public int rdma_reject(long id, long data, int length) {
        raise(known(ids, id).peer, 0, REJECTED, new byte[0]);
        return 0;
    }

    public int rdma_disconnect(long id) {
        Id own = known(ids, id);
        flush(id);
        raise(id, 0, DISCONNECTED, new byte[0]);
        if (ids.containsKey(own.peer)) {
            flush(own.peer);
            raise(own.peer, 0, DISCONNECTED, new byte[0]);
        }
        return 0;
    }

    private void flush(long id) {
        Pair pair = pairs.get(get(id, 24));
        while (pair != null && !pair.receiving.isEmpty()) {
            complete(pair, pair.receives, pair.receiving.poll()[0], 5, 128, 0);
        }
    }

    // ---- libibverbs

    public long ibv_get_device_list(long count) {
        setInt(count, 0, 1);
        long list = allocate();
        set(list, 0, device);
        return list;
    }

    public void ibv_free_device_list(long list) {}

    public long ibv_get_device_name(long of) {
        long text = allocate();
        at(text).setString(0, "fake0", StandardCharsets.UTF_8);
        return text;
    }

    public long ibv_open_device(long of) {
        return context;
    }

    public int ibv_close_device(long of) {
        return 0;
    }

    public int ibv_query_device(long of, long attributes) {
        setInt(attributes, 112, maxWork);
        setInt(attributes, 120, 6);
        setInt(attributes, 132, 1000);
        setInt(attributes, 164, atomicCap);
        at(attributes).set(ValueLayout.JAVA_BYTE, 227, (byte) 1);
        return 0;
    }

    public int ibv_query_port(long of, int port, long attributes) {
        setInt(attributes, 0, 4);
        return 0;
    }

    public int ibv_query_gid(long of, int port, int index, long gid) {
        return -1;
    }

    public int ibv_query_pkey(long of, int port, int index, long pkey) {
        return -1;
    }

    public int ibv_query_qp(long qp, long attributes, int mask, long init) {
        setInt(attributes, 0, 3);
        return 0;
    }

    public long ibv_alloc_pd(long of) {
        long memory = allocate();
        setInt(memory, 8, nextNumber++);
        return memory;
    }

    public int ibv_dealloc_pd(long pd) {
        return 0;
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
        return regions.remove(getInt(region, 36)) == null ? EINVAL : 0;
    }

    public long ibv_create_comp_channel(long of) {
        long memory = allocate();
        Channel made = new Channel(newDescriptor());
        setInt(memory, 8, made.fd);
        channels.put(memory, made);
        return memory;
    }

    public int ibv_destroy_comp_channel(long channel) {
        channels.remove(channel);
        return 0;
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
        queues.remove(queue);
        return 0;
    }

    /** Tells whoever listens to the device; {@code element} is what the event is about. */
    void tell(int type, long element) {
        asyncEvents.add(new long[] {type, element});
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
            setInt(event, 8, (int) next[0]);
            set(event, 0, next[1]);
            return 0;
        } catch (InterruptedException e) {
            return fail(EINVAL);
        }
    }

    public void ibv_ack_async_event(long event) {}

    // ---- the device's operations

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
        known(queues, queue).isArmed = true;
        return 0;
    }

    private void complete(Pair pair, long queue, long workId, int status, int opcode, int length) {
        byte[] one = new byte[48];
        MemorySegment memory = MemorySegment.ofArray(one);
        memory.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, workId);
        memory.set(ValueLayout.JAVA_INT_UNALIGNED, 8, status);
        memory.set(ValueLayout.JAVA_INT_UNALIGNED, 12, opcode);
        memory.set(ValueLayout.JAVA_INT_UNALIGNED, 16, 0x77);
        memory.set(ValueLayout.JAVA_INT_UNALIGNED, 20, length);
        memory.set(ValueLayout.JAVA_INT_UNALIGNED, 28, pair.number);
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
                return ENOMEM;
            }
            pair.room--;
            int status = carryOut(pair, at);
            if ((getInt(at, 32) & 2) != 0 || status != 0) {
                int[] kinds = {1, 1, 0, 0, 2, 3, 4};
                complete(pair, pair.sends, get(at, 0), status, kinds[getInt(at, 28)], 0);
            }
        }
        return 0;
    }

    private int carryOut(Pair pair, long at) {
        Pair peer = known(pairs, get(known(ids, pair.id).peer, 24));
        byte[] gathered = gather(at);
        long remote = get(at, 40);
        int opcode = getInt(at, 28);
        return switch (opcode) {
            case 0 -> write(getInt(at, 48), remote, gathered);
            case 2, 3 -> deliver(peer, gathered);
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

    private int deliver(Pair peer, byte[] data) {
        long[] receive = peer.receiving.poll();
        if (receive == null) {
            return 13;
        }
        MemorySegment.copy(MemorySegment.ofArray(data), 0, at(receive[1]), 0, data.length);
        complete(peer, peer.receives, receive[0], 0, 128, data.length);
        return 0;
    }
}
