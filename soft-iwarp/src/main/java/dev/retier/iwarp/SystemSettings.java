package dev.retier.iwarp;

import dev.retier.iwarp.mpa.LargeFpdus;
import dev.retier.iwarp.mpa.StartupPolicy;
import dev.retier.iwarp.net.DeviceConfig;
import dev.retier.iwarp.net.DeviceLimits;
import dev.retier.iwarp.net.TapFactory;
import dev.retier.iwarp.trace.PcapLimits;
import dev.retier.iwarp.trace.PcapTaps;
import dev.retier.iwarp.verbs.Devices;
import java.io.UncheckedIOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a DiSNI program that makes no {@link DeviceConfig} of its own: system properties, each named
 * {@code retier.iwarp.} and a name of {@link #NAMES}. The module's README says what they mean.
 */
final class SystemSettings {
    private static final String PREFIX = "retier.iwarp.";
    private static final Set<String> NAMES = Set.of(
            "crc",
            "markers",
            "revision",
            "retry-revision-1",
            "large-fpdus",
            "reads",
            "hold-millis",
            "device-scope",
            "trace",
            "trace-bytes",
            "trace-connection-bytes",
            "max-connections",
            "max-regions",
            "max-receives",
            "max-sends",
            "max-elements",
            "max-connection-bytes",
            "max-device-bytes");

    /** StartupPolicy says so of IRD and ORD (RFC 6581). */
    private static final int MOST_READS = 16_382;
    /** A day. */
    private static final long MOST_MILLIS = 86_400_000;

    private static final Map<String, LargeFpdus> LARGE_FPDUS =
            Map.of("known", LargeFpdus.TO_KNOWN, "always", LargeFpdus.ALWAYS, "never", LargeFpdus.NEVER);

    private final Properties properties;

    /**
     * The settings among these properties.
     *
     * @throws IllegalStateException if a property with our prefix is none of ours
     */
    SystemSettings(Properties properties) {
        this.properties = properties;
        for (String name : properties.stringPropertyNames()) {
            if (name.startsWith(PREFIX) && !NAMES.contains(name.substring(PREFIX.length()))) {
                throw new IllegalStateException(name + " is no setting; known are " + PREFIX
                        + String.join(", " + PREFIX, new TreeSet<>(NAMES)));
            }
        }
    }

    /**
     * The devices that they ask for.
     *
     * @throws IllegalStateException if a value is none that the setting may have
     */
    Devices devices() {
        return new Devices(deviceConfig(), scope(), taps());
    }

    /** The configuration of each device. */
    DeviceConfig deviceConfig() {
        try {
            DeviceConfig defaults = DeviceConfig.defaults();
            return defaults.withStartup(startup(defaults.startup()))
                    .withRetryRevision1(bool("retry-revision-1", defaults.retryRevision1()))
                    .withResponderHold(Duration.ofMillis(
                            number("hold-millis", defaults.responderHold().toMillis(), 0, MOST_MILLIS)))
                    .withLimits(limits(defaults.limits()));
        } catch (IllegalArgumentException e) {
            throw refused(e);
        }
    }

    private StartupPolicy startup(StartupPolicy standard) {
        int reads = integer("reads", standard.ird(), 0, MOST_READS);
        return new StartupPolicy(
                integer("revision", standard.revision(), 1, 2),
                oneOf("crc", Map.of("true", true, "peer", false), standard.crc()),
                bool("markers", standard.markers()),
                standard.peerToPeer(),
                standard.rtr(),
                reads,
                reads,
                oneOf("large-fpdus", LARGE_FPDUS, standard.largeFpdus()));
    }

    private DeviceLimits limits(DeviceLimits defaults) {
        return defaults.withNumbers(
                        integer("max-connections", defaults.maxConnections(), 1, Integer.MAX_VALUE),
                        integer("max-regions", defaults.maxRegions(), 1, Integer.MAX_VALUE))
                .withQueues(
                        integer("max-receives", defaults.maxReceiveWork(), 1, Integer.MAX_VALUE),
                        integer("max-sends", defaults.maxSendWork(), 1, Integer.MAX_VALUE),
                        integer("max-elements", defaults.maxElements(), 1, Integer.MAX_VALUE))
                .withMemory(
                        number("max-connection-bytes", defaults.maxConnectionBytes(), 1, Long.MAX_VALUE),
                        number("max-device-bytes", defaults.maxDeviceBytes(), 1, Long.MAX_VALUE));
    }

    private TapFactory taps() {
        PcapLimits defaults = PcapLimits.defaults();
        long inAll = number("trace-bytes", defaults.bytesInAll(), 1, Long.MAX_VALUE);
        long each = number("trace-connection-bytes", Math.min(inAll, defaults.bytesPerConnection()), 1, Long.MAX_VALUE);
        String directory = value("trace");
        try {
            PcapLimits limits = new PcapLimits(each, inAll);
            return directory == null ? TapFactory.NONE : new PcapTaps(Path.of(directory), limits);
        } catch (InvalidPathException | UncheckedIOException e) {
            throw wrong("trace", "a directory that is there or can be made (" + e.getMessage() + ")", e);
        } catch (IllegalArgumentException e) {
            throw refused(e);
        }
    }

    private Devices.Scope scope() {
        return oneOf(
                "device-scope",
                Map.of("process", Devices.Scope.PROCESS, "event-channel", Devices.Scope.EVENT_CHANNEL),
                Devices.Scope.PROCESS);
    }

    private boolean bool(String name, boolean fallback) {
        return oneOf(name, Map.of("true", true, "false", false), fallback);
    }

    private <T> T oneOf(String name, Map<String, T> values, T fallback) {
        String value = value(name);
        if (value == null) {
            return fallback;
        }
        T meant = values.get(value);
        if (meant == null) {
            throw wrong(name, String.join(" or ", new TreeSet<>(values.keySet()).descendingSet()), null);
        }
        return meant;
    }

    private int integer(String name, int fallback, int least, int most) {
        return (int) number(name, fallback, least, most);
    }

    private long number(String name, long fallback, long least, long most) {
        String value = value(name);
        if (value == null) {
            return fallback;
        }
        long number;
        try {
            number = Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw wrong(name, "a whole number", e);
        }
        if (number < least || number > most) {
            throw wrong(name, "a whole number from " + least + " to " + most, null);
        }
        return number;
    }

    private @Nullable String value(String name) {
        return properties.getProperty(PREFIX + name);
    }

    private static IllegalStateException refused(IllegalArgumentException values) {
        return new IllegalStateException("a system property " + PREFIX + "...: " + values.getMessage(), values);
    }

    private IllegalStateException wrong(String name, String use, @Nullable Exception cause) {
        return new IllegalStateException(PREFIX + name + "=" + value(name) + "; use " + use, cause);
    }
}
