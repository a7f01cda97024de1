package dev.retier.state.verbs;

import dev.retier.state.NodeId;
import dev.retier.state.SlotReading;
import java.util.Map;
import java.util.Optional;

/**
 * Sees a cell without being part of it: for status, dashboards and monitoring. Has no slot, listens on nothing, and
 * with a viewer's secret the nodes register nothing for it that it could change.
 *
 * <p>Thread-safe.
 */
public final class SlotViewer implements AutoCloseable {
    private final Local local;
    private final LinkKeeper<Session> keeper;
    private final SlotReader reader;

    private SlotViewer(ViewerConfig config) {
        this.local = new Local(config);
        this.keeper = new LinkKeeper<>(local, Optional.empty());
        this.reader = new SlotReader(local, keeper.links(), (_, _) -> {});
    }

    /**
     * Begins to connect to every node; waits for none.
     *
     * @throws StateException if the transport is not there; the message says what to do
     */
    public static SlotViewer open(ViewerConfig config) {
        config.transport().installOnce();
        return new SlotViewer(config);
    }

    /** As {@link dev.retier.state.SharedState#look}. */
    public Map<NodeId, SlotReading> look() {
        return reader.look();
    }

    /** Closes all connections. Idempotent. */
    @Override
    public void close() {
        keeper.close();
        local.close();
    }
}
