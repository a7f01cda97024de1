package dev.retier.rnic;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The same with librdmacm, whose connections end in this process. */
@SuppressWarnings("MethodName") // C's names, called by C
public class FakeLibrary extends FakeWork {
    private static final int ADDR_RESOLVED = 0;
    private static final int ROUTE_RESOLVED = 2;
    private static final int CONNECT_REQUEST = 4;
    private static final int REJECTED = 8;
    private static final int ESTABLISHED = 9;
    private static final int DISCONNECTED = 10;

    /** What {@code rdma_bind_addr} says; 0 if it works. */
    int bindErrno;
    /** What {@code rdma_create_event_channel} says; 0 if it works. */
    int channelErrno;
    /** What {@code rdma_create_id} writes for the port space that was asked for. */
    int portSpaceShift;
    /** The descriptor of the next event channel is none. */
    boolean hasNoDescriptor;
    /** Done while a queue pair is made. */
    Runnable whileMakingAPair = () -> {};
    /** Of the events that come from now on; 0 if all is well. */
    int eventStatus;
    /** How often there was no event of a connection to be read. */
    final AtomicInteger readsOfNone = new AtomicInteger();

    private final Map<Long, Id> ids = new HashMap<>();
    private final Map<Integer, Id> listeners = new HashMap<>();
    private final Map<Long, Long> cmEvents = new HashMap<>();

    private static final class Id {
        final long address;
        final long channel;
        int port;
        long peer;

        Id(long address, long channel) {
            this.address = address;
            this.channel = channel;
        }
    }

    @Override
    Pair peer(Pair of) {
        return known(pairs, get(known(ids, of.id).peer, 24));
    }

    /** Whether it still has that identifier; it has not from now on. */
    boolean forget(long id) {
        return ids.remove(id) != null;
    }

    /** What became of the device's objects when librdmacm closed it; {@code channel} is its own. */
    void closeDevice(long channel) {
        channels.keySet().removeIf(other -> other != channel);
        queues.clear();
        regions.clear();
        domains.clear();
    }

    /** How many of the library's objects are not destroyed. */
    int left() {
        return channels.size()
                + ids.size()
                + pairs.size()
                + queues.size()
                + regions.size()
                + domains.size()
                + cmEvents.size();
    }

    /** Lets that happen to an identifier. */
    void happen(long id, int event) {
        raise(id, 0, event, new byte[0]);
    }

    private void raise(long id, long listener, int event, byte[] data) {
        long memory = allocate();
        set(memory, 0, id);
        set(memory, 8, listener);
        setInt(memory, 16, event);
        setInt(memory, 20, eventStatus);
        long copy = allocate();
        MemorySegment.copy(MemorySegment.ofArray(data), 0, at(copy), 0, data.length);
        set(memory, 24, data.length == 0 ? 0 : copy);
        at(memory).set(ValueLayout.JAVA_BYTE, 32, (byte) data.length);
        long channel = (listener == 0 ? known(ids, id) : known(ids, listener)).channel;
        known(channels, channel).events.add(memory);
        wake(known(channels, channel).fd);
    }

    public long rdma_create_event_channel() {
        if (channelErrno != 0) {
            fail(channelErrno);
            return 0;
        }
        long memory = allocate();
        Channel made = new Channel(newDescriptor());
        setInt(memory, 0, hasNoDescriptor ? -1 : made.fd);
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
            readsOfNone.incrementAndGet();
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
        setInt(memory, 344, portSpace + portSpaceShift);
        ids.put(memory, new Id(memory, channel));
        return memory;
    }

    public int rdma_destroy_id(long id) {
        calls.add("rdma_destroy_id");
        if (destroyErrno != 0) {
            return fail(destroyErrno);
        }
        Id gone = ids.remove(id);
        if (gone == null) {
            return fail(EINVAL);
        }
        listeners.values().remove(gone);
        return 0;
    }

    public int rdma_bind_addr(long id, long address) {
        if (bindErrno != 0) {
            return fail(bindErrno);
        }
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
        calls.add("listen, backlog " + backlog);
        listeners.put(known(ids, id).port, known(ids, id));
        return 0;
    }

    public int rdma_resolve_addr(long id, long source, long destination, int timeout) {
        MemorySegment.copy(at(destination), 0, at(id), 160, 28);
        if (source != 0) {
            MemorySegment.copy(at(source), 0, at(id), 32, 28);
        }
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
        calls.add("pair of " + sends + " sends, " + getInt(attributes, 36) + " receives, " + getInt(attributes, 40)
                + " and " + getInt(attributes, 44) + " elements, " + getInt(attributes, 48) + " inline, all "
                + getInt(attributes, 56));
        long memory = allocate();
        int number = nextNumber++;
        set(memory, 0, context);
        set(memory, 16, pd);
        setInt(memory, 48, number);
        setInt(memory, 52, number);
        setInt(memory, 60, 2);
        pairs.put(memory, new Pair(id, get(attributes, 8), get(attributes, 16), number, sends));
        set(id, 24, memory);
        whileMakingAPair.run();
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

    private static String wishes(long parameters) {
        return "reads " + getByte(parameters, 9) + " " + getByte(parameters, 10) + ", flow " + getByte(parameters, 11)
                + ", retries " + getByte(parameters, 12) + " " + getByte(parameters, 13);
    }

    public int rdma_connect(long id, long parameters) {
        calls.add("connect, " + wishes(parameters));
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
        calls.add("accept, " + wishes(parameters));
        Id own = known(ids, id);
        raise(id, 0, ESTABLISHED, new byte[0]);
        raise(own.peer, 0, ESTABLISHED, privateData(parameters));
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
            complete(pair, pair.receives, new Done(pair.receiving.poll()[0], 5, 128, 0));
        }
    }
}
