package dev.retier.state;

import dev.retier.link.Metric;
import dev.retier.link.NodeId;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The data-center's logical shared state as one node sees it: its own slot in local memory, every other node's slot
 * by one-sided RDMA (seed thesis, section 3.2.2).
 *
 * <p>Every wait has a deadline from the configuration. Failures of peers are values, never exceptions. Thread-safe,
 * except that {@link MoveLease} belongs to the thread that acquired it.
 */
public interface SharedState extends AutoCloseable {
    /** The node whose slot is local. */
    NodeId self();

    /** Updates the load record in this node's own slot in place and moves its heartbeat on. Never blocks. */
    void publish(LoadRecord load);

    /**
     * This node's own role word, from local memory. At first it is that of the configuration, with a count of fences
     * of its own unless it is an order. {@link RoleWord.Malformed} when a peer has put there what is none.
     */
    RoleWord.Parsed ownRoleWord();

    /**
     * One look at every configured node, this one included: one RDMA read each, all in flight together. Takes no
     * longer than the read deadline.
     *
     * @throws dev.retier.link.StateException when this node's connections are lost for as long as the process lives, as
     *     after its device was taken away; the message says why
     */
    Map<NodeId, SlotReading> look();

    /**
     * Changes the role words of these nodes (of which one may be this one), each from exactly what is expected, by RDMA
     * compare-and-swap, all in flight together.
     *
     * @return the outcome of each
     */
    Map<NodeId, CasOutcome> compareAndSetRoles(Map<NodeId, Fence.Change> changes);

    /** The same for one word. */
    default CasOutcome compareAndSetRole(NodeId node, RoleWord expected, RoleWord next) {
        return Objects.requireNonNull(compareAndSetRoles(Map.of(node, new Fence.Change(expected, next)))
                .get(node));
    }

    /**
     * Puts {@code next} in the place of this node's own role word if it is exactly {@code bits}, which need be no role
     * word, by RDMA compare-and-swap: a peer has put there what cannot be true.
     */
    CasOutcome mendOwnRole(long bits, RoleWord next);

    /** One try for the move lock of {@code site}; does not wait for another holder. */
    LockOutcome tryAcquireMoveLock(SiteId site);

    /**
     * The highest term of any move lock that this node has seen or proposed since it started; 0 before the first. Terms
     * above {@link dev.retier.state.lock.LockWord#HIGHEST_TERM} do not count.
     */
    long highestTerm();

    /**
     * Fences off earlier holders of the move lock: changes role words so that a late swap of an earlier holder, which
     * expects the word before the fence, fails. Do this before ordering a move, and order none of a node that is
     * missing in the answer.
     *
     * @param read the role words of the site's nodes as just read
     * @return the words behind the fence, to be expected by the next swap
     */
    default Map<NodeId, RoleWord> fence(MoveLease lease, Map<NodeId, RoleWord> read) {
        return Fence.set(lease::isSafe, read, this::compareAndSetRoles);
    }

    /**
     * Tells every peer another digest of this node's configuration than so far, within a second: for that, this node's
     * connections to them are made anew, during which they are unknown to it and what is under way on them fails.
     *
     * @param digest 32 bytes; others are refused with {@link IllegalArgumentException}
     */
    void digest(ByteBuffer digest);

    /**
     * The connected peers that have told another digest of their configuration than this node tells. One that has told
     * none, as it is too old for that, is not among them: of it nothing is known.
     */
    Set<NodeId> differing();

    /**
     * Looks at the slots of these nodes alone. Returns one entry for each of them that is configured, within the
     * deadline of a look.
     */
    Map<NodeId, SlotReading> look(Set<NodeId> nodes);

    /**
     * Tells every connected node that the slot of this one has changed. Returns to how many a message is on its way,
     * this node included; those of version 2 hear nothing, and look within their S.
     */
    int announce();

    /** Tells these nodes alone, so that they wake; those of them that are not connected hear nothing. */
    int announce(Set<NodeId> nodes);

    /**
     * Waits until more than {@code heard} announcements have come to this node, it is woken, or {@code timeout} has
     * passed. What was announced is no matter: look at those who did, see {@link #callers}.
     *
     * @return how many have come since the start
     */
    long awaitAnnouncement(long heard, Duration timeout) throws InterruptedException;

    /** Ends the wait of this node's {@link #awaitAnnouncement}, or else the next one: it has something of its own. */
    void wake();

    /** Who has announced something since this was last asked; this node too, if it has. */
    Set<NodeId> callers();

    /** What has been counted so far, see {@link StateMetric}. A metric that is missing is not kept. */
    default Map<Metric, Long> metrics() {
        return Map.of();
    }

    /** Leaves: closes connections and frees the slot. Others see this node as unknown. Idempotent. */
    @Override
    void close();
}
