package dev.retier.state;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

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

    /** This node's own role word, from local memory. */
    RoleWord ownRoleWord();

    /**
     * One look at every configured node, this one included: one RDMA read each, all in flight together. Takes no
     * longer
     * than the read deadline.
     */
    Map<NodeId, SlotReading> look();

    /**
     * Changes the role word of {@code node} (which may be this one) from exactly {@code expected} to {@code next} by
     * RDMA
     * compare-and-swap.
     */
    CasOutcome compareAndSetRole(NodeId node, RoleWord expected, RoleWord next);

    /** One try for the move lock of {@code site}; does not wait for another holder. */
    LockOutcome tryAcquireMoveLock(SiteId site);

    /**
     * Fences off earlier holders of the move lock: stamps the term of {@code lease} into role words, so that a late
     * swap of an earlier holder, which expects the older term, fails. Do this before ordering a move, and order none
     * of a node that is missing in the answer.
     *
     * @param read the role words of the site's nodes as just read
     * @return the words that now carry the term, to be expected by the next swap
     */
    default Map<NodeId, RoleWord> fence(MoveLease lease, Map<NodeId, RoleWord> read) {
        return Fence.stamp(lease, read, changes -> {
            Map<NodeId, CasOutcome> outcomes = new TreeMap<>();
            changes.forEach(
                    (node, change) -> outcomes.put(node, compareAndSetRole(node, change.expected(), change.next())));
            return outcomes;
        });
    }

    /**
     * Writes {@code epoch} into the announcement word of every connected node, so that it looks now. Returns how many
     * were reached, this node included.
     */
    int announce(long epoch);

    /**
     * Waits until an epoch above {@code afterEpoch} has been announced to this node or {@code timeout} has passed.
     * Returns
     * the highest epoch announced so far, 0 if none.
     */
    long awaitAnnouncement(long afterEpoch, Duration timeout) throws InterruptedException;

    /** Leaves: closes connections and frees the slot. Others see this node as unknown. Idempotent. */
    @Override
    void close();
}
