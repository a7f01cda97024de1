package dev.retier.agent.view;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import java.util.Optional;

/** Which role words can be true in a cluster: any peer can write any bits into any slot. Stateless. */
public final class Plausible {
    /**
     * So many moves further than all that is known nobody can be: a node that has lost its journal begins at epoch 0
     * and must believe the others, but 100 moves a day make this in 28 years.
     */
    private static final long MOST_AHEAD = 1 << 20;

    private Plausible() {}

    /**
     * Why {@code word} cannot be true; empty when it can.
     *
     * @param highestEpoch the highest that this agent has seen in any word that it believed
     */
    public static Optional<String> flaw(RoleWord word, ClusterConfig config, long highestEpoch) {
        Optional<String> stranger = stranger(word.from(), config).or(() -> stranger(word.to(), config));
        if (stranger.isPresent()) {
            return stranger;
        }
        return word.epoch() > highestEpoch + MOST_AHEAD
                ? Optional.of("its epoch " + word.epoch() + " is too far ahead of " + highestEpoch)
                : Optional.empty();
    }

    private static Optional<String> stranger(Role role, ClusterConfig config) {
        return role instanceof Role.Serving(SiteId site, var _)
                        && config.site(site).isEmpty()
                ? Optional.of("it names " + site + ", and the cluster has no such site")
                : Optional.empty();
    }
}
