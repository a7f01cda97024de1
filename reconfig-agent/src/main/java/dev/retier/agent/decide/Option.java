package dev.retier.agent.decide;

import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.view.NodeView;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.util.Optional;

/**
 * One step of a change: a node that moves to a tier.
 *
 * @param from role of the node
 * @param giver site of that role, empty for a spare
 * @param taker site that gets the node
 * @param to tier of that site
 * @param node that moves
 * @param unitsGiven capacity that the giving tier loses
 * @param unitsTaken capacity that the taking one gets
 * @param moveSeconds how long it may take until the node serves
 */
record Option(
        Role from,
        Optional<SiteConfig> giver,
        SiteConfig taker,
        Tier to,
        NodeView.Known node,
        double unitsGiven,
        double unitsTaken,
        double moveSeconds)
        implements Waves.Step {

    /** The role that the node gets. */
    Role.Serving role() {
        return new Role.Serving(taker.id(), to);
    }

    @Override
    public Role leaves() {
        return from;
    }

    @Override
    public Role takes() {
        return role();
    }
}
