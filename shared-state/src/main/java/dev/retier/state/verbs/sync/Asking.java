package dev.retier.state.verbs.sync;

import dev.retier.state.NodeId;
import dev.retier.state.rpc.CallOutcome;
import dev.retier.state.verbs.rpc.Call;
import dev.retier.state.verbs.rpc.Fabric;
import dev.retier.state.verbs.rpc.Request;
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
final class Asking {
    private static final int ASKS_PER_LEASE = 3;

    private final Fabric fabric;
    private final Duration pause;
    private final SecureRandom random = new SecureRandom();
    private final Map<Long, Semaphore> waiting = new ConcurrentHashMap<>();

    Asking(Fabric fabric, Duration lease) {
        this.fabric = fabric;
        this.pause = lease.dividedBy(ASKS_PER_LEASE);
        fabric.registerPrompt(Functions.NUDGE, this::nudged);
    }

    /** An id that no wait has ever had. */
    long newId() {
        return random.nextLong();
    }

    /** What an answer means. */
    interface Judge<T> {
        /** The end of the wait, or nothing if it is to go on. */
        Optional<T> judge(Question.Answer answer, long askedNanos);
    }

    /** Asks until {@code judge} has an end or the deadline has come. */
    <T> Optional<T> until(long deadlineNanos, NodeId home, int function, Question question, Judge<T> judge)
            throws InterruptedException {
        Semaphore nudge = new Semaphore(0);
        waiting.put(question.id(), nudge);
        try {
            long left = deadlineNanos - System.nanoTime();
            while (left > 0) {
                nudge.drainPermits();
                long askedNanos = System.nanoTime();
                Optional<T> end = ask(home, function, question, Duration.ofNanos(Math.min(left, pause.toNanos())))
                        .flatMap(answer -> judge.judge(answer, askedNanos));
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
    Optional<Question.Answer> ask(NodeId home, int function, Question question, Duration deadline)
            throws InterruptedException {
        return answer(fabric.call(home, function, question.encode(), deadline).await());
    }

    /** Asks once, without waiting. */
    Call begin(NodeId home, int function, Question question) {
        return fabric.call(home, function, question.encode(), pause);
    }

    static Optional<Question.Answer> answer(CallOutcome outcome) {
        return outcome instanceof CallOutcome.Answered(byte[] body) ? Question.Answer.decode(body) : Optional.empty();
    }

    /** Lets a waiting party ask again at once. */
    void nudge(Party party) {
        byte[] id = ByteBuffer.allocate(Long.BYTES).putLong(party.id()).array();
        fabric.send(party.node(), Functions.NUDGE, id, pause);
    }

    private byte[] nudged(Request request) {
        Optional.of(request.body())
                .filter(body -> body.length == Long.BYTES)
                .map(body -> waiting.get(ByteBuffer.wrap(body).getLong()))
                .ifPresent(Semaphore::release);
        return new byte[0];
    }
}
