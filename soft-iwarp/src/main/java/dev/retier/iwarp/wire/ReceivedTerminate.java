package dev.retier.iwarp.wire;

import dev.retier.verbs.TerminateWord;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What a peer's Terminate says, by its first 32 bits (RFC 5040 section 4.8, figure 9).
 *
 * <p>Linux siw puts the bits of each byte the other way round: the type before the layer, and the three flags at the
 * low end. Where a flag is set, the reserved bits show it. Where none is, as in its CRC error, a word is taken to be in
 * that order if it means something there and nothing in the order of the RFC.
 *
 * @param word as received
 * @param told its first 16 bits, in the order of the RFC
 * @param isSwapped whether it came in siw's order
 */
public record ReceivedTerminate(int word, TerminateWord told, boolean isSwapped) {
    private static final int FLAGS = 0xE0;
    private static final int SWAPPED_FLAGS = 0x07;
    private static final int RDMAP = 0;
    private static final int DDP = 1;
    private static final int MPA = 2;
    private static final int PROTECTION = 1;

    /** Reads it. */
    public static ReceivedTerminate of(int word) {
        int flags = word >>> 8 & 0xFF;
        TerminateWord read = TerminateWord.of(word >>> 16);
        TerminateWord swapped = new TerminateWord(/* layer= */ read.type(), /* type= */ read.layer(), read.code());
        boolean isSwapped = flags == 0
                ? meaning(read).isEmpty() && meaning(swapped).isPresent()
                : (flags & FLAGS) == 0 && (flags & SWAPPED_FLAGS) != 0;
        return new ReceivedTerminate(word, isSwapped ? swapped : read, isSwapped);
    }

    private static Optional<TerminateReason> meaning(TerminateWord word) {
        return Arrays.stream(TerminateReason.values())
                .filter(reason -> reason.word() == word.word())
                .findFirst();
    }

    /** The first 16 bits in the order of the RFC. */
    public int reason() {
        return told.word();
    }

    /** Whether an operation named memory, a range or a right that its sender does not have. */
    public boolean isProtectionError() {
        return told.isProtectionError();
    }

    /** For people, such as {@code RDMAP remote protection error, bounds (Terminate 0x0101e000)}. */
    @Override
    public String toString() {
        String what = meaning(told).map(ReceivedTerminate::words).orElseGet(() -> "code " + told.code());
        return kind() + ", " + what + String.format(Locale.ROOT, " (Terminate 0x%08x", word)
                + (isSwapped ? ", with its bits swapped, as by Linux siw)" : ")");
    }

    private String kind() {
        int type = told.type();
        return switch (told.layer()) {
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
            default -> "error of layer " + told.layer() + ", type " + type;
        };
    }

    private static String words(TerminateReason reason) {
        String name = reason.name();
        return name.substring(name.indexOf('_') + 1).replace('_', ' ').toLowerCase(Locale.ROOT);
    }
}
