package dev.retier.iwarp.net;

import dev.retier.iwarp.mpa.StartupPolicy;
import dev.retier.iwarp.wire.Fpdu;
import java.time.Duration;

/**
 * What a device does and how much it takes.
 *
 * @param startup what streams ask for when they start, and how many reads each may have under way
 * @param startupTimeout how long a responder waits for the Request, and an initiator for the Reply
 * @param lingerTimeout how long a closing connection may take to hand its last bytes to TCP
 * @param maxConnections connections at most, those in start-up included
 * @param maxRegions registered regions at most
 * @param maxReceiveWork receives per queue pair at most
 * @param maxSendWork sends per queue pair at most
 * @param maxElements scatter/gather elements per work request at most
 * @param maxUlpdu bytes of a ULPDU at most, 128 to 64768; towards a peer that is not of our
 *     kind the interface's MTU may lower it
 * @param completionSpin how long a waiter for a completion event polls before it sleeps; zero to sleep at once
 */
public record DeviceConfig(
        StartupPolicy startup,
        Duration startupTimeout,
        Duration lingerTimeout,
        int maxConnections,
        int maxRegions,
        int maxReceiveWork,
        int maxSendWork,
        int maxElements,
        int maxUlpdu,
        Duration completionSpin) {
    private static final int DEFAULT_READS = 64;

    /** Checks the ranges. */
    public DeviceConfig {
        if (startupTimeout.isNegative() || startupTimeout.isZero() || lingerTimeout.isNegative()) {
            throw new IllegalArgumentException("time-outs must be positive");
        }
        if (maxConnections < 1 || maxRegions < 1 || maxReceiveWork < 1 || maxSendWork < 1 || maxElements < 1) {
            throw new IllegalArgumentException("every limit must be at least 1");
        }
        if (maxUlpdu < Fpdu.MIN_MULPDU || maxUlpdu > Fpdu.MAX_ULPDU) {
            throw new IllegalArgumentException("max ULPDU " + maxUlpdu + " must be within 128 to 64768");
        }
        if (completionSpin.isNegative()) {
            throw new IllegalArgumentException("the completion spin must not be negative");
        }
    }

    /** Revision 2, CRC on, no markers, 64 reads each way, 5 s for start-up, 20 microseconds of spin. */
    public static DeviceConfig defaults() {
        return new DeviceConfig(
                StartupPolicy.standard(DEFAULT_READS, DEFAULT_READS),
                Duration.ofSeconds(5),
                Duration.ofSeconds(2),
                4096,
                1 << 20,
                32768,
                32768,
                32,
                Fpdu.MAX_ULPDU,
                Duration.ofNanos(20_000));
    }

    /** This with another start-up policy. */
    public DeviceConfig withStartup(StartupPolicy policy) {
        return new DeviceConfig(
                policy,
                startupTimeout,
                lingerTimeout,
                maxConnections,
                maxRegions,
                maxReceiveWork,
                maxSendWork,
                maxElements,
                maxUlpdu,
                completionSpin);
    }

    /** This with other limits of time. */
    public DeviceConfig withTimeouts(Duration startupLimit, Duration linger) {
        return new DeviceConfig(
                startup,
                startupLimit,
                linger,
                maxConnections,
                maxRegions,
                maxReceiveWork,
                maxSendWork,
                maxElements,
                maxUlpdu,
                completionSpin);
    }

    /** This with other limits of number. */
    public DeviceConfig withLimits(int connections, int regions) {
        return new DeviceConfig(
                startup,
                startupTimeout,
                lingerTimeout,
                connections,
                regions,
                maxReceiveWork,
                maxSendWork,
                maxElements,
                maxUlpdu,
                completionSpin);
    }

    /** This with another spin before a waiter sleeps. */
    public DeviceConfig withCompletionSpin(Duration spin) {
        return new DeviceConfig(
                startup,
                startupTimeout,
                lingerTimeout,
                maxConnections,
                maxRegions,
                maxReceiveWork,
                maxSendWork,
                maxElements,
                maxUlpdu,
                spin);
    }
}
