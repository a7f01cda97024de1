package dev.retier.fabric;

import dev.retier.fabric.calls.CallOutcome;
import dev.retier.fabric.calls.CallOutcome.Why;
import dev.retier.fabric.calls.Calls;
import dev.retier.fabric.calls.Message;
import dev.retier.fabric.calls.ProtocolError;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** The calls of this node on one connection, and what their callers are told. Thread-safe. */
final class CallPort {
    private final int maxBodyBytes;
    private final Consumer<Message> send;
    private final Consumer<BooleanSupplier> help;
    private final Timers.Alarm clock;
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by lock. */
    private final Calls<Call> calls;
    /** Guarded by lock: why nothing can be called any more; empty while it can. */
    private String over = "";

    /**
     * No calls yet.
     *
     * @param send takes messages to the node that is called; called with no lock held but this object's own
     * @param help what a waiting caller does for a moment, until what it is given is true
     */
    CallPort(FabricLimits limits, FabricHost.Shared shared, Consumer<Message> send, Consumer<BooleanSupplier> help) {
        this.help = help;
        this.clock = shared.clock();
        this.maxBodyBytes = limits.rings().bodyBytes();
        this.calls = new Calls<>(limits.rings().messages(), limits.waitingCalls(), shared.gate());
        this.send = send;
    }

    Call begin(Calls.Request request) {
        if (request.body().length > maxBodyBytes) {
            throw new IllegalArgumentException(
                    "a body of " + request.body().length + " bytes; at most " + maxBodyBytes + " are carried");
        }
        Call call = new Call(help);
        long dueNanos = request.deadlineNanos();
        lock.lock();
        try {
            if (!over.isEmpty()) {
                return Call.over(new CallOutcome.NotDone(Why.LOST, over));
            }
            Optional<Long> handle = calls.begin(request, call);
            if (handle.isEmpty()) {
                return Call.over(new CallOutcome.NotDone(Why.BUSY, "too many calls to this node wait already"));
            }
            call.cancelBy(() -> cancel(handle.get(), call));
            sendNext();
            dueNanos = calls.isHoldingBack() ? System.nanoTime() + NodeGate.BUSY_NANOS : dueNanos;
        } finally {
            lock.unlock();
        }
        clock.at(dueNanos);
        return call;
    }

    void answered(Message answer) throws ProtocolError {
        Optional<Call> call;
        lock.lock();
        try {
            if (!over.isEmpty()) {
                return;
            }
            call = calls.answered(answer, System.nanoTime());
            sendNext();
        } finally {
            lock.unlock();
        }
        call.ifPresent(waiting -> waiting.end(outcome(answer)));
    }

    /** Ends the calls whose deadline has come, and sends what was held back. */
    void expire(long nowNanos) {
        List<Calls.Ended<Call>> ended;
        lock.lock();
        try {
            ended = calls.expire(nowNanos);
            sendNext();
        } finally {
            lock.unlock();
        }
        end(ended, Why.TIMED_OUT, "no answer within the deadline");
    }

    /** When {@link #expire} is to be called next. */
    OptionalLong dueNanos(long nowNanos) {
        lock.lock();
        try {
            return calls.isHoldingBack()
                    ? OptionalLong.of(nowNanos + NodeGate.BUSY_NANOS)
                    : calls.earliestDeadlineNanos();
        } finally {
            lock.unlock();
        }
    }

    /** Nothing can be called any more. What the returned action does must not be done with a lock held. */
    Runnable close(String reason) {
        List<Calls.Ended<Call>> ended;
        lock.lock();
        try {
            over = reason;
            ended = calls.lose(System.nanoTime());
        } finally {
            lock.unlock();
        }
        return () -> end(ended, Why.LOST, reason);
    }

    private void cancel(long handle, Call call) {
        Calls.Cancelled how;
        lock.lock();
        try {
            how = calls.cancel(handle);
            if (how instanceof Calls.Cancelled.Sent(Message message)) {
                send.accept(message);
            }
        } finally {
            lock.unlock();
        }
        switch (how) {
            case Calls.Cancelled.Waiting _ ->
                call.end(new CallOutcome.NotDone(Why.CANCELLED, "cancelled before it was sent"));
            case Calls.Cancelled.Sent _ ->
                call.end(new CallOutcome.Unknown(Why.CANCELLED, "cancelled after it was sent"));
            case Calls.Cancelled.Over _ -> {}
        }
    }

    /** Guarded by lock, so that calls leave in the order of their numbers. */
    private void sendNext() {
        Optional<Message> next = calls.next(System.nanoTime());
        while (next.isPresent()) {
            send.accept(next.get());
            next = calls.next(System.nanoTime());
        }
    }

    private static void end(List<Calls.Ended<Call>> ended, Why why, String reason) {
        for (Calls.Ended<Call> one : ended) {
            one.owner().end(one.sent() ? new CallOutcome.Unknown(why, reason) : new CallOutcome.NotDone(why, reason));
        }
    }

    private static CallOutcome outcome(Message answer) {
        return switch (answer.status()) {
            case DONE -> new CallOutcome.Answered(answer.body());
            case FAILED -> new CallOutcome.Failed(new String(answer.body(), StandardCharsets.UTF_8));
            case ANSWER_TOO_LONG -> new CallOutcome.Failed("the answer is longer than can be carried");
            case NO_FUNCTION -> new CallOutcome.NotDone(Why.NO_FUNCTION, "the node has no such function");
            case EXPIRED -> new CallOutcome.NotDone(Why.TIMED_OUT, "its turn did not come before the deadline");
            case CANCELLED -> new CallOutcome.NotDone(Why.CANCELLED, "cancelled before its turn came");
        };
    }
}
