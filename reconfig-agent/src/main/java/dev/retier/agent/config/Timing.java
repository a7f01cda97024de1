package dev.retier.agent.config;

import java.time.Duration;

/**
 * How often an agent looks, and how long it believes what it saw.
 *
 * @param sensitivity S: time between two looks at the shared state
 * @param publishInterval time between two polls of the own server, each followed by a fresh load record
 * @param utilisationWindow how far back a utilisation reaches; short enough to see a burst, long enough to be steady
 * @param readDeadline how long one look may take
 * @param staleness a slot whose heartbeat has not moved for this long is unknown
 * @param deadAfter an unknown node whose server does not answer either counts as dead after this long
 * @param startGrace how long a server that has not answered since its agent started counts as starting, not as lost
 * @param lease how long a silent holder of the move lock keeps it
 */
public record Timing(
        Duration sensitivity,
        Duration publishInterval,
        Duration utilisationWindow,
        Duration readDeadline,
        Duration staleness,
        Duration deadAfter,
        Duration startGrace,
        Duration lease) {
    /**
     * S is the shortest that the thesis tried (figure 5.12); the others are multiples of the publish interval, but that
     * a server of any kind is up well within half a minute.
     */
    public static final Timing DEFAULTS = new Timing(
            Duration.ofMillis(200),
            Duration.ofMillis(100),
            Duration.ofMillis(200),
            Duration.ofMillis(100),
            Duration.ofMillis(1_000),
            Duration.ofMillis(2_000),
            Duration.ofSeconds(30),
            Duration.ofMillis(2_000));

    /**
     * How long after a change of a tier's members what they publish may still be of before it: the last figure of which
     * any part is, and the time until the next one.
     */
    public Duration settling() {
        return utilisationWindow.plus(publishInterval);
    }

    /** The same with another S. */
    public Timing withSensitivity(Duration other) {
        return new Timing(
                other, publishInterval, utilisationWindow, readDeadline, staleness, deadAfter, startGrace, lease);
    }
}
