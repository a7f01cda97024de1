package dev.retier.state.lock;

import java.util.HashMap;
import java.util.Map;

/** Since when this node has seen each replica stand at its present word. Not thread-safe. */
final class ReplicaWatch {
    private final Map<Integer, Sighting> sightings = new HashMap<>();

    private record Sighting(LockWord word, long sinceNanos) {}

    void observe(int witness, LockWord word, long nowNanos) {
        Sighting before = sightings.get(witness);
        if (before == null || !before.word().equals(word)) {
            sightings.put(witness, new Sighting(word, nowNanos));
        }
    }

    /** Whether the word last seen is free or has stood still for {@code leaseNanos}. */
    boolean mayTake(int witness, long nowNanos, long leaseNanos) {
        Sighting last = sightings.get(witness);
        return last != null && (last.word().isFree() || nowNanos - last.sinceNanos() >= leaseNanos);
    }
}
