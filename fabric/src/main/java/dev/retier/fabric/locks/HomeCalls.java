package dev.retier.fabric.locks;

import dev.retier.fabric.Call;
import dev.retier.fabric.Fabric;
import dev.retier.fabric.IncomingCall;
import dev.retier.fabric.calls.CallOutcome;
import dev.retier.link.NodeId;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

/**
 * How a thread waits at a home: it asks, and asks again when it is nudged or a third of a lease has gone by. So a lost
 * nudge or answer costs time and nothing else. Thread-safe.
 */
final class HomeCalls {
    /** One way, to a waiting party: ask again now. */
    private static final int NUDGE = 0xFE03;

    private static final int ASKS_PER_LEASE = 3;

    final Fabric fabric;
    private final Duration pause;
    private final SecureRandom random = new SecureRandom();
    private final Map<Long, Semaphore> waiting = new ConcurrentHashMap<>();

    HomeCalls(Fabric fabric, Duration lease) {
        this.fabric = fabric;
        this.pause = lease.dividedBy(ASKS_PER_LEASE);
        fabric.registerInline(NUDGE, this::nudged);
    }

    /** Has {@code home} answer the requests of {@code function}. */
    void serve(int function, BiFunction<HomeRequest, Waiter, HomeRequest.Answer> home) {
        fabric.registerInline(function, call -> {
            HomeRequest request = HomeRequest.decode(call.body());
            return home.apply(request, new Waiter(call.caller().node(), request.id()))
                    .encode();
        });
    }

    /** A request by a party that there has never been. */
    HomeRequest newRequest(LockPlace place, int argument) {
        return new HomeRequest(HomeRequest.What.ASK, place.number(), random.nextLong(), argument);
    }

    /** What an answer, or none, means for a wait: its end, or nothing if it is to go on. */
    interface Judge<T> {
        /** {@code isSilent} says that the home has not answered for a lease. */
        Optional<T> judge(Optional<HomeRequest.Answer> answer, long askedNanos, boolean isSilent);
    }

    /** Asks until {@code judge} has an end, or the deadline has come; throws what the home refuses. */
    <T> Optional<T> until(long deadlineNanos, NodeId home, int function, HomeRequest request, Judge<T> judge)
            throws InterruptedException {
        Semaphore nudge = new Semaphore(0);
        waiting.put(request.id(), nudge);
        try {
            long heardNanos = System.nanoTime();
            for (long left = deadlineNanos - System.nanoTime(); left > 0; left = deadlineNanos - System.nanoTime()) {
                nudge.drainPermits();
                long askedNanos = System.nanoTime();
                Duration patience = Duration.ofNanos(Math.min(left, pause.toNanos()));
                CallOutcome outcome =
                        fabric.call(home, function, request.encode(), patience).await();
                if (outcome instanceof CallOutcome.Failed(String reason)) {
                    throw new IllegalArgumentException(home + " refuses: " + reason);
                }
                Optional<HomeRequest.Answer> answer = answer(outcome);
                heardNanos = answer.isPresent() ? System.nanoTime() : heardNanos;
                boolean isSilent = System.nanoTime() - heardNanos > ASKS_PER_LEASE * pause.toNanos();
                Optional<T> end = judge.judge(answer, askedNanos, isSilent);
                if (end.isPresent()) {
                    return end;
                }
                left = deadlineNanos - System.nanoTime();
                boolean _ = nudge.tryAcquire(Math.min(left, pause.toNanos()), TimeUnit.NANOSECONDS);
            }
            return Optional.empty();
        } finally {
            waiting.remove(request.id());
        }
    }

    /** Asks once, without waiting. */
    Call begin(NodeId home, int function, HomeRequest request) {
        return fabric.call(home, function, request.encode(), pause);
    }

    static Optional<HomeRequest.Answer> answer(CallOutcome outcome) {
        return outcome instanceof CallOutcome.Answered(byte[] body)
                ? HomeRequest.Answer.decode(body)
                : Optional.empty();
    }

    /** Lets waiting parties ask again at once. */
    void nudge(List<Waiter> parties) {
        for (Waiter party : parties) {
            byte[] id = ByteBuffer.allocate(Long.BYTES).putLong(party.id()).array();
            fabric.callOneWay(party.node(), NUDGE, id, pause);
        }
    }

    private byte[] nudged(IncomingCall request) {
        Optional.of(request.body())
                .filter(body -> body.length == Long.BYTES)
                .map(body -> waiting.get(ByteBuffer.wrap(body).getLong()))
                .ifPresent(Semaphore::release);
        return new byte[0];
    }
}
