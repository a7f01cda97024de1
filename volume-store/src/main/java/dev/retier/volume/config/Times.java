package dev.retier.volume.config;

import java.time.Duration;

/**
 * How long a volume server waits for whom.
 *
 * @param lease after which a client that says nothing may be replaced
 * @param quiesce for which a client waits at most until nothing of what a volume was used for before runs any more
 * @param stall after which a connection whose provider does not answer ends
 */
public record Times(Duration lease, Duration quiesce, Duration stall) {
    /** 3 s, 5 s, 2 s. */
    public static final Times DEFAULT = new Times(Duration.ofSeconds(3), Duration.ofSeconds(5), Duration.ofSeconds(2));
}
