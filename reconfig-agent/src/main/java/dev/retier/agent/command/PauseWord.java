package dev.retier.agent.command;

/**
 * Whether decisions are paused in the whole cluster: a word that every node publishes with its load and takes over from
 * any other that has a newer one, so that it outlives each of them.
 *
 * <p>Versions are serial numbers on a circle (RFC 1982): none is so high that the next one is not newer, whatever a
 * peer has written.
 *
 * @param version grows by one with each pause and each end of one, and begins again at 1 after the highest; 0 for none
 * so far
 * @param isPaused whether decisions are paused
 */
public record PauseWord(int version, boolean isPaused) {
    /** Nobody has ever paused anything. */
    public static final PauseWord NONE = new PauseWord(0, false);

    private static final int MAX_VERSION = Integer.MAX_VALUE >> 1;

    /** Whatever is ahead by less is newer. */
    private static final int HALF_CIRCLE = 1 << 29;

    /** Refuses a version out of range with {@link IllegalArgumentException}. */
    public PauseWord {
        if (version < 0 || version > MAX_VERSION) {
            throw new IllegalArgumentException("version " + version + " is not in 0.." + MAX_VERSION);
        }
    }

    /** The word of 32 bits. */
    public int encode() {
        return version << 1 | (isPaused ? 1 : 0);
    }

    /** The word in these bits; {@link #NONE} for what cannot be one. */
    public static PauseWord decode(int bits) {
        return bits < 0 ? NONE : new PauseWord(bits >> 1, (bits & 1) == 1);
    }

    /** What an operator makes of it. */
    public PauseWord next(boolean pause) {
        return new PauseWord(version == MAX_VERSION ? 1 : version + 1, pause);
    }

    /** The newer of two; of two that met by chance the pause. */
    public PauseWord merge(PauseWord other) {
        return isOlderThan(other) ? other : this;
    }

    private boolean isOlderThan(PauseWord other) {
        if (version == other.version) {
            return other.isPaused && !isPaused;
        }
        if (version == 0 || other.version == 0) {
            return version == 0;
        }
        return (other.version - version & MAX_VERSION) < HALF_CIRCLE;
    }
}
