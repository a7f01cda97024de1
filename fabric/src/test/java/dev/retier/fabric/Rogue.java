package dev.retier.fabric;

import dev.retier.fabric.calls.Kind;
import dev.retier.fabric.calls.Message;
import dev.retier.link.LinkConfig;
import dev.retier.link.LinkHost;
import dev.retier.link.LinkKeeper;
import dev.retier.link.QueuePair;
import dev.retier.link.auth.Handshake;
import dev.retier.link.auth.Right;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** A node of a fabric that knows the secret and the rings, but sends whatever its test likes. */
final class Rogue extends LinkHost<Rogue.End> {
    private final FabricLimits limits;
    private final LinkKeeper<End> keeper;
    private final List<End> called = new CopyOnWriteArrayList<>();
    private final List<End> calling = new CopyOnWriteArrayList<>();

    /** One end of one connection. */
    static final class End extends RingLink {
        private final List<Message> received = new CopyOnWriteArrayList<>();

        End(LinkHost.Ready ready, FabricLimits limits) throws IOException {
            super(ready, limits);
        }

        @Override
        void received(Message message) {
            received.add(message);
            if (message.kind() == Kind.OPEN) {
                RemotePlace.parse(message.body()).ifPresent(this::connect);
            }
        }

        /** What has come of this kind. */
        List<Message> received(Kind kind) {
            return received.stream().filter(message -> message.kind() == kind).toList();
        }
    }

    Rogue(FabricConfig config) {
        super(
                new LinkConfig(
                        config.self(),
                        config.peers(),
                        config.secrets(),
                        config.limits().stallBound(),
                        true,
                        ByteBuffer.allocate(Handshake.DIGEST_BYTES),
                        Optional.empty(),
                        LinkConfig.Pace.SYSTEM),
                new QueuePair.Sizes(
                        RingLink.sends(config.limits()), config.limits().rings().receives(), 1),
                List.of());
        this.limits = config.limits();
        this.keeper = new LinkKeeper<>(this, Optional.of(config.listen()));
    }

    @Override
    protected List<Right> rights() {
        return List.of(FabricHost.FABRIC);
    }

    @Override
    protected End connected(Ready ready, ByteBuffer grant) throws IOException {
        End end = new End(ready, limits);
        end.connect(RingGrant.ring(grant, limits.rings()));
        if (ready.peer().node().value() == 1) {
            calling.add(end);
        }
        return end;
    }

    @Override
    protected Admission admit(Ready ready) throws IOException {
        End end = new End(ready, limits);
        if (ready.peer().node().value() == 1) {
            called.add(end);
        }
        return new Admission(new RingGrant(end.ring(), limits.rings()).encode(), end);
    }

    /** The newest connection on which it calls node 1. */
    End calling() {
        MemoryNodes.until(() -> !calling.isEmpty() && calling.getLast().isOpen());
        return calling.getLast();
    }

    /** The newest connection on which node 1 calls it. */
    End called() {
        MemoryNodes.until(() -> !called.isEmpty() && called.getLast().isOpen());
        return called.getLast();
    }

    void stop() {
        keeper.close();
        close();
    }
}
