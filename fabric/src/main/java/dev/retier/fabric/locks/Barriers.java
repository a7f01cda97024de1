package dev.retier.fabric.locks;

import dev.retier.fabric.locks.protocol.BarrierHome;
import dev.retier.fabric.locks.protocol.BarrierHome.State;
import dev.retier.link.LeaseTimes;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Barriers: those whose home is this node, and this node's waits at all. Thread-safe. */
final class Barriers {
    private static final int FUNCTION = 0xFE02;
    private static final List<State> STATES = List.of(State.WAITING, State.PASSED, State.BROKEN);

    private final HomeCalls asking;
    private final LeaseTimes lease;
    /** Guarded by this. */
    private final Map<Integer, BarrierHome<Waiter>> homes = new HashMap<>();

    Barriers(HomeCalls asking, LeaseTimes lease) {
        this.asking = asking;
        this.lease = lease;
        asking.serve(FUNCTION, this::answer);
    }

    BarrierOutcome await(LockPlace place, int parties, Duration deadline) throws InterruptedException {
        HomeRequest request = asking.newRequest(place, parties);
        BarrierOutcome lost = new BarrierOutcome.Lost(place.home() + " has not answered for a lease");
        Optional<BarrierOutcome> outcome = Optional.empty();
        try {
            outcome = asking.until(
                    System.nanoTime() + deadline.toNanos(),
                    place.home(),
                    FUNCTION,
                    request,
                    (answer, _, isSilent) -> isSilent ? Optional.of(lost) : answer.flatMap(Barriers::outcome));
            return outcome.orElseGet(() -> new BarrierOutcome.Broken("not all came before the deadline"));
        } finally {
            if (outcome.isEmpty()) {
                asking.begin(place.home(), FUNCTION, request.as(HomeRequest.What.LEAVE));
            }
        }
    }

    private static Optional<BarrierOutcome> outcome(HomeRequest.Answer answer) {
        return switch (HomeRequest.decode(STATES, answer.code())) {
            case WAITING -> Optional.empty();
            case PASSED -> Optional.of(new BarrierOutcome.Passed(answer.value()));
            case BROKEN -> Optional.of(new BarrierOutcome.Broken("another gave up, or was not heard of for a lease"));
        };
    }

    private synchronized HomeRequest.Answer answer(HomeRequest request, Waiter party) {
        BarrierHome<Waiter> home =
                homes.computeIfAbsent(request.number(), _ -> new BarrierHome<>(lease, request.argument()));
        if (home.parties() != request.argument()) {
            throw new IllegalArgumentException(
                    "barrier " + request.number() + " has " + home.parties() + " parties, not " + request.argument());
        }
        List<Waiter> others =
                home.waiting().stream().filter(other -> !other.equals(party)).toList();
        BarrierHome.Verdict verdict =
                request.what() == HomeRequest.What.LEAVE ? home.leave(party) : home.await(party, System.nanoTime());
        if (verdict.state() != State.WAITING) {
            asking.nudge(others);
        }
        return new HomeRequest.Answer(STATES.indexOf(verdict.state()) + 1, verdict.round());
    }
}
