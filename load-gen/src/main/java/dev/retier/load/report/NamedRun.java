package dev.retier.load.report;

import java.util.ArrayList;
import java.util.List;

/**
 * A run and what to call it in tables and legends.
 *
 * @param name such as "rigid 4/3"
 * @param result its figures
 */
public record NamedRun(String name, LoadResult result) {
    /** Each run named after its site, numbered where sites repeat. */
    public static List<NamedRun> bySite(List<LoadResult> runs) {
        List<NamedRun> named = new ArrayList<>();
        for (LoadResult run : runs) {
            boolean repeated = runs.stream()
                            .filter(other -> other.site().equals(run.site()))
                            .count()
                    > 1;
            named.add(new NamedRun(repeated ? (named.size() + 1) + ": " + run.site() : run.site(), run));
        }
        return named;
    }
}
