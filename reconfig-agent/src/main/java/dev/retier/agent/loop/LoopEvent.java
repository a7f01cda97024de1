package dev.retier.agent.loop;

import dev.retier.agent.command.Command;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.render.EdgeWord;
import dev.retier.agent.status.ServerStatus;
import dev.retier.agent.view.Probes;
import dev.retier.link.NodeId;
import dev.retier.state.CasOutcome;
import dev.retier.state.RoleWord;
import dev.retier.state.SlotReading;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What an agent learns. Those that answer an effect say so. */
public sealed interface LoopEvent {
    /**
     * The agent begins.
     *
     * @param journal all that it has kept, the oldest first
     */
    record Started(List<MoveRecord> journal) implements LoopEvent {}

    /**
     * The time that {@code Await} named has come, or an announcement before it.
     *
     * @param callers who has announced something since this was last said
     */
    record Woken(Surroundings here, Set<NodeId> callers) implements LoopEvent {}

    /**
     * Answers {@code Look}.
     *
     * @param readings one for each node of the cluster
     * @param probes what servers said when they were last probed
     * @param differing connected peers that have told another {@code ConfigDigest} than this agent
     * @param holdingVolumes nodes that serve a volume which somebody has attached, as far as anybody can tell
     * @param isLeaseSafe whether every lease that this node holds, if any, is safe now
     */
    record Looked(
            Surroundings here,
            Map<NodeId, SlotReading> readings,
            Probes probes,
            Set<NodeId> differing,
            Set<NodeId> holdingVolumes,
            boolean isLeaseSafe)
            implements LoopEvent {}

    /**
     * Answers {@code Glance}.
     *
     * @param readings of the nodes that it named
     */
    record Glanced(Surroundings here, Map<NodeId, SlotReading> readings) implements LoopEvent {}

    /**
     * The own server has told its status.
     *
     * @param askedAtNanos when it was asked
     * @param isWhole whether what it says of requests is of that time; else only what it says of files is
     */
    record Sampled(ServerStatus status, long askedAtNanos, boolean isWhole) implements LoopEvent {}

    /** An edge tells what it runs, and whether it sends to this node by that. */
    record EdgeTold(EdgeWord word) implements LoopEvent {}

    /** Answers {@code TryLock}: the lock is ours. */
    record LockTaken() implements LoopEvent {}

    /** Answers {@code TryLock}: another holds it. */
    record LockHeld(NodeId holder) implements LoopEvent {}

    /** Answers {@code TryLock}: too few witnesses answer. */
    record LockUnavailable(String reason) implements LoopEvent {}

    /** Answers {@code Fence}: the words behind the fence; nodes that it did not reach are missing. */
    record Fenced(Map<NodeId, RoleWord> words) implements LoopEvent {}

    /** Answers {@code Order}, by node. */
    record Ordered(Map<NodeId, CasOutcome> outcomes) implements LoopEvent {}

    /** Answers {@code Renew}: whether all leases were renewed. */
    record Renewed(boolean isHeld) implements LoopEvent {}

    /** Answers {@code SetWord}. */
    record WordSet(CasOutcome outcome) implements LoopEvent {}

    /**
     * Answers {@code Append}.
     *
     * @param problem why the record is not on disk; null when it is
     */
    record Journalled(MoveRecord entry, @Nullable String problem) implements LoopEvent {}

    /**
     * Answers {@code Install}.
     *
     * @param problem why the file is not on disk; null when it is
     */
    record Installed(@Nullable String problem) implements LoopEvent {}

    /**
     * Answers {@code Prove}, for that order.
     *
     * @param objection what was answered that is no proof, null when it is proven
     */
    record Proved(RoleWord order, @Nullable String objection) implements LoopEvent {}

    /**
     * Answers {@code Keep}.
     *
     * @param ticket of the command that it came of; 0 for none
     * @param problem why it is not on disk; null when it is
     */
    record Kept(long ticket, @Nullable String problem) implements LoopEvent {}

    /**
     * An operator commands something.
     *
     * @param ticket names it in its answer; from 1
     */
    record Commanded(long ticket, Command command) implements LoopEvent {}

    /** Another version of the cluster file is in force from the next round on; nothing of it needs a restart. */
    record Reconfigured(ClusterConfig next) implements LoopEvent {}

    /** The agent is to finish or undo the own move, to let go of the lock, and to end. */
    record Stopped() implements LoopEvent {}
}
