package dev.retier.state.verbs;

import dev.retier.link.MemoryLink;
import dev.retier.link.Metric;
import dev.retier.link.NodeId;
import dev.retier.link.Operations;
import dev.retier.link.Transport;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Identity;
import dev.retier.state.LoadRecord;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import dev.retier.state.lock.LockWord;
import dev.retier.state.slot.SlotLayout;
import dev.retier.testsupport.verbs.VerbsWorld;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Node 1 and what it sees of nodes 2 to 4, in memory: no socket, no thread, and a clock that is set by hand. Reads take
 * as long as they need; {@link #givingUp} is for those whose answers are held.
 */
final class MemoryCell {
    static final NodeId SELF = new NodeId(1);
    static final SiteId SITE = new SiteId(1);
    static final LoadRecord LOAD = new LoadRecord(1, LoadRecord.Health.UP, 0.5, 0.25, 0.5, 100, 3, 2000);
    static final Duration STALE = Duration.ofSeconds(1);
    static final Duration LEASE = Duration.ofSeconds(60);
    static final RoleWord WORD = RoleWord.active(3, 7, Role.SPARE);

    final VerbsWorld world = new VerbsWorld();
    final Map<NodeId, OwnMemory> memories = new TreeMap<>();
    final Map<NodeId, MemoryLink> links = new TreeMap<>();
    final Operations operations = MemoryLink.operations(world);
    final Local local;
    long nowNanos = 1_000_000_000L;

    private final Map<NodeId, Session> sessions = new TreeMap<>();

    MemoryCell() throws IOException {
        Map<NodeId, InetSocketAddress> peers = new TreeMap<>();
        for (int node = 1; node <= 4; node++) {
            peers.put(new NodeId(node), new InetSocketAddress(InetAddress.getLoopbackAddress(), 7000 + node));
        }
        local = new Local(new SharedStateConfig(
                SELF,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 7001),
                peers,
                List.of(new NodeId(2), new NodeId(3), new NodeId(4)),
                ClusterSecret.of("the secret of the cell in memory"),
                Transport.IWARP,
                STALE,
                LEASE,
                LEASE.dividedBy(6),
                WORD,
                Set.of(SITE),
                true));
        for (int node = 2; node <= 4; node++) {
            connect(new NodeId(node));
        }
    }

    private void connect(NodeId node) throws IOException {
        OwnMemory memory = new OwnMemory(new OwnMemory.Incarnation(node, 40 + node.value(), WORD.fence()), WORD);
        MemoryLink link = new MemoryLink(operations, new Identity(node, 40 + node.value()));
        memories.put(node, memory);
        links.put(node, link);
        sessions.put(node, new Session(link.ready(), operations, memory.grant(link.answering(), Optional.empty())));
    }

    /** Node 1 has no connection to {@code node}. */
    void disconnect(int node) {
        sessions.remove(new NodeId(node));
    }

    Session session(int node) {
        return Objects.requireNonNull(sessions.get(new NodeId(node)));
    }

    Sessions sessions() {
        return node -> Optional.ofNullable(sessions.get(node));
    }

    OwnMemory memory(int node) {
        return Objects.requireNonNull(memories.get(new NodeId(node)));
    }

    /** The slot of {@code node}, to be changed as nobody may. */
    MemorySegment slot(int node) {
        return memory(node).slot();
    }

    LockWord lockWord(int node) {
        return LockWord.decode(slot(node).get(SlotLayout.WORD_LAYOUT, SlotLayout.lockOffset(SITE)));
    }

    void lockWord(int node, LockWord word) {
        slot(node).set(SlotLayout.WORD_LAYOUT, SlotLayout.lockOffset(SITE), word.encode());
    }

    /** What {@code action} gives when its thread is not to wait for anything: as if each deadline had passed. */
    static <T> T givingUp(Supplier<T> action) {
        Thread.currentThread().interrupt();
        try {
            return action.get();
        } finally {
            Thread.interrupted();
        }
    }

    long count(Metric metric) {
        return local.counters().counted().getOrDefault(metric, 0L);
    }
}
