package dev.retier.state.verbs.rpc;

import dev.retier.state.StateMetric;
import dev.retier.state.auth.ClusterSecret;
import dev.retier.state.auth.Rights;
import dev.retier.state.verbs.LinkConfig;
import dev.retier.state.verbs.LinkHost;
import dev.retier.state.verbs.QueuePair;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** What all connections of one node of a fabric share. Thread-safe. */
final class FabricHost extends LinkHost<PeerLink> {
    private final FabricConfig config;
    private final Workers workers;
    private final Shared shared;

    /** What the connections of one node have in common. */
    record Shared(Clock clock, NodeGate gate) {}

    FabricHost(FabricConfig config, Workers workers, Shared shared) {
        super(links(config), sizes(config.limits()), StateMetric.ofConnections());
        this.config = config;
        this.workers = workers;
        this.shared = shared;
    }

    @Override
    protected ClusterSecret asking() {
        return config.secret().forFabric();
    }

    @Override
    protected boolean serves(Rights rights) {
        return rights == Rights.FABRIC;
    }

    @Override
    protected PeerLink connected(Ready ready, ByteBuffer grant) throws IOException {
        RingGrant granted = decode(grant);
        if (!granted.limits().equals(config.limits().rings())) {
            throw new IOException("its rings are " + granted.limits() + ", ours "
                    + config.limits().rings() + ": give all nodes the same limits");
        }
        return new PeerLink(deferring(ready), config.limits(), granted.ring(), shared);
    }

    private static RingGrant decode(ByteBuffer grant) throws IOException {
        try {
            return RingGrant.decode(grant);
        } catch (IllegalArgumentException impossible) {
            throw new IOException("its rings cannot be: " + impossible.getMessage(), impossible);
        }
    }

    @Override
    protected Admission admit(Ready ready, Rights rights) throws IOException {
        ServedLink link = new ServedLink(deferring(ready), config.limits(), workers);
        return new Admission(new RingGrant(link.ring(), config.limits().rings()).encode(), link);
    }

    /** Whoever finds a connection broken may hold a lock that its end needs. */
    private Ready deferring(Ready ready) {
        Consumer<String> onBroken =
                reason -> shared.clock().later(() -> ready.onBroken().accept(reason));
        return new Ready(ready.pair(), ready.completions(), ready.peer(), onBroken);
    }

    private static LinkConfig links(FabricConfig config) {
        return new LinkConfig(
                config.self(), config.peers(), config.secret(), config.limits().stallBound());
    }

    private static QueuePair.Sizes sizes(FabricLimits limits) {
        return new QueuePair.Sizes(
                RingPort.sends(limits) + limits.oneSided(), limits.rings().receives(), limits.elements());
    }
}
