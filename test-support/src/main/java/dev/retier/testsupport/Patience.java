package dev.retier.testsupport;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** How long tests wait for what must come: far longer than it takes, so that a busy machine fails none. */
public final class Patience {
    /** For one thing. */
    public static final Duration PATIENCE = Duration.ofSeconds(30);

    private Patience() {}

    /** Waits as long. */
    public static ConditionFactory await() {
        return Awaitility.await().atMost(PATIENCE);
    }
}
