package dev.retier.bench.all;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether a record is still of what is checked out: the decision alone. Stateless. */
final class Staleness {
    private Staleness() {}

    /**
     * Why {@code record} is stale; null when it is fresh.
     *
     * @param dependsOn files, and folders with all that is in them, relative to the checkout
     * @param changed files that differ between its commit and the checkout; null when git knows no such commit
     */
    static @Nullable String reason(KnownRecord record, List<String> dependsOn, @Nullable List<String> changed) {
        if (record.commit() == null) {
            return "no commit is named";
        }
        if (record.isDirty()) {
            return "files differed from commit " + record.commit();
        }
        if (changed == null) {
            return "commit " + record.commit() + " is not known here";
        }
        List<String> concerning =
                changed.stream().filter(file -> concerns(file, dependsOn)).toList();
        return switch (concerning.size()) {
            case 0 -> null;
            case 1 -> concerning.getFirst() + " changed";
            default -> concerning.getFirst() + " and " + (concerning.size() - 1) + " more changed";
        };
    }

    private static boolean concerns(String file, List<String> dependsOn) {
        return dependsOn.stream().anyMatch(place -> file.equals(place) || file.startsWith(place + "/"));
    }
}
