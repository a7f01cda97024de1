package dev.retier.rnic;

import java.lang.foreign.MemorySegment;

/** The same with the work that a device does. */
@SuppressWarnings("MethodName") // C's names, called by C
public abstract class FakeWork extends FakeDevice {
    private static final int SUCCESS = 0;
    private static final int UNKNOWN_OPCODE = 2;
    private static final int LOCAL_PROTECTION = 4;
    private static final int REMOTE_ACCESS = 10;
    private static final int NOTHING_RECEIVES = 13;
    /** Work completions' opcodes, by those of work requests. */
    private static final int[] KINDS = {1, 1, 0, 0, 2, 3, 4};

    /** 1, or as siw's own driver -1: how an errno that a post returns is signed. */
    int postSign = 1;
    /** Immediate data of the newest work request. */
    int immediate;

    /** The other end of its connection. */
    abstract Pair peer(Pair of);

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
            immediate = getInt(at, 36);
            int status = hasItsMemory(at) ? carryOut(pair, at) : LOCAL_PROTECTION;
            if ((getInt(at, 32) & 2) != 0 || status != 0) {
                complete(pair, pair.sends, new Done(get(at, 0), status, KINDS[getInt(at, 28)], 0));
            }
        }
        return 0;
    }

    private int carryOut(Pair pair, long at) {
        Pair peer = peer(pair);
        long remote = get(at, 40);
        int opcode = getInt(at, 28);
        return switch (opcode) {
            case 0 -> write(getInt(at, 48), remote, gather(at));
            case 1 -> {
                byte[] gathered = gather(at);
                int status = write(getInt(at, 48), remote, gathered);
                yield status == SUCCESS ? notice(peer, gathered.length, immediate) : status;
            }
            case 2 -> deliver(peer, gather(at));
            case 4 -> fetch(at, getInt(at, 48), remote);
            case 5, 6 -> atomic(at, opcode, getInt(at, 64), remote);
            default -> UNKNOWN_OPCODE;
        };
    }

    /** Whether each of its elements is in a region that its key names. */
    private boolean hasItsMemory(long at) {
        int count = getInt(at, 24);
        for (int element = 0; element < count; element++) {
            long sge = get(at, 16) + element * 16L;
            Region region = regions.get(getInt(sge, 12));
            if (region == null || !region.has(get(sge, 0), getInt(sge, 8))) {
                return false;
            }
        }
        return true;
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
            MemorySegment.copy(at(get(sge, 0)), 0, MemorySegment.ofArray(all), done, getInt(sge, 8));
            done += getInt(sge, 8);
        }
        return all;
    }

    private boolean mayReach(int key, long address, int length, int right) {
        Region region = regions.get(key - REMOTE);
        return region != null && (region.access() & right) != 0 && region.has(address, length);
    }

    private int write(int key, long address, byte[] data) {
        if (!mayReach(key, address, data.length, 2)) {
            return REMOTE_ACCESS;
        }
        MemorySegment.copy(MemorySegment.ofArray(data), 0, at(address), 0, data.length);
        return SUCCESS;
    }

    private int fetch(long request, int key, long address) {
        long sge = get(request, 16);
        int length = getInt(sge, 8);
        if (!mayReach(key, address, length, 4)) {
            return REMOTE_ACCESS;
        }
        MemorySegment.copy(at(address), 0, at(get(sge, 0)), 0, length);
        return SUCCESS;
    }

    private int atomic(long request, int opcode, int key, long address) {
        if (!mayReach(key, address, Long.BYTES, 8)) {
            return REMOTE_ACCESS;
        }
        long before = get(address, 0);
        long operand = get(request, 48);
        if (opcode == 6) {
            set(address, 0, before + operand);
        } else if (before == operand) {
            set(address, 0, get(request, 56));
        }
        set(get(get(request, 16), 0), 0, before);
        return SUCCESS;
    }

    /** That something was written: {@code IBV_WC_RECV_RDMA_WITH_IMM}, {@code IBV_WC_WITH_IMM}. */
    private int notice(Pair peer, int length, int data) {
        long[] receive = peer.receiving.poll();
        if (receive == null) {
            return NOTHING_RECEIVES;
        }
        complete(peer, peer.receives, new Done(receive[0], SUCCESS, 129, length, data, 2));
        return SUCCESS;
    }

    private int deliver(Pair peer, byte[] data) {
        long[] receive = peer.receiving.poll();
        if (receive == null) {
            return NOTHING_RECEIVES;
        }
        Region region = regions.get((int) receive[3]);
        if (data.length > 0 && (region == null || !region.has(receive[1], data.length))) {
            complete(peer, peer.receives, new Done(receive[0], LOCAL_PROTECTION, 128, 0));
            return SUCCESS;
        }
        MemorySegment.copy(MemorySegment.ofArray(data), 0, at(receive[1]), 0, data.length);
        complete(peer, peer.receives, new Done(receive[0], SUCCESS, 128, data.length));
        return SUCCESS;
    }
}
