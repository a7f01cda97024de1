package dev.retier.volume.worlds;

import dev.retier.volume.worlds.Promises.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a snapshot, or a clone, has: one of the contents that its volume had while it was made; once it was read that
 * one for ever.
 */
final class KeptImage {
    private final List<List<Entry>> allowed = new ArrayList<>();
    /** Whether it was made while nothing was missing that was answered: then it has no change without those before. */
    private final boolean isOfOneMoment;

    private KeptImage(List<List<Entry>> allowed, boolean isOfOneMoment) {
        this.allowed.addAll(allowed);
        this.isOfOneMoment = isOfOneMoment;
    }

    /** Made while that was read, which is all. */
    static KeptImage of(Reading meanwhile, int parts) {
        List<List<Entry>> allowed = new ArrayList<>();
        for (int part = 0; part < parts; part++) {
            allowed.add(meanwhile.allowed(part));
        }
        return new KeptImage(allowed, !meanwhile.mayMiss());
    }

    /** One that has the same, and can be changed. */
    KeptImage copied() {
        return new KeptImage(allowed, false);
    }

    /** What a part of it may have. */
    List<Entry> of(int part) {
        return allowed.get(part);
    }

    /** Somebody has changed parts of it, alone. */
    void changed(Change change) {
        for (int part = change.first(); part < change.end(); part++) {
            allowed.set(part, List.of(new Entry(change, change.number())));
        }
    }

    /** All of it was read; what is wrong with that. */
    Optional<String> read(long[] numbers) {
        List<List<Entry>> before = List.copyOf(allowed);
        for (int part = 0; part < numbers.length; part++) {
            long number = numbers[part];
            List<Entry> found =
                    before.get(part).stream().filter(entry -> entry.has(number)).toList();
            if (found.isEmpty()) {
                return Optional.of("its part " + part + " has " + number + ", not one of " + before.get(part));
            }
            allowed.set(part, found);
        }
        return isOfOneMoment ? ofOtherMoments(before) : Optional.empty();
    }

    /** Whether a part has an older change than one that was answered before what another part has was asked for. */
    private Optional<String> ofOtherMoments(List<List<Entry>> before) {
        long newest = allowed.stream()
                .filter(found -> found.size() == 1)
                .mapToLong(found -> found.getFirst().change().beganAt())
                .max()
                .orElse(0);
        for (int part = 0; part < before.size(); part++) {
            List<Entry> found = allowed.get(part);
            long order = found.getLast().order();
            for (Entry other : before.get(part)) {
                if (found.size() == 1 && other.order() > order && other.answeredAt() < newest) {
                    return Optional.of("its part " + part + " has " + found + ", without " + other
                            + ", which was answered before another part's was asked for");
                }
            }
        }
        return Optional.empty();
    }
}
