package dev.retier.load.measure;

import java.util.EnumMap;
import java.util.Map;

/**
 * Where the requests of a run went. {@code sent = answered + failed + dropped + inFlight} always, and nothing is in
 * flight once a run is over.
 *
 * @param sent requests taken from the trace and begun
 * @param answered complete answers with a status below 400
 * @param failed all others that the target or the network spoiled; {@code failures} says how
 * @param dropped begun and then given up by the generator itself, because the run was ended
 * @param inFlight begun and not yet over
 * @param staticAnswered the static ones of {@code answered}
 * @param dynamicAnswered the dynamic ones of {@code answered}
 * @param bodyBytes body bytes of the answers
 * @param failures failed requests by kind; kinds that did not happen are absent
 */
public record Totals(
        long sent,
        long answered,
        long failed,
        long dropped,
        long inFlight,
        long staticAnswered,
        long dynamicAnswered,
        long bodyBytes,
        Map<FailureKind, Long> failures) {
    /** Copies the map. */
    public Totals {
        failures = Map.copyOf(failures);
    }

    /** Both together. */
    public Totals plus(Totals other) {
        Map<FailureKind, Long> all = new EnumMap<>(FailureKind.class);
        all.putAll(failures);
        other.failures.forEach((kind, count) -> all.merge(kind, count, Long::sum));
        return new Totals(
                sent + other.sent,
                answered + other.answered,
                failed + other.failed,
                dropped + other.dropped,
                inFlight + other.inFlight,
                staticAnswered + other.staticAnswered,
                dynamicAnswered + other.dynamicAnswered,
                bodyBytes + other.bodyBytes,
                all);
    }
}
