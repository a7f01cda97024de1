package dev.retier.fabric.locks;

import dev.retier.fabric.Fabric;
import dev.retier.fabric.IncomingCall;
import dev.retier.fabric.locks.protocol.BarrierHome;
import dev.retier.fabric.locks.protocol.BarrierHome.Verdict;
import dev.retier.link.LeaseTimes;
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

    private final HomeCalls asking;
    private final LeaseTimes lease;
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by lock. */
    private final Map<Integer, BarrierHome<Waiter>> homes = new HashMap<>();

    Barriers(Fabric fabric, HomeCalls asking, LeaseTimes lease) {
        this.asking = asking;
        this.lease = lease;
        fabric.registerInline(LockFunctions.BARRIER, this::answer);
    }

    BarrierOutcome await(LockPlace place, int parties, Duration deadline) throws InterruptedException {
        HomeRequest question = new HomeRequest(HomeRequest.What.ASK, place.number(), asking.newId(), parties);
        Optional<BarrierOutcome> outcome = Optional.empty();
        try {
            outcome = asking.until(
                    System.nanoTime() + deadline.toNanos(),
                    place.home(),
                    LockFunctions.BARRIER,
                    question,
                    new HomeCalls.Judge<>() {
                        @Override
                        public Optional<BarrierOutcome> judge(HomeRequest.Answer answer, long askedNanos) {
                            return outcome(answer);
                        }

                        @Override
                        public Optional<BarrierOutcome> silence() {
                            return Optional.of(new BarrierOutcome.Lost(place.home() + " has not answered for a lease"));
                        }
                    });
            return outcome.orElseGet(() -> new BarrierOutcome.Broken("not all came before the deadline"));
        } finally {
            if (outcome.isEmpty()) {
                asking.begin(
                        place.home(),
                        LockFunctions.BARRIER,
                        new HomeRequest(HomeRequest.What.LEAVE, place.number(), question.id(), parties));
            }
        }
    }

    private static Optional<BarrierOutcome> outcome(HomeRequest.Answer answer) {
        return switch (answer.code()) {
            case PASSED -> Optional.of(new BarrierOutcome.Passed(answer.value()));
            case BROKEN -> Optional.of(new BarrierOutcome.Broken("another gave up, or was not heard of for a lease"));
            default -> Optional.empty();
        };
    }

    private byte[] answer(IncomingCall request) {
        HomeRequest question = HomeRequest.decode(request.body());
        Waiter party = new Waiter(request.caller().node(), question.id());
        long now = System.nanoTime();
        Verdict verdict;
        List<Waiter> before;
        lock.lock();
        try {
            BarrierHome<Waiter> home =
                    homes.computeIfAbsent(question.number(), _ -> new BarrierHome<>(lease, question.argument()));
            if (home.parties() != question.argument()) {
                throw new IllegalArgumentException("barrier " + question.number() + " has " + home.parties()
                        + " parties, not " + question.argument());
            }
            before = home.waiting();
            verdict = question.what() == HomeRequest.What.LEAVE ? home.leave(party) : home.await(party, now);
        } finally {
            lock.unlock();
        }
        if (!(verdict instanceof Verdict.Waiting)) {
            before.stream().filter(other -> !other.equals(party)).forEach(asking::nudge);
        }
        return switch (verdict) {
            case Verdict.Waiting(long round) -> new HomeRequest.Answer(WAITING, round).encode();
            case Verdict.Passed(long round) -> new HomeRequest.Answer(PASSED, round).encode();
            case Verdict.Broken(long round) -> new HomeRequest.Answer(BROKEN, round).encode();
        };
    }
}
