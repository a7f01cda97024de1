package dev.retier.state.verbs;

/**
 * The first 16 bits of an RDMAP Terminate (RFC 5040 section 4.8). Stateless.
 *
 * <pre>
 *  15    12 11     8 7               0
 * +--------+--------+-----------------+
 * | layer  | type   | code            |
 * +--------+--------+-----------------+
 * </pre>
 */
final class TerminateWord {
    private static final int LAYER_SHIFT = 12;
    private static final int TYPE_SHIFT = 8;
    private static final int TYPE_MASK = 0xF;
    private static final int RDMAP = 0;
    private static final int DDP = 1;

    /** RDMAP: Remote Protection Error; DDP: Tagged Buffer Error. */
    private static final int PROTECTION = 1;

    private TerminateWord() {}

    /** Whether a one-sided operation named memory, a range or a right that its sender does not have. */
    static boolean isProtectionError(int word) {
        int layer = word >>> LAYER_SHIFT;
        return (layer == RDMAP || layer == DDP) && (word >>> TYPE_SHIFT & TYPE_MASK) == PROTECTION;
    }
}
