package dev.retier.link;

import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaConnParam;
import dev.retier.link.auth.Handshake;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;

/** The bytes that travel with a connection's own set-up (MPA private data, RFC 5044 section 7.1). */
final class PrivateData {
    /** As the kernel's own examples: as often as can be. */
    private static final byte MOST_RETRIES = 7;

    private static final int LENGTH_MASK = 0xFF;

    private PrivateData() {}

    interface Use {
        void with(RdmaConnParam parameters) throws IOException;
    }

    /** Connects or accepts with {@code data}. */
    static void pass(byte[] data, Use use) throws IOException {
        MemorySegment memory = Arena.ofAuto().allocate(Math.max(1, data.length));
        memory.asSlice(0, data.length).copyFrom(MemorySegment.ofArray(data));
        RdmaConnParam parameters = new RdmaConnParam();
        parameters.setRetry_count(MOST_RETRIES);
        parameters.setRnr_retry_count(MOST_RETRIES);
        parameters.setPrivate_data(memory.address());
        parameters.setPrivate_data_len((byte) data.length);
        try {
            use.with(parameters);
        } finally {
            Reference.reachabilityFence(memory);
        }
    }

    /** The message that came with {@code event}, without what its network pads it with; no bytes if there is none. */
    @SuppressWarnings("restricted") // the provider's own address and length, copied at once
    static byte[] of(RdmaCmEvent event) {
        RdmaConnParam parameters = event.getConn();
        long address = parameters.getPrivate_data();
        int length = parameters.getPrivate_data_len() & LENGTH_MASK;
        if (address == 0) {
            return new byte[0];
        }
        try {
            return Handshake.unpadded(
                    MemorySegment.ofAddress(address).reinterpret(length).toArray(ValueLayout.JAVA_BYTE));
        } finally {
            Reference.reachabilityFence(parameters);
        }
    }
}
