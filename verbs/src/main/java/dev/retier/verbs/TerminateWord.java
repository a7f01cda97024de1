package dev.retier.verbs;

/**
 * The first 16 bits of an RDMAP Terminate: layer, type and code of an error (RFC 5040 section 4.8, figure 9).
 *
 * @param layer 0 RDMAP, 1 DDP, 2 the lower layer; up to 15
 * @param type of the error within the layer, up to 15
 * @param code within the type, up to 255
 */
public record TerminateWord(int layer, int type, int code) {
    private static final int LAYER_SHIFT = 12;
    private static final int TYPE_SHIFT = 8;
    private static final int NIBBLE = 0xF;
    private static final int BYTE = 0xFF;

    private static final int RDMAP = 0;
    private static final int DDP = 1;

    /** RDMAP: Remote Protection Error; DDP: Tagged Buffer Error. */
    private static final int PROTECTION = 1;

    /** The one Tagged Buffer Error that has nothing to do with a buffer: an unknown DDP version. */
    private static final int TAGGED_VERSION = 4;

    /** Takes it apart; bits above the lowest 16 are not looked at. */
    public static TerminateWord of(int word) {
        return new TerminateWord(word >>> LAYER_SHIFT & NIBBLE, word >>> TYPE_SHIFT & NIBBLE, word & BYTE);
    }

    /** As it is sent. */
    public int word() {
        return layer << LAYER_SHIFT | type << TYPE_SHIFT | code;
    }

    /**
     * Whether a one-sided operation named memory, a range or a right that its sender does not have (RFC 5040 section
     * 4.8, RFC 5041 section 8.2).
     */
    public boolean isProtectionError() {
        return type == PROTECTION && (layer == RDMAP || (layer == DDP && code != TAGGED_VERSION));
    }
}
