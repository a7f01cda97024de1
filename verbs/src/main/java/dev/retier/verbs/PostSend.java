package dev.retier.verbs;

import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.impl.NatIbvQP;
import com.ibm.disni.verbs.impl.NativeDispatcher;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Field;
import java.util.List;

/**
 * Posts send work requests, whichever provider the queue pair is of. DiSNI's native one writes neither the swap operand
 * nor the key of an atomic into its work request (its record has them at offsets 56 and 64). So for a compare-and-swap
 * the record is laid out here, as libibverbs' {@code struct ibv_send_wr} on a 64-bit machine, and handed to the same
 * native call.
 *
 * <pre>
 *   0 wr_id 8 | 8 next 8 | 16 sg_list 8 | 24 num_sge 4 | 28 opcode 4 | 32 send_flags 4 | 36 imm_data 4
 *  40 remote_addr 8 | 48 compare 8 | 56 swap 8 | 64 rkey 4 | 68 padding
 *  then, at 128, the one scatter/gather element: addr 8 | length 4 | lkey 4
 * </pre>
 *
 * <p>Stateless.
 */
public final class PostSend {
    /** The record, with what newer libraries append to it, and the element behind it. */
    static final int LENGTH_BYTES = 144;

    static final int ELEMENT_OFFSET = 128;

    private static final int SG_LIST_OFFSET = 16;
    private static final int NUM_SGE_OFFSET = 24;
    private static final int OPCODE_OFFSET = 28;
    private static final int FLAGS_OFFSET = 32;
    private static final int REMOTE_ADDRESS_OFFSET = 40;
    private static final int COMPARE_OFFSET = 48;
    private static final int SWAP_OFFSET = 56;
    private static final int KEY_OFFSET = 64;
    private static final int ELEMENT_LENGTH_OFFSET = ELEMENT_OFFSET + 8;
    private static final int ELEMENT_KEY_OFFSET = ELEMENT_OFFSET + 12;

    private PostSend() {}

    /**
     * Posts {@code requests} in order.
     *
     * @throws IOException if the queue pair takes no more or is over; or if DiSNI's native provider cannot carry it out
     */
    public static void post(IbvQP pair, List<IbvSendWR> requests) throws IOException {
        if (pair instanceof NatIbvQP own) {
            refuseUnable(requests);
            if (requests.getFirst().getOpcode() == IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP) {
                swap(own, requests.getFirst());
                return;
            }
        }
        pair.postSend(requests, null).execute().free();
    }

    /** Refuses what DiSNI's native provider would post wrongly, by a reason. */
    private static void refuseUnable(List<IbvSendWR> requests) throws IOException {
        for (IbvSendWR request : requests) {
            int opcode = request.getOpcode();
            if (opcode == IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD) {
                throw new IOException("fetch-and-add cannot be done on the native provider: DiSNI never writes its key"
                        + " into the work request; use compare-and-swap, or the provider iwarp");
            }
            if (opcode == IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP && requests.size() > 1) {
                throw new IOException("on the native provider a compare-and-swap goes alone: DiSNI never writes its"
                        + " operand and key into a list");
            }
        }
    }

    private static void swap(NatIbvQP pair, IbvSendWR request) throws IOException {
        if (!pair.isOpen()) {
            throw new IOException("the queue pair is over");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment record = arena.allocate(LENGTH_BYTES, Long.BYTES);
            layOut(request, record);
            dispatcherOf(pair)._postSend(pair.getObjId(), record.address());
        }
    }

    /** Writes all fields of {@code request}, which has one element, into a zeroed record. */
    static void layOut(IbvSendWR request, MemorySegment record) {
        IbvSge element = request.getSge(0);
        record.set(ValueLayout.JAVA_LONG, 0, request.getWr_id());
        record.set(ValueLayout.JAVA_LONG, SG_LIST_OFFSET, record.address() + ELEMENT_OFFSET);
        record.set(ValueLayout.JAVA_INT, NUM_SGE_OFFSET, 1);
        record.set(ValueLayout.JAVA_INT, OPCODE_OFFSET, request.getOpcode());
        record.set(ValueLayout.JAVA_INT, FLAGS_OFFSET, request.getSend_flags());
        record.set(
                ValueLayout.JAVA_LONG,
                REMOTE_ADDRESS_OFFSET,
                request.getAtomic().getRemote_addr());
        record.set(ValueLayout.JAVA_LONG, COMPARE_OFFSET, request.getAtomic().getCompare_add());
        record.set(ValueLayout.JAVA_LONG, SWAP_OFFSET, request.getAtomic().getSwap());
        record.set(ValueLayout.JAVA_INT, KEY_OFFSET, request.getAtomic().getRkey());
        record.set(ValueLayout.JAVA_LONG, ELEMENT_OFFSET, element.getAddr());
        record.set(ValueLayout.JAVA_INT, ELEMENT_LENGTH_OFFSET, element.getLength());
        record.set(ValueLayout.JAVA_INT, ELEMENT_KEY_OFFSET, element.getLkey());
    }

    private static NativeDispatcher dispatcherOf(NatIbvQP pair) throws IOException {
        try {
            Field field = NatIbvQP.class.getDeclaredField("nativeDispatcher");
            field.setAccessible(true);
            return (NativeDispatcher) field.get(pair);
        } catch (ReflectiveOperationException other) {
            throw new IOException("this DiSNI has no NatIbvQP.nativeDispatcher; use version 2.1", other);
        }
    }
}
