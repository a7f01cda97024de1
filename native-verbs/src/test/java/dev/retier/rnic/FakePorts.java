package dev.retier.rnic;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * libibverbs with one device, and what it says of that. It has its own copy of the offsets of C's structures, as a C
 * compiler told them (see {@code layouts.txt}), so what the provider writes wrongly arrives wrongly.
 */
@SuppressWarnings("MethodName") // C's names, called by C
public abstract class FakePorts extends CLibrary {
    final long context;
    int atomicCap = 1;
    int maxWork = 64;
    int maxReadElements = 5;
    /** What {@code ibv_open_device} says; 0 if it works. */
    int openErrno;

    /** What {@code ibv_get_device_list} says; 0 if it works. */
    int listErrno;

    boolean hasDriver = true;
    int portState = 4;
    int linkLayer = 2;
    /** An empty one is an error. */
    List<byte[]> gids = List.of();
    /** What {@code ibv_query_port} says; 0 if it works. */
    int portErrno;
    /** What {@code ibv_query_device} says; 0 if it works. */
    int deviceErrno;
    /** How many times a device is open. */
    int opened;
    /** Lists of devices that are not freed. */
    int lists;

    private final long device;

    FakePorts() {
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

    /** 0 InfiniBand's, 1 iWARP's. */
    void transport(int type) {
        setInt(device, 20, type);
    }

    public long ibv_get_device_list(long count) {
        if (listErrno != 0) {
            fail(listErrno);
            return 0;
        }
        setInt(count, 0, hasDriver ? 1 : 0);
        long list = allocate();
        lists++;
        set(list, 0, device);
        return list;
    }

    public void ibv_free_device_list(long list) {
        lists--;
    }

    public long ibv_get_device_name(long of) {
        long text = allocate();
        at(text).setString(0, "fake0", StandardCharsets.UTF_8);
        return text;
    }

    public long ibv_open_device(long of) {
        if (openErrno != 0) {
            fail(openErrno);
            return 0;
        }
        opened++;
        return context;
    }

    public int ibv_close_device(long of) {
        opened--;
        return 0;
    }

    public int ibv_query_device(long of, long attributes) {
        if (deviceErrno != 0) {
            return deviceErrno;
        }
        setInt(attributes, 112, maxWork);
        setInt(attributes, 120, 6);
        setInt(attributes, 124, maxReadElements);
        setInt(attributes, 132, 1000);
        setInt(attributes, 164, atomicCap);
        at(attributes).set(ValueLayout.JAVA_BYTE, 227, (byte) 1);
        return 0;
    }

    public int ibv_query_port(long of, int port, long attributes) {
        setInt(attributes, 0, portState);
        setInt(attributes, 12, gids.size());
        at(attributes).set(ValueLayout.JAVA_BYTE, 46, (byte) linkLayer);
        return portErrno;
    }

    public int ibv_query_gid(long of, int port, int index, long gid) {
        byte[] known = gids.get(index);
        if (known.length == 0) {
            return fail(FakeDevice.EINVAL);
        }
        MemorySegment.copy(MemorySegment.ofArray(known), 0, at(gid), 0, known.length);
        return 0;
    }
}
