package dev.retier.iwarp;

import dev.retier.iwarp.mpa.StartupPolicy;
import dev.retier.iwarp.net.DeviceConfig;
import dev.retier.iwarp.net.TapFactory;
import dev.retier.iwarp.trace.PcapTaps;
import dev.retier.iwarp.verbs.Devices;
import java.nio.file.Path;

/**
 * Settings of a DiSNI program that cannot call {@link SoftIwarp#install}: system properties.
 *
 * <p>{@code retier.iwarp.crc} (true), {@code retier.iwarp.markers} (false), {@code retier.iwarp.revision} (2),
 * {@code retier.iwarp.large-fpdus} (true: agree with our own kind on FPDUs longer than a TCP segment),
 * {@code retier.iwarp.reads} (64: reads and atomics under way each way), {@code retier.iwarp.device-scope}
 * (process, or event-channel), {@code retier.iwarp.trace} (a directory for one pcap file per connection; none).
 */
final class SystemSettings {
    private static final String PREFIX = "retier.iwarp.";

    private SystemSettings() {}

    private static DeviceConfig deviceConfig() {
        DeviceConfig defaults = DeviceConfig.defaults();
        StartupPolicy standard = defaults.startup();
        int reads = Integer.getInteger(PREFIX + "reads", standard.ird());
        return defaults.withStartup(new StartupPolicy(
                Integer.getInteger(PREFIX + "revision", standard.revision()),
                bool("crc", standard.crc()),
                bool("markers", standard.markers()),
                standard.peerToPeer(),
                standard.rtr(),
                reads,
                reads,
                bool("large-fpdus", standard.largeFpdus())));
    }

    static Devices devices() {
        String trace = System.getProperty(PREFIX + "trace");
        TapFactory taps = trace == null ? TapFactory.NONE : new PcapTaps(Path.of(trace));
        return new Devices(deviceConfig(), scope(), taps);
    }

    private static Devices.Scope scope() {
        String name = System.getProperty(PREFIX + "device-scope", "process");
        return switch (name) {
            case "process" -> Devices.Scope.PROCESS;
            case "event-channel" -> Devices.Scope.EVENT_CHANNEL;
            default ->
                throw new IllegalStateException(PREFIX + "device-scope=" + name + "; use process or event-channel");
        };
    }

    private static boolean bool(String key, boolean fallback) {
        String value = System.getProperty(PREFIX + key, String.valueOf(fallback));
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalStateException(PREFIX + key + "=" + value + "; use true or false");
        };
    }
}
