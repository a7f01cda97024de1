package dev.retier.iwarp.verbs;

import com.ibm.disni.util.MemBuf;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.SVCPostSend;
import com.ibm.disni.verbs.impl.NatPostSendCall;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Atomics on whichever provider is installed. DiSNI's native provider forgets the swap operand and puts the remote key
 * where the compare operand belongs; this writes the record as {@code struct ibv_send_wr} has it.
 *
 * <pre>
 *  0 wr_id   8 next   16 sg_list   24 num_sge   28 opcode   32 send_flags   36 imm_data
 * 40 remote_addr      48 compare_add            56 swap     64 rkey         68 padding
 * </pre>
 *
 * <p>The bytes are tested; the call needs libdisni and an adapter that can do atomics, and nobody has run it here.
 */
public final class NativeAtomics {
    /** Bytes of the record that DiSNI reserves. */
    static final int RECORD_BYTES = 72;

    private static final int REMOTE_ADDRESS_OFFSET = 40;
    private static final int COMPARE_ADD_OFFSET = 48;
    private static final int SWAP_OFFSET = 56;
    private static final int KEY_OFFSET = 64;

    private NativeAtomics() {}

    /**
     * A call that posts one compare-and-swap or fetch-add, on software iWARP and on DiSNI's native provider alike. On
     * the latter do not change it through {@code getWrMod}: that would write the remote key to the wrong place again.
     *
     * @throws IOException if the queue pair takes no such work
     * @throws IllegalStateException if DiSNI is none that this was made for
     */
    public static SVCPostSend prepare(IbvQP qp, IbvSendWR work) throws IOException {
        SVCPostSend call = qp.postSend(List.of(work), null);
        if (call instanceof NatPostSendCall) {
            write(record(call), work);
        }
        return call;
    }

    /** Writes the atomic part of the record that starts at the buffer's first byte, in the buffer's byte order. */
    static void write(ByteBuffer record, IbvSendWR work) {
        record.putLong(REMOTE_ADDRESS_OFFSET, work.getAtomic().getRemote_addr());
        record.putLong(COMPARE_ADD_OFFSET, work.getAtomic().getCompare_add());
        record.putLong(SWAP_OFFSET, work.getAtomic().getSwap());
        record.putInt(KEY_OFFSET, work.getAtomic().getRkey());
    }

    private static ByteBuffer record(SVCPostSend call) {
        try {
            Field field = NatPostSendCall.class.getDeclaredField("cmd");
            field.setAccessible(true);
            return ((MemBuf) field.get(call)).getBuffer();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this DiSNI keeps its records elsewhere; use version 2.1", e);
        }
    }
}
