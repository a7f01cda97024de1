package dev.retier.load.report.page;

/**
 * A moment worth a vertical line in the charts over time, such as a move.
 *
 * @param seconds since the start of the run
 * @param label a few words
 */
public record Mark(double seconds, String label) {}
