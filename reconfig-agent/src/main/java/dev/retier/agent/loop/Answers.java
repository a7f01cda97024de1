package dev.retier.agent.loop;

import dev.retier.agent.command.Answer;
import dev.retier.agent.command.Answer.Outcome;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.decide.Decision;
import dev.retier.agent.decide.StayReason;
import dev.retier.agent.view.RoleText;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers to operators that several parts give. Stateless. */
public final class Answers {
    private Answers() {}

    /** A refusal. */
    static Answer refused(StayReason reason, String detail) {
        Answer answer = Answer.of(
                switch (reason) {
                    case LOCK_HELD, LOCK_UNAVAILABLE, LEASE_ENDED, VIEW_WAS_OLD, ORDER_NOT_SENT -> Outcome.NO_LOCK;
                    default -> Outcome.REFUSED;
                },
                detail);
        answer.body().put("reason", reason.name()).put("sentence", reason.sentence());
        return answer;
    }

    /** The moves of a change: arrays of those that are made together. */
    public static void waves(ArrayNode out, Decision.Change change, ClusterConfig config) {
        change.waves().forEach(wave -> {
            ArrayNode together = out.addArray();
            wave.forEach(move -> move(together.addObject(), move, config));
        });
    }

    /** A move: {@code node}, {@code from} and {@code to}. */
    static void move(ObjectNode out, Decision.Move move, ClusterConfig config) {
        out.put("node", config.node(move.node()).name());
        out.put("from", RoleText.of(move.from(), config));
        out.put("to", RoleText.of(move.to(), config));
    }
}
