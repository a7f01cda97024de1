package dev.retier.fabric.locks;

import dev.retier.fabric.Call;
import dev.retier.fabric.Fabric;
import dev.retier.fabric.IncomingCall;
import dev.retier.fabric.calls.CallOutcome;
import dev.retier.link.NodeId;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * How a thread waits at a home: it asks, and asks again when it is nudged or a third of a lease has gone by. So a lost
 * nudge or answer costs time and nothing else. Thread-safe.
 */
final class HomeCalls {
    private static final int ASKS_PER_LEASE = 3;

    private final Fabric fabric;
    private final Duration pause;
    private final SecureRandom random = new SecureRandom();
    private final Map<Long, Semaphore> waiting = new ConcurrentHashMap<>();

    HomeCalls(Fabric fabric, Duration lease) {
        this.fabric = fabric;
        this.pause = lease.dividedBy(ASKS_PER_LEASE);
        fabric.registerInline(LockFunctions.NUDGE, this::nudged);
    }

    /** An id that no wait has ever had. */
    long newId() {
        return random.nextLong();
    }

    /** What an answer means. */
    interface Judge<T> {
        /** The end of the wait, or nothing if it is to go on. */
        Optional<T> judge(HomeRequest.Answer answer, long askedNanos);

        /** What it means that the home has not answered for a lease. */
        default Optional<T> silence() {
            return Optional.empty();
        }
    }

    /** Asks until {@code judge} has an end, or the deadline has come. */
    <T> Optional<T> until(long deadlineNanos, NodeId home, int function, HomeRequest question, Judge<T> judge)
            throws InterruptedException {
        Semaphore nudge = new Semaphore(0);
        waiting.put(question.id(), nudge);
        try {
            long left = deadlineNanos - System.nanoTime();
            long heardNanos = System.nanoTime();
            while (left > 0) {
                nudge.drainPermits();
                long askedNanos = System.nanoTime();
                Optional<HomeRequest.Answer> answer =
                        ask(home, function, question, Duration.ofNanos(Math.min(left, pause.toNanos())));
                heardNanos = answer.isPresent() ? System.nanoTime() : heardNanos;
                Optional<T> end = answer.flatMap(given -> judge.judge(given, askedNanos));
                if (end.isEmpty() && System.nanoTime() - heardNanos > ASKS_PER_LEASE * pause.toNanos()) {
                    end = judge.silence();
                }
                if (end.isPresent()) {
                    return end;
                }
                left = deadlineNanos - System.nanoTime();
                boolean _ = nudge.tryAcquire(Math.min(left, pause.toNanos()), TimeUnit.NANOSECONDS);
                left = deadlineNanos - System.nanoTime();
            }
            return Optional.empty();
        } finally {
            waiting.remove(question.id());
        }
    }

    /** Asks once. */
    Optional<HomeRequest.Answer> ask(NodeId home, int function, HomeRequest question, Duration deadline)
            throws InterruptedException {
        return answer(fabric.call(home, function, question.encode(), deadline).await());
    }

    /** Asks once, without waiting. */
    Call begin(NodeId home, int function, HomeRequest question) {
        return fabric.call(home, function, question.encode(), pause);
    }

    static Optional<HomeRequest.Answer> answer(CallOutcome outcome) {
        return outcome instanceof CallOutcome.Answered(byte[] body)
                ? HomeRequest.Answer.decode(body)
                : Optional.empty();
    }

    /** Lets a waiting party ask again at once. */
    void nudge(Waiter party) {
        byte[] id = ByteBuffer.allocate(Long.BYTES).putLong(party.id()).array();
        fabric.callOneWay(party.node(), LockFunctions.NUDGE, id, pause);
    }

    private byte[] nudged(IncomingCall request) {
        Optional.of(request.body())
                .filter(body -> body.length == Long.BYTES)
                .map(body -> waiting.get(ByteBuffer.wrap(body).getLong()))
                .ifPresent(Semaphore::release);
        return new byte[0];
    }
}
