package dev.retier.agent.command;

/**
 * Whether decisions are paused in the whole cluster: a word that every node publishes with its load and takes over from
 * any other that has a newer one, so that it outlives each of them.
 *
 * @param version grows by one with each pause and each end of one, 0 for none so far
 * @param isPaused whether decisions are paused
 */
public record PauseWord(int version, boolean isPaused) {
    /** Nobody has ever paused anything. */
    public static final PauseWord NONE = new PauseWord(0, false);

    private static final int MAX_VERSION = Integer.MAX_VALUE >> 1;

    /** Refuses a version out of range with {@link IllegalArgumentException}. */
    public PauseWord {
        if (version < 0 || version > MAX_VERSION) {
            throw new IllegalArgumentException("version " + version + " is not in 0.." + MAX_VERSION);
        }
    }

    /** The word of 32 bits; larger is newer, and of two that met by chance the pause wins. */
    public int encode() {
        return version << 1 | (isPaused ? 1 : 0);
    }

    /** The word in these bits; {@link #NONE} for what cannot be one. */
    public static PauseWord decode(int bits) {
        return bits < 0 ? NONE : new PauseWord(bits >> 1, (bits & 1) == 1);
    }

    /** What an operator makes of it. */
    public PauseWord next(boolean pause) {
        return new PauseWord(version + 1, pause);
    }

    /** The newer of two. */
    public PauseWord merge(PauseWord other) {
        return other.encode() > encode() ? other : this;
    }
}
