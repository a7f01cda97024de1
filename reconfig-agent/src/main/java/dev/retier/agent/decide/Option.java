package dev.retier.agent.decide;

import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.view.NodeView;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.util.Optional;

/**
 * One step of a change: a node that moves to a tier of the site that may take.
 *
 * @param from role of the node
 * @param giver site of that role, empty for a spare
 * @param to tier of the site that takes
 * @param node that moves
 * @param unitsGiven capacity that the giving tier loses
 * @param unitsTaken capacity that the taking one gets
 * @param moveSeconds how long it may take until the node serves: longer for one that has failed to move
 */
record Option(
        Role from,
        Optional<SiteConfig> giver,
        Tier to,
        NodeView.Known node,
        double unitsGiven,
        double unitsTaken,
        double moveSeconds) {
    /** Whether who gives has no member to spare once it has {@code more} than now. */
    boolean isAtMinimum(Case facts, int more) {
        return giver.isPresent()
                && from instanceof Role.Serving(var _, Tier tier)
                && facts.trend(giver.get(), tier).members().size() + more
                        <= giver.get().bounds(tier).min();
    }
}
