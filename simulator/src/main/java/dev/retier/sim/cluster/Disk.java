package dev.retier.sim.cluster;

import dev.retier.agent.loop.LoopEffect;
import dev.retier.agent.loop.LoopEvent;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.move.Recovery;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** What one life of an agent puts on its disk. What waits when the agent ends is lost. Not thread-safe. */
final class Disk {
    private static final String FULL = "no space left on device";

    private final Agent agent;
    private final Node node;
    private final Deque<MoveRecord> unwritten = new ArrayDeque<>();

    Disk(Agent agent) {
        this.agent = agent;
        this.node = agent.node();
    }

    /** Each record takes its time, and all come out in their order. */
    void append(MoveRecord entry) {
        unwritten.add(entry);
        agent.later(agent.cluster().delays().journalNanos(), this::write);
    }

    private void write() {
        if (node.disk.isStill()) {
            agent.later(agent.cluster().delays().journalNanos(), this::write);
            return;
        }
        MoveRecord entry = unwritten.remove();
        boolean isLost = node.disk.isJournalFailing();
        if (!isLost) {
            node.journal.add(entry);
        }
        agent.take(new LoopEvent.Journalled(entry, isLost ? FULL : null));
    }

    /** Hands a file to the server. */
    void install(PlanFile file) {
        String problem = node.disk.isFailingFiles() ? FULL : null;
        if (problem == null) {
            node.install(file.plan(), agent::cameOut);
        }
        agent.take(new LoopEvent.Installed(problem));
    }

    /** Raises the number of the next start, beside the journal. */
    void outgrow(long term) {
        if (!node.disk.isJournalFailing()) {
            node.bootNumber = Recovery.outgrown(node.bootNumber, term);
        }
    }

    /** Keeps pauses, beside the journal. */
    void keep(LoopEffect.Keep<PlanFile> keep) {
        @Nullable String problem = node.disk.isJournalFailing() ? FULL : null;
        if (problem == null) {
            node.pause = keep.cluster();
            node.isPausedHere = keep.isPausedHere();
        }
        agent.take(new LoopEvent.Kept(keep.ticket(), problem));
    }
}
