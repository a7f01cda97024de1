package dev.retier.load.measure;

/**
 * What one target did.
 *
 * @param target host and port
 * @param answered good answers
 * @param failed failed requests
 */
public record TargetTotals(String target, long answered, long failed) {
    /** Both counted together, under this name. */
    public TargetTotals plus(TargetTotals other) {
        return new TargetTotals(target, answered + other.answered, failed + other.failed);
    }
}
