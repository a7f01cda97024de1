package dev.retier.agent.view;

import dev.retier.agent.config.ClusterConfig;
import java.time.Duration;

/**
 * How long a node is waited for that tells nothing, or whose server does not answer yet.
 *
 * @param deadAfter how long it must have been unknown to count as dead, if its server does not answer either
 * @param longestMove how long its order may have stood, if it is unknown
 * @param startGrace how long its server may take to answer first after the start of its agent
 */
public record Patience(Duration deadAfter, Duration longestMove, Duration startGrace) {
    /** As the configuration says. */
    public static Patience of(ClusterConfig config) {
        return new Patience(
                config.timing().deadAfter(),
                config.longestMove(),
                config.timing().startGrace());
    }
}
