package dev.retier.agent.loop;

import dev.retier.agent.command.Answer;
import dev.retier.agent.command.Answer.Outcome;
import dev.retier.agent.decide.StayReason;

/** Answers to operators that several parts of the loop give. Stateless. */
final class Answers {
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
}
