package dev.retier.agent.render;

/**
 * Which of its kept connections a proxy lets go, each after its next answer: each connection is asked once a round, and
 * one that was made in the round not at all.
 *
 * @param round grows by one with each round, 0 before the first
 * @param percent of the connections, 0 to 100; 0 for none
 */
public record LetGo(long round, int percent) {
    /** Every connection is kept. */
    public static final LetGo NONE = new LetGo(0, 0);

    /** Refuses a share out of range with {@link IllegalArgumentException}. */
    public LetGo {
        if (round < 0 || percent < 0 || percent > 100) {
            throw new IllegalArgumentException("round " + round + " or percent " + percent + " out of range");
        }
    }

    /** Whether it lets any go. */
    public boolean isAny() {
        return percent > 0;
    }
}
