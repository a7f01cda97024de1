package dev.retier.agent.view;

import dev.retier.agent.config.ClusterConfig;
import java.time.Duration;

/**
 * How long a node that tells nothing is waited for.
 *
 * @param deadAfter how long it must have been unknown to count as dead, if its server does not answer either
 * @param longestMove how long its order may have stood, if it is unknown
 */
public record Patience(Duration deadAfter, Duration longestMove) {
    /** As the configuration says. */
    public static Patience of(ClusterConfig config) {
        return new Patience(config.timing().deadAfter(), config.move().total());
    }
}
