package dev.retier.agent.view;

import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;

/**
 * Numbers of generated files. One epoch covers two renderings, first with the move ordered, then with it ended, so a
 * file carries {@code 2 * epoch}, plus one once the move has ended. Load records carry stamps too.
 */
public final class Stamps {
    private Stamps() {}

    /** The stamp of the rendering that this word asks for. */
    public static long of(RoleWord word) {
        return word.phase() == Phase.ACTIVE ? ended(word.epoch()) : ordered(word.epoch());
    }

    /** The epoch of which {@code stamp} is a rendering. */
    public static long epoch(long stamp) {
        return stamp / 2;
    }

    /** The stamp while the move of {@code epoch} is under way. */
    public static long ordered(long epoch) {
        return 2 * epoch;
    }

    /** The stamp once the move of {@code epoch} has ended, either way. */
    public static long ended(long epoch) {
        return 2 * epoch + 1;
    }
}
