package dev.retier.load.measure;

/**
 * What one target did.
 *
 * @param target host and port
 * @param answered good answers
 * @param failed failed requests
 */
public record TargetTotals(String target, long answered, long failed) {}
