package dev.retier.cli.load;

import dev.retier.load.drive.LoadPlan;
import dev.retier.load.report.Guarantee;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The load on one site, and what to judge and draw it by.
 *
 * @param plan what to send
 * @param guarantee what the site was promised; null: nothing
 * @param agents whom to ask for its tiers
 */
record SiteLoad(LoadPlan plan, @Nullable Guarantee guarantee, List<URI> agents) {
    SiteLoad {
        agents = List.copyOf(agents);
    }
}
