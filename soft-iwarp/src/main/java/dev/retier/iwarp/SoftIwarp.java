package dev.retier.iwarp;

import com.ibm.disni.verbs.RdmaProvider;
import dev.retier.iwarp.net.DeviceConfig;
import dev.retier.iwarp.verbs.Devices;
import dev.retier.iwarp.verbs.IwarpProvider;
import dev.retier.verbs.Providers;

/**
 * Puts software iWARP under DiSNI.
 *
 * <p>Three cases: our own modules call {@link #install}; any DiSNI program runs with this jar first on its class path;
 * {@code -Dretier.rdma.provider=native} takes native-verbs instead, if its jar is there too. All methods are safe for
 * any thread.
 */
public final class SoftIwarp {
    private SoftIwarp() {}

    /**
     * Installs software iWARP with its defaults, changed by the system properties that the module's README lists.
     *
     * @throws IllegalStateException if such a property is wrong
     */
    public static void install() {
        install(new SystemSettings(System.getProperties()).devices());
    }

    /**
     * Installs software iWARP for all DiSNI calls of this process from now on. Objects made before keep their provider.
     *
     * @param config the configuration of each device
     * @param scope how far one device reaches
     * @throws IllegalStateException if DiSNI is none that this was made for
     */
    public static void install(DeviceConfig config, Devices.Scope scope) {
        install(new Devices(config, scope));
    }

    /**
     * As {@link #install(DeviceConfig, Devices.Scope)}, with devices of the caller's: for instance traced ones,
     * {@code new Devices(config, scope, new PcapTaps(directory, PcapLimits.defaults()))}.
     */
    public static void install(Devices devices) {
        Providers.install(new IwarpProvider(devices));
    }

    /** A provider as {@link #install()} would install it. */
    public static RdmaProvider newDefaultProvider() {
        return new IwarpProvider(new SystemSettings(System.getProperties()).devices());
    }
}
