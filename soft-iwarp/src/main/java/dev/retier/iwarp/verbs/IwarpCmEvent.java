package dev.retier.iwarp.verbs;

import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import dev.retier.verbs.EventDetail;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A connection event. Its parameters carry the peer's private data. */
public final class IwarpCmEvent extends RdmaCmEvent implements EventDetail {
    private final EventType type;
    private final String detail;

    @SuppressWarnings("EnumOrdinal") // DiSNI's events are the ordinals of its enum
    IwarpCmEvent(EventType type, @Nullable RdmaCmId listenId, RdmaCmId id, Outcome outcome) throws IOException {
        super(type.ordinal(), listenId, id);
        this.type = type;
        this.status = outcome.status();
        this.conn = IwarpConnParam.of(outcome.privateData());
        this.detail = outcome.detail();
    }

    @Override
    public String detail() {
        return detail;
    }

    @Override
    public String toString() {
        return detail.isEmpty() ? type.toString() : type + ": " + detail;
    }

    /** The peer's private data; empty if there is none. */
    public byte[] privateData() {
        return ((IwarpConnParam) conn).privateData();
    }

    /** What goes with an event: 0 or a negative errno, a sentence, and the peer's private data. */
    @SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
    record Outcome(int status, String detail, byte[] privateData) {
        private static final byte[] NOTHING = {};

        static Outcome success() {
            return new Outcome(0, "", NOTHING);
        }

        static Outcome success(byte[] privateData) {
            return new Outcome(0, "", privateData);
        }

        static Outcome failure(int status, String detail) {
            return new Outcome(status, detail, NOTHING);
        }
    }
}
