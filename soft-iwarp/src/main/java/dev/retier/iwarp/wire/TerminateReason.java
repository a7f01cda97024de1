package dev.retier.iwarp.wire;

/**
 * Why a stream ends in error: layer, type and code of a Terminate message (RFC 5040 section 4.8, RFC 5041 section 8.2,
 * RFC 5044 section 8, RFC 6581 section 8).
 *
 * <p>Which headers of the offending segment go along follows from the layer and type.
 */
public enum TerminateReason {
    /** Our own catastrophe, RDMAP. */
    RDMAP_LOCAL(0, 0, 0x00),
    /** A read or atomic names an STag that does not exist. */
    RDMAP_INVALID_STAG(0, 1, 0x00),
    /** A read or atomic leaves its region. */
    RDMAP_BOUNDS(0, 1, 0x01),
    /** The region does not grant the access. */
    RDMAP_ACCESS(0, 1, 0x02),
    /** The region belongs to another stream or protection domain. */
    RDMAP_NOT_ASSOCIATED(0, 1, 0x03),
    /** Offset plus length exceeds 64 bits. */
    RDMAP_WRAP(0, 1, 0x04),
    /** The STag to invalidate is none that this stream may invalidate. */
    RDMAP_CANNOT_INVALIDATE(0, 1, 0x09),
    /** RDMAP version other than 1. */
    RDMAP_VERSION(0, 2, 0x05),
    /** An opcode that is unassigned, on a wrong queue, or answers nothing. */
    RDMAP_UNEXPECTED_OPCODE(0, 2, 0x06),
    /** The stream cannot go on: more reads than agreed, a misaligned atomic. */
    RDMAP_STREAM_CATASTROPHE(0, 2, 0x07),
    /** Our own catastrophe, DDP: also a segment too short for its header. */
    DDP_LOCAL(1, 0, 0x00),
    /** A tagged segment names an STag that does not exist, or that grants no remote write. */
    DDP_INVALID_STAG(1, 1, 0x00),
    /** A tagged segment leaves its region. */
    DDP_BOUNDS(1, 1, 0x01),
    /** The region belongs to another stream or protection domain. */
    DDP_NOT_ASSOCIATED(1, 1, 0x02),
    /** Tagged offset plus length exceeds 64 bits. */
    DDP_WRAP(1, 1, 0x03),
    /** Unknown DDP version, tagged segment. */
    DDP_TAGGED_VERSION(1, 1, 0x04),
    /** Queue number above 3. */
    DDP_INVALID_QUEUE(1, 2, 0x01),
    /** No receive is posted for the message. */
    DDP_NO_BUFFER(1, 2, 0x02),
    /** The message sequence number is not the next one. */
    DDP_MSN_RANGE(1, 2, 0x03),
    /** The message offset is not where the message stands. */
    DDP_INVALID_OFFSET(1, 2, 0x04),
    /** The message is longer than its receive. */
    DDP_TOO_LONG(1, 2, 0x05),
    /** Unknown DDP version, untagged segment. */
    DDP_UNTAGGED_VERSION(1, 2, 0x06),
    /** The TCP stream closed, or was lost. Never on the wire. */
    MPA_CLOSED(2, 0, 0x01),
    /** A CRC did not match. */
    MPA_CRC(2, 0, 0x02),
    /** Markers and lengths disagree, or a length that no sender may use. */
    MPA_MARKER(2, 0, 0x03),
    /** A start-up frame is not valid. Never on the wire. */
    MPA_STARTUP(2, 0, 0x04),
    /** Our own catastrophe during start-up. */
    MPA_LOCAL(2, 0, 0x05),
    /** The responder needs more inbound reads than we can give. */
    MPA_INSUFFICIENT_IRD(2, 0, 0x06),
    /** The responder echoed no way to say ready-to-receive that we have. */
    MPA_NO_MATCHING_RTR(2, 0, 0x07);

    private final int layer;
    private final int type;
    private final int code;

    TerminateReason(int layer, int type, int code) {
        this.layer = layer;
        this.type = type;
        this.code = code;
    }

    /** 0 RDMAP, 1 DDP, 2 the lower layer (MPA). */
    public int layer() {
        return layer;
    }

    /** The error type within the layer. */
    public int type() {
        return type;
    }

    /** The error code within the type. */
    public int code() {
        return code;
    }

    /** The first 16 bits of the Terminate control field. */
    public int word() {
        return layer << 12 | type << 8 | code;
    }

    /** Whether the DDP header of the offending segment belongs into the Terminate. */
    public boolean carriesDdpHeader() {
        return (layer == 0 && type != 0) || (layer == 1 && type != 0);
    }

    /** Whether an offending Read Request's own header belongs into the Terminate, too. */
    public boolean carriesReadHeader() {
        return layer == 0 && type == 1 && this != RDMAP_CANNOT_INVALIDATE;
    }
}
