package dev.retier.fabric;

import dev.retier.fabric.calls.PriorityGate;
import dev.retier.link.LinkConfig;
import dev.retier.link.LinkHost;
import dev.retier.link.QueuePair;
import dev.retier.link.auth.Handshake;
import dev.retier.link.auth.Right;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What all connections of one node of a fabric share. Thread-safe. */
final class FabricHost extends LinkHost<PeerLink> {
    /** To call a node's functions, and to use the memory that it registers for the peer; nothing to do with slots. */
    static final Right FABRIC = new Right(3, "retier shared-state fabric");

    private final FabricConfig config;
    private final Workers workers;
    private final Shared shared;
    /** The end at which this node's newest connection to itself arrives; null before the first. */
    private volatile @Nullable ServedLink own;

    /** What the connections of one node have in common. */
    record Shared(Timers timers, Timers.Alarm clock, PriorityGate gate) {}

    FabricHost(FabricConfig config, Workers workers, Shared shared) {
        super(links(config), sizes(config.limits()), List.of());
        this.config = config;
        this.workers = workers;
        this.shared = shared;
    }

    @Override
    protected List<Right> rights() {
        return List.of(FABRIC);
    }

    @Override
    protected PeerLink connected(Ready ready, ByteBuffer grant) throws IOException {
        RemotePlace ring = RingGrant.ring(grant, config.limits().rings());
        return new PeerLink(deferring(ready), config.limits(), ring, shared);
    }

    @Override
    protected Admission admit(Ready ready) throws IOException {
        ServedLink link = new ServedLink(deferring(ready), config.limits(), workers);
        if (link.node().equals(config.self())) {
            own = link;
        }
        return new Admission(new RingGrant(link.ring(), config.limits().rings()).encode(), link);
    }

    /** Where this node's connection to itself arrives, while it stands. */
    Optional<Caller> ownCaller() {
        return Optional.<Caller>ofNullable(own).filter(Caller::isOpen);
    }

    /** Whoever finds a connection broken may hold a lock that its end needs. */
    private Ready deferring(Ready ready) {
        Consumer<String> onBroken =
                reason -> shared.timers().soon(() -> ready.onBroken().accept(reason));
        return new Ready(ready.pair(), ready.completions(), ready.terms(), onBroken);
    }

    private static LinkConfig links(FabricConfig config) {
        return new LinkConfig(
                config.self(),
                config.peers(),
                config.secrets(),
                config.limits().stallBound(),
                config.formerHandshake(),
                ByteBuffer.allocate(Handshake.DIGEST_BYTES),
                config.tls(),
                LinkConfig.Pace.SYSTEM);
    }

    private static QueuePair.Sizes sizes(FabricLimits limits) {
        return new QueuePair.Sizes(
                RingLink.sends(limits) + limits.oneSided(), limits.rings().receives(), limits.elements());
    }
}
