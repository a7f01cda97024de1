package dev.retier.volume.connect;

import dev.retier.link.LinkKeeper;
import dev.retier.link.NodeId;
import dev.retier.volume.VolumeName;
import dev.retier.volume.slots.Slots;
import dev.retier.volume.wire.Grant;
import dev.retier.volume.wire.Listing;
import dev.retier.volume.wire.Names;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.TracedRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client of one volume server. A lost connection, or a server that is started anew, is a pause: requests wait, and
 * are sent again. Thread-safe.
 */
public final class VolumeClient implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeClient.class);
    private static final long TICK_MILLIS = 250;
    /** Above the ids that nodes of a cluster have. */
    private static final int FIRST_ID = 1000;

    private final ClientConfig config;
    private final LongSupplier clock;
    private final Collector collector;
    private final Arenas arenas = new Arenas();
    private final Session session;
    /** What keeps it connected, in the order in which it ends. */
    private final List<Runnable> keepers = new ArrayList<>();

    /** That is not connected. */
    VolumeClient(ClientConfig config, LongSupplier clock) {
        this.config = config;
        this.clock = clock;
        this.collector = new Collector(config.completion().batchAbove());
        this.session = new Session("the volume server at " + config.server(), config.lostAfter(), collector, clock);
    }

    private void keepConnected(NodeId self) {
        ClientHost host = new ClientHost(config, self, this);
        LinkKeeper<ServerLink> keeper = new LinkKeeper<>(host, Optional.empty());
        ScheduledExecutorService ticks = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("volume-client-clock").daemon().factory());
        var _ = ticks.scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
        keepers.addAll(List.of(ticks::shutdownNow, keeper::close, host::close));
    }

    /** There is a connection to the server, which it has granted that. */
    ServerLink connected(Slots slots, Grant grant) {
        slots.aim(grant.address(), grant.key());
        ServerLink server = new ServerLink(slots, grant, session, arenas);
        server.greet();
        return server;
    }

    /**
     * Begins to connect; waits for nothing.
     *
     * @param random of which it draws what it calls itself
     * @throws dev.retier.link.TransportException if the transport is not there; the message says what is missing
     */
    public static VolumeClient open(ClientConfig config, RandomGenerator random) {
        config.transport().use();
        VolumeClient client = new VolumeClient(config, System::nanoTime);
        client.keepConnected(drawn(random));
        return client;
    }

    /** What a client calls itself. */
    static NodeId drawn(RandomGenerator random) {
        return new NodeId(random.nextInt(FIRST_ID, NodeId.MAX_VALUE + 1));
    }

    /** To be called more often than a lease lasts. */
    void tick() {
        try {
            session.expire(clock.getAsLong());
            session.renew();
        } catch (RuntimeException fault) {
            LOG.error("a client of {} could not see to its requests", config.server(), fault);
        }
    }

    private Ticket.Ended ask(Operation operation, int flags, long offset, int number, String name) throws IOException {
        ByteBuffer data = ByteBuffer.wrap(name.getBytes(StandardCharsets.US_ASCII));
        Pending pending = new Pending(new Waiting(collector, config.completion()), _ -> {});
        session.ask(new Ticket(operation, flags, 0, offset, number, 0, Pieces.of(List.of(data)), Pieces.NONE, pending));
        session.post();
        return pending.result();
    }

    /**
     * Takes a volume for this client, to be given back by its close.
     *
     * @param isByForce whether another client loses it that has it
     * @throws VolumeException if there is none of that name, or another client has it
     */
    public RemoteVolume attach(VolumeName name, boolean isByForce) throws IOException {
        Ticket.Ended attached = ask(Operation.ATTACH, isByForce ? Request.BY_FORCE : 0, 0, 0, name.value());
        Waiting waiting = new Waiting(collector, config.completion());
        return new RemoteVolume(
                session, name, attached, new RemoteVolume.Client(waiting, arenas, config.unflushedBytes()));
    }

    /** Makes a volume of zeros. */
    public void create(VolumeName name, long bytes) throws IOException {
        ask(Operation.CREATE, 0, bytes, 0, name.value());
    }

    /** Takes a volume away that nobody has attached, and all that it holds. */
    public void delete(VolumeName name) throws IOException {
        ask(Operation.DELETE, 0, 0, 0, name.value());
    }

    /** Gives a volume another size; a smaller one only while nobody has it attached. */
    public void resize(VolumeName name, long bytes) throws IOException {
        ask(Operation.RESIZE, 0, bytes, 0, name.value());
    }

    /** Keeps what a volume has in this moment, between what was answered and what was not, under a name. */
    public void snapshot(VolumeName volume, VolumeName snapshot) throws IOException {
        ask(Operation.SNAPSHOT, 0, 0, 0, Names.text(volume, snapshot));
    }

    /** A volume that nobody has attached has again what one of its snapshots has; what it had is gone. */
    public void rollBack(VolumeName volume, VolumeName snapshot) throws IOException {
        ask(Operation.ROLL_BACK, 0, 0, 0, Names.text(volume, snapshot));
    }

    /** Makes a volume that has what a snapshot has; both take room for what differs. */
    public void copy(VolumeName volume, VolumeName snapshot, VolumeName name) throws IOException {
        ask(Operation.CLONE, 0, 0, 0, Names.text(volume, snapshot, name));
    }

    /** Takes a snapshot away. */
    public void deleteSnapshot(VolumeName volume, VolumeName snapshot) throws IOException {
        ask(Operation.DELETE_SNAPSHOT, 0, 0, 0, Names.text(volume, snapshot));
    }

    /** All volumes and snapshots of the server. */
    public List<Listing> list() throws IOException {
        List<Listing> all = new ArrayList<>();
        boolean isMore = true;
        while (isMore) {
            int from = all.isEmpty() ? 0 : all.getLast().number() + 1;
            Ticket.Ended part = ask(Operation.LIST, 0, 0, from, "");
            List<Listing> some = Listing.all(part.data())
                    .orElseThrow(() -> new IOException(config.server() + " answers what is no list of volumes"));
            all.addAll(some);
            isMore = part.value() != 0 && !some.isEmpty() && some.getLast().number() >= from;
        }
        return all;
    }

    /**
     * What of a recorded volume comes next.
     *
     * @param first the number of the first of the records; what is missing before it came faster than it was asked for
     * @param requests in their order
     */
    public record Recorded(long first, List<TracedRequest> requests) {}

    /**
     * What was asked of a volume, whoever has it attached. It is recorded from the first time on that this is asked
     * for, and as long as it is asked for every few seconds.
     *
     * @param from the number of the record to begin with; below 0: none, what comes is behind {@link Recorded#first}
     */
    public Recorded trace(VolumeName name, long from) throws IOException {
        Ticket.Ended part = ask(Operation.TRACE, 0, from, 0, name.value());
        return new Recorded(
                part.value(),
                TracedRequest.all(part.data())
                        .orElseThrow(() -> new IOException(config.server() + " answers what are no records")));
    }

    /** Ends the connection; what is not answered fails. */
    @Override
    public void close() {
        session.close("the client is closed");
        keepers.forEach(Runnable::run);
    }
}
