package dev.retier.agent.daemon;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.decide.History;
import dev.retier.agent.decide.Shadow;
import dev.retier.agent.view.ClusterView;
import java.util.Optional;

/**
 * What the control loop leaves for others after each event.
 *
 * @param view the newest
 * @param config in force
 * @param history up to that view
 * @param shadow what a shadow has found out; empty for another agent
 * @param isHolding whether this node holds a move lock
 * @param isClusterPaused whether an operator has paused the decisions of the cluster
 * @param isPausedHere whether an operator has paused those of this agent
 * @param stampOnDisk of the file that was written last
 * @param isFileTaken whether the server runs it
 * @param atNanos when this was so, monotonic
 */
record LoopState(
        ClusterView view,
        History history,
        ClusterConfig config,
        Optional<Shadow> shadow,
        boolean isHolding,
        boolean isClusterPaused,
        boolean isPausedHere,
        long stampOnDisk,
        boolean isFileTaken,
        long atNanos) {}
