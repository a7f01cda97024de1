package dev.retier.volume.serve;

import dev.retier.link.Connection;
import dev.retier.volume.config.Care;
import dev.retier.volume.config.Limits;
import dev.retier.volume.config.Times;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.slots.SlotLink;
import dev.retier.volume.slots.Slots;
import dev.retier.volume.wire.Grant;
import java.io.IOException;
import java.util.UUID;

/** A server whose connections, threads and time come from its caller, as in a simulation. Thread-safe. */
public final class Serving implements AutoCloseable {
    private final UUID boot;
    private final UUID pool;
    private final Workings workings;

    /**
     * A client that was let in.
     *
     * @param grant to be told to it before anything else
     * @param connection what it is connected to
     */
    public record Admitted(Grant grant, Connection connection) {}

    /** Of the volumes of a pool, which is the caller's and to be closed afterwards. */
    public Serving(Pool pool, VolumeServer.Identity identity, Limits limits, Times times, Means means) {
        this.boot = identity.bootOf(pool);
        this.pool = pool.id();
        Workings.Settings settings = new Workings.Settings(limits, times, Care.LEAST);
        this.workings = new Workings(pool, settings, new Tally(ServerListener.NONE), means);
    }

    /**
     * A client is connected.
     *
     * @param client its life
     * @param slots of its connection
     */
    public Admitted admit(long client, Slots slots) {
        SlotLink.Shape shape = slots.shape();
        Grant grant = new Grant(boot, pool, shape.count(), shape.bytes(), slots.address(), slots.key());
        return new Admitted(grant, new ServedClient(client, slots, workings.service, _ -> {}));
    }

    /** With no client any more: returns when nothing of theirs is under way and what was answered is on the disk. */
    @Override
    public void close() throws IOException {
        workings.close();
    }
}
