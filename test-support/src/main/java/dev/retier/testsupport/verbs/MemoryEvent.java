package dev.retier.testsupport.verbs;

import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** An event with the peer's private data. */
final class MemoryEvent extends RdmaCmEvent {
    private static final int MOST_PRIVATE_DATA = 0xFF;

    /** Alive as long as this. */
    private final MemorySegment copy;

    @SuppressWarnings("EnumOrdinal") // DiSNI's events are the ordinals of its enum
    MemoryEvent(EventType type, @Nullable RdmaCmId listener, RdmaCmId id, byte[] data) throws IOException {
        super(type.ordinal(), listener, id);
        this.copy = Arena.ofAuto().allocate(Math.max(1, data.length));
        copy.asSlice(0, data.length).copyFrom(MemorySegment.ofArray(data));
        conn = new RdmaConnParam();
        if (data.length > 0) {
            conn.setPrivate_data(copy.address());
            conn.setPrivate_data_len((byte) data.length);
        }
    }

    /** What a caller passes. */
    @SuppressWarnings("restricted") // the caller's own address and length, copied at once
    static byte[] bytes(@Nullable RdmaConnParam parameters) {
        int length = parameters == null ? 0 : parameters.getPrivate_data_len() & MOST_PRIVATE_DATA;
        return parameters == null || length == 0
                ? new byte[0]
                : MemorySegment.ofAddress(parameters.getPrivate_data())
                        .reinterpret(length)
                        .toArray(ValueLayout.JAVA_BYTE);
    }
}
