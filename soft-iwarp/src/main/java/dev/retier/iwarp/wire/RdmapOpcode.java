package dev.retier.iwarp.wire;

/**
 * The RDMAP messages and how each one travels (RFC 5040 section 4.3 figure 4; RFC 7306 section 4).
 *
 * <p>The table drives the receiver: header length, model (tagged or untagged) and queue follow from the opcode.
 */
public enum RdmapOpcode {
    /** Tagged data into a buffer that the peer advertised. */
    WRITE(0x0, true, -1, 0),
    /** Asks the peer for tagged data. */
    READ_REQUEST(0x1, false, 1, ReadRequestHeader.LENGTH),
    /** Tagged data that answers a Read Request. */
    READ_RESPONSE(0x2, true, -1, 0),
    /** A message into the next posted receive. */
    SEND(0x3, false, 0, 0),
    /** A Send that also revokes an STag of the receiver. */
    SEND_INVALIDATE(0x4, false, 0, 0),
    /** A Send that raises a solicited event. */
    SEND_SOLICITED(0x5, false, 0, 0),
    /** A Send that raises a solicited event and revokes an STag of the receiver. */
    SEND_SOLICITED_INVALIDATE(0x6, false, 0, 0),
    /** The last message of a stream in error. */
    TERMINATE(0x7, false, 2, TerminateHeader.CONTROL_LENGTH),
    /** Eight bytes that consume a receive, ordered like a Send. */
    IMMEDIATE(0x8, false, 0, ImmediateData.LENGTH),
    /** Immediate Data that raises a solicited event. */
    IMMEDIATE_SOLICITED(0x9, false, 0, ImmediateData.LENGTH),
    /** Asks the peer for a fetch-add or a compare-and-swap. */
    ATOMIC_REQUEST(0xA, false, 1, AtomicRequestHeader.LENGTH),
    /** The value that an Atomic Request found. */
    ATOMIC_RESPONSE(0xB, false, 3, AtomicResponseHeader.LENGTH);

    private static final RdmapOpcode[] BY_CODE = values();

    private final int code;
    private final boolean tagged;
    private final int queue;
    private final int fixedPayloadLength;

    RdmapOpcode(int code, boolean tagged, int queue, int fixedPayloadLength) {
        this.code = code;
        this.tagged = tagged;
        this.queue = queue;
        this.fixedPayloadLength = fixedPayloadLength;
    }

    /** The opcode that the low four bits of an RDMAP control byte name, or null for an unassigned one. */
    public static @org.jspecify.annotations.Nullable RdmapOpcode of(int control) {
        int code = control & RdmapControl.OPCODE_MASK;
        return code < BY_CODE.length ? BY_CODE[code] : null;
    }

    /** The four-bit code on the wire. */
    public int code() {
        return code;
    }

    /** Whether the message uses DDP's tagged model. */
    public boolean tagged() {
        return tagged;
    }

    /** The DDP queue number 0 to 3 of an untagged message, -1 for a tagged one. */
    public int queue() {
        return queue;
    }

    /** How many bytes of RDMAP header follow the DDP header at least; 0 where the payload is the ULP's own. */
    public int fixedPayloadLength() {
        return fixedPayloadLength;
    }

    /** Whether the DDP header carries an STag to invalidate. */
    public boolean invalidates() {
        return this == SEND_INVALIDATE || this == SEND_SOLICITED_INVALIDATE;
    }

    /** Whether the message raises a solicited event. */
    public boolean solicited() {
        return this == SEND_SOLICITED || this == SEND_SOLICITED_INVALIDATE || this == IMMEDIATE_SOLICITED;
    }
}
