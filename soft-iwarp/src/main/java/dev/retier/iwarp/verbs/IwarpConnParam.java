package dev.retier.iwarp.verbs;

import com.ibm.disni.verbs.RdmaConnParam;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/**
 * Connection parameters with private data as bytes. DiSNI's own carry an address and at most 255 bytes; these carry up
 * to 508, and can be passed to {@code connect} and {@code accept} alike.
 */
public final class IwarpConnParam extends RdmaConnParam {
    private final byte[] privateData;
    /** Native copy, alive as long as this, for programs that read the address. */
    private final @Nullable MemorySegment copy;

    private IwarpConnParam(byte[] privateData) {
        this.privateData = privateData.clone();
        this.copy = privateData.length == 0 ? null : Arena.ofAuto().allocate(privateData.length);
        MemorySegment target = copy;
        if (target != null) {
            MemorySegment.copy(MemorySegment.ofArray(privateData), 0, target, 0, privateData.length);
            this.private_data_addr = target.address();
            this.private_data_len = (byte) Math.min(privateData.length, 0xFF);
        }
    }

    /** Parameters that carry these bytes: at most 508 (512 with MPA revision 1). */
    public static IwarpConnParam of(byte[] privateData) {
        return new IwarpConnParam(privateData);
    }

    /** The private data. */
    public byte[] privateData() {
        return privateData.clone();
    }

    /** The private data of any parameters. */
    static byte[] privateData(@Nullable RdmaConnParam parameters) throws IOException {
        if (parameters == null) {
            return new byte[0];
        }
        if (parameters instanceof IwarpConnParam ours) {
            return ours.privateData;
        }
        byte[] data = new byte[Byte.toUnsignedInt(parameters.getPrivate_data_len())];
        if (data.length > 0) {
            try {
                RawMemory.copy(parameters.getPrivate_data(), data, 0, data.length);
            } finally {
                Reference.reachabilityFence(parameters); // the memory may be its own
            }
        }
        return data;
    }
}
