package dev.retier.iwarp.verbs;

import com.ibm.disni.verbs.IbvContext;
import dev.retier.iwarp.net.Device;
import dev.retier.iwarp.net.DeviceConfig;
import dev.retier.iwarp.net.ProgressLoop;
import dev.retier.iwarp.net.TapFactory;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Which device an event channel's connections belong to. Safe for any thread. */
public final class Devices implements AutoCloseable {
    private final DeviceConfig config;
    private final Scope scope;
    private final TapFactory taps;
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by lock. */
    private @Nullable ProgressLoop loop;
    /** Guarded by lock. */
    private @Nullable IwarpContext shared;

    /** How far one device reaches. All devices of a process share one progress thread. */
    public enum Scope {
        /** One device for the process: as on a machine with one adapter. */
        PROCESS,
        /** One per event channel, that is, per endpoint group: as on a machine of its own for each. */
        EVENT_CHANNEL
    }

    /** Devices with this configuration, made when first needed. */
    public Devices(DeviceConfig config, Scope scope) {
        this(config, scope, TapFactory.NONE);
    }

    /** Devices whose connections {@code taps} may look at. */
    public Devices(DeviceConfig config, Scope scope, TapFactory taps) {
        this.config = config;
        this.taps = taps;
        this.scope = scope;
    }

    /** The configuration of each device. */
    public DeviceConfig config() {
        return config;
    }

    /** The context of a new event channel. */
    IbvContext forNewChannel() throws IOException {
        lock.lock();
        try {
            ProgressLoop running = loop;
            if (running == null || !running.isRunning()) {
                running = new ProgressLoop("iwarp-progress");
                loop = running;
                shared = null;
            }
            if (scope == Scope.EVENT_CHANNEL) {
                return new IwarpContext(new Device(config, running, taps));
            }
            IwarpContext context = shared;
            if (context == null) {
                context = new IwarpContext(new Device(config, running, taps));
                shared = context;
            }
            return context;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the progress thread and with it every connection of these devices. A new channel starts a new one. */
    @Override
    public void close() {
        ProgressLoop running;
        lock.lock();
        try {
            running = loop;
            loop = null;
            shared = null;
        } finally {
            lock.unlock();
        }
        if (running != null) {
            running.close();
        }
    }
}
