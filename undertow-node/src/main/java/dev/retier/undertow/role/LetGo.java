package dev.retier.undertow.role;

import dev.retier.config.Fields;

/**
 * Which of its kept connections a proxy lets go, each after its next answer: each is asked once a round, and one that
 * was made in the round not at all.
 *
 * @param round differs from that of the round before, 0 or more
 * @param percent of the connections, 0 to 100
 */
public record LetGo(long round, int percent) {
    /** Every connection is kept. */
    public static final LetGo NONE = new LetGo(0, 0);

    /** The section {@code let-go}; {@link #NONE} where there is none. */
    static LetGo parse(Fields file) {
        if (!file.has("let-go")) {
            return NONE;
        }
        Fields own = file.section("let-go");
        long round = own.wholeNumber("round", null, 0, Long.MAX_VALUE);
        int percent = own.integer("percent", null, 0, 100);
        own.finish();
        return new LetGo(round, percent);
    }
}
