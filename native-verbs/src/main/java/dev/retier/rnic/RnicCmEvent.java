package dev.retier.rnic;

import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A connection event. Its parameters carry the peer's private data, with what InfiniBand pads it by. */
final class RnicCmEvent extends RdmaCmEvent {
    private final EventType type;

    @SuppressWarnings("EnumOrdinal") // DiSNI's events are the ordinals of its enum
    RnicCmEvent(EventType type, @Nullable RdmaCmId listener, RdmaCmId id, int status, byte[] privateData)
            throws IOException {
        super(type.ordinal(), listener, id);
        this.type = type;
        this.status = status;
        this.conn = new Parameters(privateData);
    }

    @Override
    public String toString() {
        return status == 0 ? type.toString() : type + ": status " + status;
    }

    /** Keeps the copy alive as long as itself. */
    private static final class Parameters extends RdmaConnParam {
        @SuppressWarnings("UnusedVariable") // the memory behind the address
        private final MemorySegment copy;

        Parameters(byte[] data) {
            this.copy = Arena.ofAuto().allocate(Math.max(1, data.length));
            MemorySegment.copy(MemorySegment.ofArray(data), 0, copy, 0, data.length);
            this.private_data_addr = data.length == 0 ? 0 : copy.address();
            this.private_data_len = (byte) data.length;
        }
    }
}
