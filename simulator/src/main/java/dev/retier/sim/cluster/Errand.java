package dev.retier.sim.cluster;

import dev.retier.agent.loop.LoopEffect;
import dev.retier.agent.loop.LoopEvent;

/**
 * Watches what the loop of one agent promises: it awaits one answer of those that hold it up, or the end of a wait, and
 * never both or neither. Not thread-safe.
 */
final class Errand {
    private final int node;
    private final Cluster cluster;
    private int awaited;
    private boolean isBegun;
    /** One that is asked to end gives up what it awaits. */
    private boolean isStopping;

    Errand(int node, Cluster cluster) {
        this.node = node;
        this.cluster = cluster;
    }

    void begun(LoopEffect<PlanFile> effect) {
        switch (effect) {
            case LoopEffect.Look<PlanFile> _,
                    LoopEffect.Glance<PlanFile> _,
                    LoopEffect.TryLock<PlanFile> _,
                    LoopEffect.Fence<PlanFile> _,
                    LoopEffect.Order<PlanFile> _,
                    LoopEffect.Renew<PlanFile> _ -> awaited++;
            default -> {}
        }
        if (awaited > 1 && !isStopping) {
            cluster.listener().astray(node, "wants " + effect + " before its last question is answered");
        }
    }

    void answered(LoopEvent event) {
        switch (event) {
            case LoopEvent.Looked _,
                    LoopEvent.Glanced _,
                    LoopEvent.LockTaken _,
                    LoopEvent.LockHeld _,
                    LoopEvent.LockUnavailable _,
                    LoopEvent.Fenced _,
                    LoopEvent.Ordered _,
                    LoopEvent.Renewed _ -> awaited--;
            case LoopEvent.Started _ -> isBegun = true;
            case LoopEvent.Stopped _ -> isStopping = true;
            default -> {}
        }
    }

    /** All events are taken in: something will wake the loop, or it has ended. */
    void judge(boolean isWaitingOrOver) {
        if (isBegun && awaited == 0 && !isWaitingOrOver) {
            cluster.listener().astray(node, "waits for nothing and will never do anything again");
        }
    }
}
