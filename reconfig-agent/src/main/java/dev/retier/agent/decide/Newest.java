package dev.retier.agent.decide;

import java.util.ArrayList;
import java.util.List;

/** Lists that keep the newest few. Stateless. */
final class Newest {
    private Newest() {}

    /** A new list of the last of {@code kept}, at most {@code most} with {@code next}, which is the last. */
    static <T> List<T> with(List<T> kept, T next, int most) {
        List<T> all = new ArrayList<>(kept.subList(Math.max(0, kept.size() - most + 1), kept.size()));
        all.add(next);
        return all;
    }
}
