package dev.retier.state.slot;

import dev.retier.state.RoleWord;

/**
 * The eight bytes by which one node tells another of an epoch: the epoch, and its complement as proof that the word
 * is whole. Zero means that nothing has been announced. Stateless.
 *
 * <pre>
 *  63                            32 31                             0
 * +--------------------------------+--------------------------------+
 * |  epoch                         |  bitwise complement of epoch   |
 * +--------------------------------+--------------------------------+
 * </pre>
 *
 * <p>Each announcing node has a word of its own in every slot's node, so writers cannot overwrite each other and the
 * highest epoch is never lost; the reader takes the maximum.
 */
public final class AnnouncementWord {
    private static final long LOW = 0xFFFF_FFFFL;

    private AnnouncementWord() {}

    /** The word that announces {@code epoch}, 1 to {@value RoleWord#MAX_EPOCH}. */
    public static long encode(long epoch) {
        if (epoch < 1 || epoch > RoleWord.MAX_EPOCH) {
            throw new IllegalArgumentException("epoch " + epoch + " is not in 1.." + RoleWord.MAX_EPOCH);
        }
        return epoch << Integer.SIZE | (~epoch & LOW);
    }

    /** The epoch in {@code word}; 0 if nothing has been announced or the word is not whole. */
    public static long decode(long word) {
        long epoch = word >>> Integer.SIZE;
        boolean whole = (~epoch & LOW) == (word & LOW) && epoch <= RoleWord.MAX_EPOCH;
        return whole ? epoch : 0;
    }
}
