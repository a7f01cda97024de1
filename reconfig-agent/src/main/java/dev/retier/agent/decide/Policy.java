package dev.retier.agent.decide;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.DecisionRules;
import dev.retier.agent.config.Mode;
import dev.retier.agent.config.SiteConfig;
import java.util.List;

/**
 * What the decision obeys.
 *
 * @param mode how far the agents may go
 * @param rules times, thresholds and budgets
 * @param sites in order of priority, the highest first
 */
public record Policy(Mode mode, DecisionRules rules, List<SiteConfig> sites) {
    /** Keeps its own copy of the list. */
    public Policy {
        sites = List.copyOf(sites);
    }

    /** The part of a cluster's configuration that decisions obey. */
    public static Policy of(ClusterConfig config) {
        return new Policy(config.mode(), config.decision(), config.sites());
    }
}
