package dev.retier.agent.loop;

import dev.retier.agent.command.Answer;
import dev.retier.agent.command.Answer.Outcome;
import dev.retier.agent.decide.StayReason;
import dev.retier.agent.render.RoleFile;
import dev.retier.agent.view.RoleText;
import dev.retier.agent.view.Stamps;
import dev.retier.state.CasOutcome;
import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Puts back, for an operator, what a peer has written into the own role word and the agent cannot tell from the truth:
 * a role of a site that there is, with an epoch that may be. What cannot be true the agent mends by itself
 * ({@link Scene#mendOwnWord}). Owned by the loop.
 */
final class RepairDesk<F extends RoleFile> {
    private final Scene<F> scene;
    private final VictimDesk<F> victim;
    private @Nullable Pending pending;

    private record Pending(long ticket, RoleWord before, RoleWord next) {}

    RepairDesk(Scene<F> scene, VictimDesk<F> victim) {
        this.scene = scene;
        this.victim = victim;
    }

    /** Compares the own role word with the journal, and puts back what the journal has. */
    void begin(long ticket, boolean isDryRun) {
        Optional<RoleWord> own = scene.own();
        if (own.isEmpty()) {
            reply(ticket, Outcome.FAILED, null, "the role word is none; the agent is putting it back: ask again");
        } else if (!victim.isIdle() || own.get().phase() != Phase.ACTIVE || pending != null) {
            reply(ticket, Answers.refused(StayReason.MOVE_IN_FLIGHT, "a move of this node is under way"));
        } else if (own.get().to().equals(scene.settled().to())) {
            reply(ticket, Outcome.DONE, own.get(), "it is what the journal has" + stampFlaw());
        } else if (isDryRun) {
            reply(ticket, Outcome.CHANGES, own.get(), "it would be put back" + stampFlaw());
        } else {
            RoleWord before = own.get();
            RoleWord next = RoleWord.active(
                            before.epoch(), before.fence(), scene.settled().to())
                    .fenced();
            pending = new Pending(ticket, before, next);
            scene.emit(new LoopEffect.SetWord<>(before, next));
        }
    }

    /** Takes in an answer; whether it was for this. */
    boolean wordSet(LoopEvent.WordSet answer) {
        Pending asked = pending;
        if (asked == null) {
            return false;
        }
        pending = null;
        if (answer.outcome() instanceof CasOutcome.Won) {
            scene.own(asked.next);
            scene.emit(new LoopEffect.Announce<>());
            reply(asked.ticket, Outcome.DONE, asked.before, "it was put back" + stampFlaw());
        } else {
            reply(asked.ticket, Outcome.FAILED, asked.before, "it has changed meanwhile: ask again");
        }
        return true;
    }

    /** The agent is leaving: nobody waits in vain. */
    void close() {
        Pending asked = pending;
        if (asked != null) {
            pending = null;
            reply(asked.ticket, Answer.of(Outcome.FAILED, "the agent is leaving"));
        }
    }

    /** The server takes no file that is older than the one that it runs. */
    private String stampFlaw() {
        long epoch = Stamps.epoch(scene.appliedStamp());
        return epoch <= scene.highestEpoch()
                ? ""
                : "; its server runs a file of epoch " + epoch
                        + ", which no move has had: stop agent and server, remove "
                        + scene.config().node(scene.self()).roleFiles() + ", and start both";
    }

    private void reply(long ticket, Outcome outcome, @Nullable RoleWord was, String detail) {
        Answer answer = Answer.of(outcome, detail);
        answer.body()
                .put("node", scene.config().node(scene.self()).name())
                .put("role", was == null ? "" : RoleText.of(was.to(), scene.config()))
                .put("journal", RoleText.of(scene.settled().to(), scene.config()));
        reply(ticket, answer);
    }

    private void reply(long ticket, Answer answer) {
        scene.emit(new LoopEffect.Reply<>(ticket, answer));
    }
}
