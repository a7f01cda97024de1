package dev.retier.state.verbs;

import dev.retier.link.LinkConfig;
import dev.retier.link.MemoryLink;
import dev.retier.link.Metric;
import dev.retier.link.NodeId;
import dev.retier.link.Operations;
import dev.retier.link.SecretSource;
import dev.retier.link.Transport;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Handshake;
import dev.retier.link.auth.Identity;
import dev.retier.link.auth.Secrets;
import dev.retier.state.LoadRecord;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import dev.retier.state.lock.LockWord;
import dev.retier.state.slot.SlotGrant;
import dev.retier.state.slot.SlotLayout;
import dev.retier.testsupport.verbs.VerbsWorld;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Node 1 and what it sees of nodes 2 to 4, in memory: no socket, no thread, and a clock that is set by hand. An answer
 * that is held misses every deadline.
 */
final class MemoryCell {
    static final NodeId SELF = new NodeId(1);
    static final SiteId SITE = new SiteId(1);
    static final LoadRecord LOAD = new LoadRecord(1, LoadRecord.Health.UP, 0.5, 0.25, 0.5, 100, 3, 2000, 0);
    static final Duration STALE = Duration.ofSeconds(1);
    static final Duration LEASE = Duration.ofSeconds(60);
    static final RoleWord WORD = RoleWord.active(3, 7, Role.SPARE);

    final VerbsWorld world = new VerbsWorld();
    final Map<NodeId, OwnMemory> memories = new TreeMap<>();
    final Map<NodeId, MemoryLink> links = new TreeMap<>();
    final Operations operations;
    final Local local;
    long nowNanos = 1_000_000_000L;

    private final Map<NodeId, Session> sessions = new TreeMap<>();
    private final Map<NodeId, MemorySegment> slots = new TreeMap<>();

    MemoryCell() throws IOException {
        this(LEASE);
    }

    /** With that lease, six read deadlines long. */
    MemoryCell(Duration lease) throws IOException {
        this(lease, true);
    }

    /** The same; if not {@code byHand}, a wait ends when its deadline has passed by the clock. */
    MemoryCell(Duration lease, boolean byHand) throws IOException {
        LinkConfig.Pace pace = new LinkConfig.Pace(() -> nowNanos, byHand);
        operations = MemoryLink.operations(world, pace);
        Map<NodeId, InetSocketAddress> peers = new TreeMap<>();
        for (int node = 1; node <= 4; node++) {
            peers.put(new NodeId(node), new InetSocketAddress(InetAddress.getLoopbackAddress(), 7000 + node));
        }
        local = new Local(
                new SharedStateConfig(
                        SELF,
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 7001),
                        peers,
                        List.of(new NodeId(2), new NodeId(3), new NodeId(4)),
                        SecretSource.of(Secrets.only(ClusterSecret.of("the secret of the cell in memory"))),
                        Transport.IWARP,
                        STALE,
                        lease,
                        lease.dividedBy(6),
                        WORD,
                        1_000,
                        Set.of(SITE),
                        ByteBuffer.allocate(Handshake.DIGEST_BYTES),
                        true,
                        Optional.empty()),
                pace);
        for (int node = 2; node <= 4; node++) {
            connect(new NodeId(node));
        }
    }

    @SuppressWarnings("restricted") // the slot's own address and length; its owner is kept with it
    private void connect(NodeId node) throws IOException {
        Identity identity = new Identity(node, 40 + node.value());
        OwnMemory memory = new OwnMemory(identity, WORD.fence(), WORD);
        MemoryLink link = new MemoryLink(operations, identity);
        SlotGrant grant = memory.grant(link.answering(), Optional.empty());
        memories.put(node, memory);
        slots.put(node, MemorySegment.ofAddress(grant.slotAddress()).reinterpret(SlotLayout.LENGTH_BYTES));
        links.put(node, link);
        sessions.put(node, new Session(link.ready(), operations, grant));
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
        return Objects.requireNonNull(slots.get(new NodeId(node)));
    }

    LockWord lockWord(int node) {
        return LockWord.decode(slot(node).get(SlotLayout.WORD_LAYOUT, SlotLayout.lockOffset(SITE)));
    }

    void lockWord(int node, LockWord word) {
        slot(node).set(SlotLayout.WORD_LAYOUT, SlotLayout.lockOffset(SITE), word.encode());
    }

    long count(Metric metric) {
        return local.counters().counted().getOrDefault(metric, 0L);
    }
}
