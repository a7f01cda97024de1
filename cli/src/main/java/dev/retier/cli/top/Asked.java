package dev.retier.cli.top;

/**
 * What became of the last questions.
 *
 * @param secondsAgo since the answer that is shown, or since the first question if there is none
 * @param failure why the newest question had no answer, and what is done about it; empty when it had one
 */
public record Asked(double secondsAgo, String failure) {}
