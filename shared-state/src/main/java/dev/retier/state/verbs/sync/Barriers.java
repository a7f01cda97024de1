package dev.retier.state.verbs.sync;

import dev.retier.state.sync.BarrierHome;
import dev.retier.state.sync.BarrierHome.Verdict;
import dev.retier.state.sync.LeaseRule;
import dev.retier.state.verbs.rpc.Fabric;
import dev.retier.state.verbs.rpc.Request;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** Barriers: those whose home is this node, and this node's waits at all. Thread-safe. */
final class Barriers {
    private static final int WAITING = 1;
    private static final int PASSED = 2;
    private static final int BROKEN = 3;

    private final Asking asking;
    private final LeaseRule rule;
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by lock. */
    private final Map<Integer, BarrierHome<Party>> homes = new HashMap<>();

    Barriers(Fabric fabric, Asking asking, LeaseRule rule) {
        this.asking = asking;
        this.rule = rule;
        fabric.registerPrompt(Functions.BARRIER, this::answer);
    }

    BarrierOutcome await(LockPlace place, int parties, Duration deadline) throws InterruptedException {
        Question question = new Question(Question.What.ASK, place.number(), asking.newId(), parties);
        Optional<BarrierOutcome> outcome = Optional.empty();
        try {
            outcome = asking.until(
                    System.nanoTime() + deadline.toNanos(),
                    place.home(),
                    Functions.BARRIER,
                    question,
                    (answer, _) -> outcome(answer));
            return outcome.orElseGet(() -> new BarrierOutcome.Broken("not all came before the deadline"));
        } finally {
            if (outcome.isEmpty()) {
                asking.begin(
                        place.home(),
                        Functions.BARRIER,
                        new Question(Question.What.LEAVE, place.number(), question.id(), parties));
            }
        }
    }

    private static Optional<BarrierOutcome> outcome(Question.Answer answer) {
        return switch (answer.code()) {
            case PASSED -> Optional.of(new BarrierOutcome.Passed(answer.value()));
            case BROKEN -> Optional.of(new BarrierOutcome.Broken("another gave up, or was not heard of for a lease"));
            default -> Optional.empty();
        };
    }

    private byte[] answer(Request request) {
        Question question = Question.decode(request.body());
        Party party = new Party(request.caller().node(), question.id());
        long now = System.nanoTime();
        Verdict verdict;
        List<Party> before;
        lock.lock();
        try {
            BarrierHome<Party> home =
                    homes.computeIfAbsent(question.number(), _ -> new BarrierHome<>(rule, question.argument()));
            if (home.parties() != question.argument()) {
                throw new IllegalArgumentException("barrier " + question.number() + " has " + home.parties()
                        + " parties, not " + question.argument());
            }
            before = home.waiting();
            verdict = question.what() == Question.What.LEAVE ? home.leave(party) : home.await(party, now);
        } finally {
            lock.unlock();
        }
        if (!(verdict instanceof Verdict.Waiting)) {
            before.stream().filter(other -> !other.equals(party)).forEach(asking::nudge);
        }
        return switch (verdict) {
            case Verdict.Waiting(long round) -> new Question.Answer(WAITING, round).encode();
            case Verdict.Passed(long round) -> new Question.Answer(PASSED, round).encode();
            case Verdict.Broken(long round) -> new Question.Answer(BROKEN, round).encode();
        };
    }
}
