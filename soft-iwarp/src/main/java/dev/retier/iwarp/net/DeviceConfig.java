package dev.retier.iwarp.net;

import dev.retier.iwarp.mpa.StartupPolicy;
import java.time.Duration;

/**
 * What a device does and how much it takes.
 *
 * @param startup what streams ask for when they start, and how many reads each may have under way
 * @param retryRevision1 whether an initiator whose enhanced Request makes the peer close asks once more with MPA
 *     revision 1 (RFC 6581 section 9 allows it); within the same start-up time
 * @param startupTimeout how long a responder waits for the Request, and an initiator for the Reply
 * @param lingerTimeout how long a closing connection may take to hand its last bytes to TCP
 * @param responderHold how long a responder keeps back what was posted while an initiator that promised no
 *     ready-to-receive has sent nothing; zero to send at once, which RFC 5044 section 7.1.2 forbids
 * @param limits what the device refuses to exceed
 * @param completionSpin how long a waiter for a completion event polls before it sleeps; zero to sleep at once
 */
public record DeviceConfig(
        StartupPolicy startup,
        boolean retryRevision1,
        Duration startupTimeout,
        Duration lingerTimeout,
        Duration responderHold,
        DeviceLimits limits,
        Duration completionSpin) {
    private static final int DEFAULT_READS = 64;
    private static final Duration LONGEST_HOLD = Duration.ofDays(1);

    /** Checks the ranges. */
    public DeviceConfig {
        if (responderHold.isNegative() || responderHold.compareTo(LONGEST_HOLD) > 0) {
            throw new IllegalArgumentException(
                    "the hold of a responder, " + responderHold.toMillis() + " ms, must be within 0 and a day");
        }
        if (startupTimeout.isNegative() || startupTimeout.isZero() || lingerTimeout.isNegative()) {
            throw new IllegalArgumentException("time-outs must be positive");
        }
        if (completionSpin.isNegative()) {
            throw new IllegalArgumentException("the completion spin must not be negative");
        }
    }

    /**
     * Revision 2, CRC on, no markers, 64 reads each way, 5 s for start-up and for a responder's hold, 20 us of spin.
     */
    public static DeviceConfig defaults() {
        return new DeviceConfig(
                StartupPolicy.standard(DEFAULT_READS, DEFAULT_READS),
                true,
                Duration.ofSeconds(5),
                Duration.ofSeconds(2),
                Duration.ofSeconds(5),
                DeviceLimits.defaults(),
                Duration.ofNanos(20_000));
    }

    /** This with another start-up policy. */
    public DeviceConfig withStartup(StartupPolicy policy) {
        return with(policy, retryRevision1, completionSpin);
    }

    /** This with or without a second Request of revision 1. */
    public DeviceConfig withRetryRevision1(boolean retry) {
        return with(startup, retry, completionSpin);
    }

    /** This with another spin before a waiter sleeps. */
    public DeviceConfig withCompletionSpin(Duration spin) {
        return with(startup, retryRevision1, spin);
    }

    private DeviceConfig with(StartupPolicy policy, boolean retry, Duration spin) {
        return new DeviceConfig(policy, retry, startupTimeout, lingerTimeout, responderHold, limits, spin);
    }

    /** This with other limits of time. */
    public DeviceConfig withTimeouts(Duration startupLimit, Duration linger) {
        return within(startupLimit, linger, responderHold, limits);
    }

    /** This with another hold of what a responder posts. */
    public DeviceConfig withResponderHold(Duration hold) {
        return within(startupTimeout, lingerTimeout, hold, limits);
    }

    /** This with other limits. */
    public DeviceConfig withLimits(DeviceLimits other) {
        return within(startupTimeout, lingerTimeout, responderHold, other);
    }

    private DeviceConfig within(Duration startupLimit, Duration linger, Duration hold, DeviceLimits other) {
        return new DeviceConfig(startup, retryRevision1, startupLimit, linger, hold, other, completionSpin);
    }
}
