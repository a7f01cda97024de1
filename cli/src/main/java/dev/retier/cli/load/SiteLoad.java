package dev.retier.cli.load;

import dev.retier.load.drive.LoadPlan;
import dev.retier.load.report.Guarantee;
import dev.retier.load.target.source.AgentAccess;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The load on one site, and what to judge and draw it by.
 *
 * @param plan what to send
 * @param guarantee what the site was promised; null: nothing
 * @param agents whom to ask for its tiers
 * @param access what they are shown
 */
record SiteLoad(LoadPlan plan, @Nullable Guarantee guarantee, List<URI> agents, AgentAccess access) {
    SiteLoad {
        agents = List.copyOf(agents);
    }
}
