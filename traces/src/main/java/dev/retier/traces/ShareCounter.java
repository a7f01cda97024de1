package dev.retier.traces;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the requests for each object during one pass through a trace, to find how many objects must be dynamic for a
 * share of the <em>requests</em> to be: a log's few very popular objects make the two differ by several per cent. Keeps
 * the first {@link #MAX_OBJECTS} objects. One thread.
 */
public final class ShareCounter implements ClassRule {
    /** The World Cup has 89,997 objects; of a larger trace this many tell enough. */
    static final int MAX_OBJECTS = 1 << 18;

    private final Map<Long, long[]> requests = new HashMap<>();
    private long total;

    private record Counted(double hash, long requests) {}

    @Override
    public RequestClass classOf(long object, boolean looksDynamic) {
        long[] count = requests.get(object);
        if (count == null && requests.size() < MAX_OBJECTS) {
            count = new long[1];
            requests.put(object, count);
        }
        if (count != null) {
            count[0]++;
            total++;
        }
        return RequestClass.STATIC;
    }

    /** The rule that brings the dynamic requests among those counted nearest to {@code requestShare} (0..1). */
    public ClassRule.Share ruleFor(double requestShare) {
        List<Counted> byHash = requests.entrySet().stream()
                .map(entry -> new Counted(UnitHash.of(entry.getKey()), entry.getValue()[0]))
                .sorted(Comparator.comparingDouble(Counted::hash))
                .toList();
        double wanted = total * requestShare;
        long taken = 0;
        for (Counted object : byHash) {
            if (wanted - taken <= object.requests() / 2.0) {
                return new ClassRule.Share(object.hash());
            }
            taken += object.requests();
        }
        return new ClassRule.Share(1);
    }
}
