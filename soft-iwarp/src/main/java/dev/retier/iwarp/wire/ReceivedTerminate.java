package dev.retier.iwarp.wire;

import java.util.Arrays;
import java.util.Locale;

/**
 * What a peer's Terminate says, by its first 32 bits (RFC 5040 section 4.8, figure 9).
 *
 * <p>Linux siw puts the bits of each byte the other way round: the type before the layer, and the three flags at the
 * low end. The reserved bits show it where a flag is set.
 *
 * @param word as received
 * @param layer 0 RDMAP, 1 DDP, 2 the lower layer; up to 15
 * @param type of the error within the layer
 * @param code within the type
 * @param isSwapped whether it came in siw's order
 */
public record ReceivedTerminate(int word, int layer, int type, int code, boolean isSwapped) {
    private static final int FLAGS = 0xE0;
    private static final int SWAPPED_FLAGS = 0x07;
    private static final int RDMAP = 0;
    private static final int DDP = 1;
    private static final int MPA = 2;
    private static final int PROTECTION = 1;

    /** Reads it. */
    public static ReceivedTerminate of(int word) {
        int flags = word >>> 8 & 0xFF;
        boolean isSwapped = (flags & FLAGS) == 0 && (flags & SWAPPED_FLAGS) != 0;
        int high = word >>> 28;
        int low = word >>> 24 & 0xF;
        return new ReceivedTerminate(
                word, isSwapped ? low : high, isSwapped ? high : low, word >>> 16 & 0xFF, isSwapped);
    }

    /** The first 16 bits in the order of the RFC. */
    public int reason() {
        return layer << 12 | type << 8 | code;
    }

    /** Whether an operation named memory, a range or a right that its sender does not have. */
    public boolean isProtectionError() {
        return layer <= DDP && type == PROTECTION;
    }

    /** For people, such as {@code RDMAP remote protection error, bounds (Terminate 0x0101e000)}. */
    @Override
    public String toString() {
        String what = Arrays.stream(TerminateReason.values())
                .filter(reason -> reason.word() == reason())
                .findFirst()
                .map(ReceivedTerminate::words)
                .orElseGet(() -> "code " + code);
        return kind() + ", " + what + String.format(Locale.ROOT, " (Terminate 0x%08x", word)
                + (isSwapped ? ", with its bits swapped, as by Linux siw)" : ")");
    }

    private String kind() {
        return switch (layer) {
            case RDMAP ->
                type == 0
                        ? "RDMAP local catastrophic error"
                        : type == PROTECTION
                                ? "RDMAP remote protection error"
                                : type == 2 ? "RDMAP remote operation error" : "RDMAP error of type " + type;
            case DDP ->
                type == 0
                        ? "DDP local catastrophic error"
                        : type == PROTECTION
                                ? "DDP tagged buffer error"
                                : type == 2 ? "DDP untagged buffer error" : "DDP error of type " + type;
            case MPA -> "MPA error";
            default -> "error of layer " + layer + ", type " + type;
        };
    }

    private static String words(TerminateReason reason) {
        String name = reason.name();
        return name.substring(name.indexOf('_') + 1).replace('_', ' ').toLowerCase(Locale.ROOT);
    }
}
