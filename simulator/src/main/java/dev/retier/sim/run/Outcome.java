package dev.retier.sim.run;

import dev.retier.sim.cluster.Chronicle;
import dev.retier.sim.cluster.MoveSeen;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How one run went.
 *
 * @param name of the approach
 * @param nodes how many there were
 * @param sites in the order of the configuration
 * @param moves that were ordered while there was load
 * @param sizes of the tiers over time; empty when they never change, or for the oracle
 * @param reasons how often each reason was the answer of a look
 * @param bursts of the first load, in order; none for a load without bursts
 * @param isWhole whether all requests ended within the limit of virtual time
 * @param events how many things happened
 */
public record Outcome(
        String name,
        int nodes,
        List<SiteOutcome> sites,
        List<MoveSeen> moves,
        List<Chronicle.Sizes> sizes,
        Map<String, Long> reasons,
        List<BurstSeen> bursts,
        boolean isWhole,
        long events) {
    /** Copies the collections. */
    public Outcome {
        sites = List.copyOf(sites);
        moves = List.copyOf(moves);
        bursts = List.copyOf(bursts);
        sizes = List.copyOf(sizes);
        reasons = Collections.unmodifiableMap(new TreeMap<>(reasons));
    }

    /** The same under another name. */
    public Outcome named(String other) {
        return new Outcome(other, nodes, sites, moves, sizes, reasons, bursts, isWhole, events);
    }

    /** When the last request of all ended. */
    public double seconds() {
        return sites.stream().mapToDouble(site -> site.ledger().seconds()).max().orElse(0);
    }

    /** Requests per second in the bursts that are all dynamic, or all static; 0 if there are none. */
    public double perSecond(boolean isDynamic) {
        List<BurstSeen> alike = bursts.stream()
                .filter(burst -> burst.dynamicShare() == (isDynamic ? 1 : 0))
                .toList();
        double time = alike.stream().mapToDouble(BurstSeen::seconds).sum();
        return time == 0 ? 0 : alike.stream().mapToLong(BurstSeen::requests).sum() / time;
    }

    /** Answers of all sites. */
    public long done() {
        return sites.stream().mapToLong(site -> site.ledger().doneTotal()).sum();
    }

    /** Failures of all sites. */
    public long failed() {
        return sites.stream().mapToLong(site -> site.ledger().failedTotal()).sum();
    }

    /** Answers of all sites per second. */
    public double perSecond() {
        return seconds() == 0 ? 0 : done() / seconds();
    }
}
