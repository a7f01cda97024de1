package dev.retier.fabric;

import dev.retier.fabric.calls.CallOutcome;
import dev.retier.fabric.calls.CallOutcome.Why;
import dev.retier.fabric.calls.Calls;
import dev.retier.fabric.calls.Kind;
import dev.retier.fabric.calls.Message;
import dev.retier.fabric.calls.Priority;
import dev.retier.fabric.calls.PriorityGate;
import dev.retier.fabric.calls.ProtocolError;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** The calls of this node on one connection, and what their callers are told. Thread-safe. */
final class CallPort {
    private final int maxBodyBytes;
    private final Outlet outlet;
    private final Consumer<BooleanSupplier> help;
    private final Timers.Alarm clock;
    /** Guarded by this. */
    private final Calls<Call> calls;
    /** Guarded by this: why nothing can be called any more; empty while it can. */
    private String over = "";

    /**
     * No calls yet.
     *
     * @param outlet takes messages to the node that is called
     * @param help what a waiting caller does for a moment, until what it is given is true
     */
    CallPort(FabricLimits limits, FabricHost.Shared shared, Outlet outlet, Consumer<BooleanSupplier> help) {
        this.help = help;
        this.clock = shared.clock();
        this.maxBodyBytes = limits.rings().bodyBytes();
        this.calls = new Calls<>(limits.rings().messages(), limits.waitingCalls(), shared.gate());
        this.outlet = outlet;
    }

    /** A call that begins now; throws {@link IllegalArgumentException} if there can be no such function. */
    static Calls.Request request(Kind kind, int function, byte[] body, Duration deadline, Priority priority) {
        return new Calls.Request(
                kind, Message.checked(function), priority, body, System.nanoTime() + deadline.toNanos());
    }

    Call begin(Calls.Request request) {
        if (request.body().length > maxBodyBytes) {
            throw new IllegalArgumentException(
                    "a body of " + request.body().length + " bytes; at most " + maxBodyBytes + " are carried");
        }
        Call call = new Call(help);
        long dueNanos = request.deadlineNanos();
        synchronized (this) {
            if (!over.isEmpty()) {
                return Call.over(new CallOutcome.NotDone(Why.LOST, over));
            }
            if (!calls.begin(request, call)) {
                return Call.over(new CallOutcome.NotDone(Why.BUSY, "too many calls to this node wait already"));
            }
            call.cancelBy(() -> cancel(call));
            sendNext();
            dueNanos = calls.isHoldingBack() ? System.nanoTime() + PriorityGate.BUSY_NANOS : dueNanos;
        }
        // First, as whoever sends may have to send for others as well.
        clock.at(dueNanos);
        outlet.flush();
        return call;
    }

    void answered(Message answer) throws ProtocolError {
        Optional<Call> call;
        synchronized (this) {
            if (!over.isEmpty()) {
                return;
            }
            call = calls.answered(answer, System.nanoTime());
            sendNext();
        }
        call.ifPresent(waiting -> waiting.end(outcome(answer)));
        outlet.flush();
    }

    /** Ends the calls whose deadline has come, and sends what was held back; when to do so next. */
    OptionalLong expire(long nowNanos) {
        List<Calls.Ended<Call>> ended;
        OptionalLong dueNanos;
        synchronized (this) {
            ended = calls.expire(nowNanos);
            sendNext();
            dueNanos = calls.isHoldingBack()
                    ? OptionalLong.of(nowNanos + PriorityGate.BUSY_NANOS)
                    : calls.earliestDeadlineNanos();
        }
        end(ended, Why.TIMED_OUT, "no answer within the deadline");
        outlet.flush();
        return dueNanos;
    }

    /** Nothing can be called any more. What the returned action does must not be done with a lock held. */
    synchronized Runnable close(String reason) {
        over = reason;
        List<Calls.Ended<Call>> ended = calls.lose(System.nanoTime());
        return () -> end(ended, Why.LOST, reason);
    }

    private void cancel(Call call) {
        Optional<Calls.Ended<Call>> ended;
        synchronized (this) {
            ended = calls.cancel(call);
            ended.filter(Calls.Ended::sent).ifPresent(one -> outlet.offer(Message.cancel(one.number())));
        }
        end(ended.stream().toList(), Why.CANCELLED, "its caller has cancelled it");
        outlet.flush();
    }

    /** Guarded by this, so that calls leave in the order of their numbers; {@link Outlet#flush} afterwards. */
    private void sendNext() {
        Optional<Message> next = calls.next(System.nanoTime());
        while (next.isPresent()) {
            outlet.offer(next.get());
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
