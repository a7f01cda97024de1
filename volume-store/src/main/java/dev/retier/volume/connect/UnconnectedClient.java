package dev.retier.volume.connect;

import dev.retier.link.Connection;
import dev.retier.volume.slots.Slots;
import dev.retier.volume.wire.Grant;
import java.util.function.LongSupplier;

/** A client whose connections and time come from its caller, as in a simulation. Thread-safe. */
public final class UnconnectedClient {
    private final VolumeClient client;

    /** By a clock in nanoseconds; the configuration's network is not used. */
    public UnconnectedClient(ClientConfig config, LongSupplier clock) {
        this.client = new VolumeClient(config, clock);
    }

    /** As programs use it; its close ends no connection. */
    public VolumeClient client() {
        return client;
    }

    /** There is a connection to the server, which it has granted that; what is connected at this end. */
    public Connection connected(Slots slots, Grant grant) {
        return client.connected(slots, grant);
    }

    /** Some time has passed. To be called more often than a lease lasts. */
    public void tick() {
        client.tick();
    }
}
