package dev.retier.volume.connect;

import dev.retier.link.LinkKeeper;
import dev.retier.volume.VolumeName;
import dev.retier.volume.slots.Slots;
import dev.retier.volume.wire.Details;
import dev.retier.volume.wire.Grant;
import dev.retier.volume.wire.Listing;
import dev.retier.volume.wire.Looked;
import dev.retier.volume.wire.Names;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.TracedRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client of one volume server. A lost connection, or a server that is started anew, is a pause: requests wait, and
 * are sent again. Thread-safe.
 */
public final class VolumeClient implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeClient.class);
    private static final long TICK_MILLIS = 250;

    private final ClientConfig config;
    private final LongSupplier clock;
    private final Collector collector;
    private final Arenas arenas = new Arenas();
    private final Ticks ticks = new Ticks();
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

    private void keepConnected() {
        ClientHost host = new ClientHost(config, this);
        LinkKeeper<ServerLink> keeper = new LinkKeeper<>(host, Optional.empty());
        ScheduledExecutorService ticker = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("volume-client-clock").daemon().factory());
        var _ = ticker.scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
        keepers.addAll(List.of(ticker::shutdownNow, keeper::close, host::close));
    }

    /** There is a connection to the server, which it has granted that. */
    ServerLink connected(Slots slots, Grant grant) {
        slots.aim(grant.address(), grant.key());
        ServerLink server = new ServerLink(slots, grant, session, arenas, ticks);
        server.greet(config.name());
        return server;
    }

    /**
     * Begins to connect; waits for nothing.
     *
     * @throws dev.retier.link.TransportException if the transport is not there; the message says what is missing
     */
    public static VolumeClient open(ClientConfig config) {
        config.transport().use();
        VolumeClient client = new VolumeClient(config, System::nanoTime);
        client.keepConnected();
        return client;
    }

    /** To be called more often than a lease lasts. */
    void tick() {
        try {
            ticks.tick();
            session.expire(clock.getAsLong());
            session.renew();
        } catch (RuntimeException fault) {
            LOG.error("a client of {} could not see to its requests", config.server(), fault);
        }
    }

    private Ticket.Ended ask(Request said, ByteBuffer data) throws IOException {
        Pending pending = new Pending(new Waiting(collector, config.completion()), _ -> {});
        session.ask(Ticket.of(said, Pieces.of(List.of(data)), Pieces.NONE, pending));
        session.post();
        return pending.result();
    }

    private static ByteBuffer text(VolumeName name) {
        return text(name.value());
    }

    private static ByteBuffer text(String names) {
        return ByteBuffer.wrap(names.getBytes(StandardCharsets.US_ASCII));
    }

    private RemoteVolume attach(VolumeName name, ByteBuffer named, int flags) throws IOException {
        Ticket.Ended attached = ask(new Request(Operation.ATTACH, flags, 0, 0, 0, 0, 0), named);
        Waiting waiting = new Waiting(collector, config.completion());
        return new RemoteVolume(
                session, name, attached, new RemoteVolume.Client(waiting, arenas, config.unflushedBytes()));
    }

    /**
     * Takes a volume for this client, to be given back by its close. A client attaches a volume once at a time.
     *
     * @param isByForce whether another client loses it that has it
     * @throws VolumeException if there is none of that name, or another client has it
     */
    public RemoteVolume attach(VolumeName name, boolean isByForce) throws IOException {
        return attach(name, text(name), isByForce ? Request.BY_FORCE : 0);
    }

    /**
     * Attaches a volume to read it alone, beside whoever writes to it: what that client was answered is read.
     *
     * @throws VolumeException if there is none of that name
     */
    public RemoteVolume attachForReading(VolumeName name) throws IOException {
        return attach(name, text(name), Request.FOR_READING);
    }

    /**
     * Attaches a snapshot to read it.
     *
     * @throws VolumeException if there is none of that name
     */
    public RemoteVolume attachForReading(VolumeName name, VolumeName snapshot) throws IOException {
        return attach(name, text(Names.text(name, snapshot)), Request.FOR_READING);
    }

    /** Makes a volume of zeros. */
    public void create(VolumeName name, long bytes) throws IOException {
        ask(Request.about(Operation.CREATE, bytes, 0, 0), text(name));
    }

    /** Takes a volume away that nobody has attached, and all that it holds. */
    public void delete(VolumeName name) throws IOException {
        int number = show(name).volume().number();
        ask(Request.about(Operation.DELETE, 0, number, 0), Ticket.NOTHING);
    }

    /** Gives a volume another size; a smaller one only while nobody has it attached. */
    public void resize(VolumeName name, long bytes) throws IOException {
        Listing now = show(name).volume();
        ByteBuffer from = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        ask(
                Request.about(Operation.RESIZE, bytes, now.number(), 0),
                from.putLong(now.bytes()).flip());
    }

    /** All that the server tells of a volume. */
    public Details show(VolumeName name) throws IOException {
        Ticket.Ended told = ask(Request.about(Operation.SHOW, 0, 0, 0), text(name));
        return Details.parse(told.data())
                .orElseThrow(() -> new IOException(config.server() + " tells of " + name + " what cannot be"));
    }

    /**
     * Takes a volume away from the client that writes to it as {@code seen}: nothing that comes from there later is
     * written. Does nothing if that one has it no more.
     */
    public void evict(Listing seen) throws IOException {
        ask(Request.about(Operation.EVICT, 0, seen.number(), seen.epoch()), Ticket.NOTHING);
    }

    /** Keeps what a volume has in this moment, between what was answered and what was not, under a name. */
    public void snapshot(VolumeName volume, VolumeName snapshot) throws IOException {
        ask(Request.about(Operation.SNAPSHOT, 0, 0, 0), text(Names.text(volume, snapshot)));
    }

    /**
     * A volume that nobody has attached has again what one of its snapshots has; what it had is gone. Refused if it has
     * been attached since it was seen so.
     */
    public void rollBack(Listing seen, VolumeName snapshot) throws IOException {
        Request request = Request.about(Operation.ROLL_BACK, 0, seen.number(), seen.epoch());
        ask(request, text(Names.text(seen.name(), snapshot)));
    }

    /** Makes a volume that has what a snapshot has; both take room for what differs. */
    public void copy(VolumeName volume, VolumeName snapshot, VolumeName name) throws IOException {
        ask(Request.about(Operation.CLONE, 0, 0, 0), text(Names.text(volume, snapshot, name)));
    }

    /** Takes a snapshot away. */
    public void deleteSnapshot(VolumeName volume, VolumeName snapshot) throws IOException {
        ask(Request.about(Operation.DELETE_SNAPSHOT, 0, 0, 0), text(Names.text(volume, snapshot)));
    }

    /**
     * Clusters of a volume in which only zeros were written are not kept any more: a part of it. With the last part the
     * server's file system has again what is free; the volume may be in use.
     *
     * @param from 0, or {@link Looked#next} of the part before
     */
    public Looked trim(Listing volume, long from) throws IOException {
        return look(Request.about(Operation.TRIM, from, volume.number(), 0));
    }

    /**
     * What a volume or a snapshot keeps is read from the server's disk and proven: a part of it.
     *
     * @param from 0, or {@link Looked#next} of the part before
     * @param isOnce whether what one with a lower number has, too, is left out
     */
    public Looked scrub(Listing volume, long from, boolean isOnce) throws IOException {
        return look(new Request(Operation.SCRUB, isOnce ? Request.ONCE : 0, 0, from, volume.number(), 0, 0));
    }

    private Looked look(Request request) throws IOException {
        return Looked.parse(ask(request, Ticket.NOTHING).data())
                .filter(looked -> looked.next() > request.offset())
                .orElseThrow(() -> new IOException(config.server() + " answers what it cannot have found"));
    }

    /** All volumes and snapshots of the server. */
    public List<Listing> list() throws IOException {
        List<Listing> all = new ArrayList<>();
        boolean isMore = true;
        while (isMore) {
            int from = all.isEmpty() ? 0 : all.getLast().number() + 1;
            Ticket.Ended part = ask(Request.about(Operation.LIST, 0, from, 0), Ticket.NOTHING);
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
        Ticket.Ended part = ask(Request.about(Operation.TRACE, from, 0, 0), text(name));
        return new Recorded(
                part.value(),
                TracedRequest.all(part.data())
                        .orElseThrow(() -> new IOException(config.server() + " answers what are no records")));
    }

    /** From now on nobody waits for the server for longer than that, as who wants to end. */
    public void hurry(Duration most) {
        session.hurry(most);
    }

    /** Ends the connection; what is not answered fails. */
    @Override
    public void close() {
        session.close("the client is closed");
        keepers.forEach(Runnable::run);
    }
}
