package dev.retier.agent.loop;

import dev.retier.agent.command.Answer;
import dev.retier.agent.command.PauseWord;
import dev.retier.agent.render.RoleFile;
import java.util.HashMap;
import java.util.Map;

/** Whether operators have paused decisions, here or in the whole cluster. Owned by the loop. */
final class Pauses<F extends RoleFile> {
    private final Scene<F> scene;
    private final Map<Long, Kept> asked = new HashMap<>();
    private Kept kept;

    /**
     * What outlives the agent.
     *
     * @param cluster of all agents
     * @param isPausedHere of this one
     */
    record Kept(PauseWord cluster, boolean isPausedHere) {}

    Pauses(Scene<F> scene, Kept kept) {
        this.scene = scene;
        this.kept = kept;
    }

    /** At the start: the others are to know of it. */
    void publish() {
        scene.emit(new LoopEffect.Publish<>(kept.cluster));
    }

    /** Whether this agent is to decide nothing. */
    boolean isPaused() {
        return kept.isPausedHere || kept.cluster.isPaused();
    }

    boolean isClusterPaused() {
        return kept.cluster.isPaused();
    }

    boolean isPausedHere() {
        return kept.isPausedHere;
    }

    /** Where the pause is, for people. */
    String scope() {
        return kept.cluster.isPaused() ? "the cluster" : kept.isPausedHere ? "this agent" : "nothing";
    }

    /** After a look: takes over what others know better. */
    void heard() {
        PauseWord newest = scene.view()
                .known()
                .map(node -> PauseWord.decode(node.load().operatorWord()))
                .reduce(kept.cluster, PauseWord::merge);
        if (newest.equals(kept.cluster)) {
            return;
        }
        if (newest.isPaused() != kept.cluster.isPaused()) {
            scene.tell(new Notice.PauseHeard(newest.isPaused()));
        }
        kept = new Kept(newest, kept.isPausedHere);
        scene.emit(new LoopEffect.Keep<>(0, kept.cluster, kept.isPausedHere));
        publish();
    }

    /** An operator begins or ends a pause; it is in force, and answered, once it is on disk. */
    void change(long ticket, boolean isHereOnly, boolean pause) {
        Kept next = isHereOnly
                ? new Kept(kept.cluster, pause)
                : new Kept(
                        kept.cluster.isPaused() == pause ? kept.cluster : kept.cluster.next(pause), kept.isPausedHere);
        asked.put(ticket, next);
        scene.emit(new LoopEffect.Keep<>(ticket, next.cluster, next.isPausedHere));
    }

    void kept(LoopEvent.Kept answer) {
        Kept next = asked.remove(answer.ticket());
        String problem = answer.problem();
        if (next == null) {
            if (problem != null) {
                scene.tell(new Notice.PauseNotKept(problem));
            }
            return;
        }
        if (problem != null) {
            Answer failed = Answer.of(
                    Answer.Outcome.FAILED, "it cannot be kept over a restart, so nothing was changed: " + problem);
            scene.emit(new LoopEffect.Reply<>(answer.ticket(), failed));
            return;
        }
        kept = next;
        publish();
        scene.emit(new LoopEffect.Announce<>());
        Answer done = Answer.of(Answer.Outcome.DONE);
        done.body().put("paused_cluster", isClusterPaused()).put("paused_here", isPausedHere());
        scene.emit(new LoopEffect.Reply<>(answer.ticket(), done));
    }
}
