package dev.retier.agent.daemon;

import dev.retier.agent.command.Answer;
import dev.retier.agent.command.Answer.Outcome;
import dev.retier.agent.command.Command;
import dev.retier.agent.loop.LoopEvent;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Operators who wait for an answer. Thread-safe. */
final class Tickets {
    /** More than connections are taken. */
    private static final int MAX_WAITING = 32;

    private final AtomicLong newest = new AtomicLong();
    private final Map<Long, CompletableFuture<Answer>> waiting = new ConcurrentHashMap<>();

    /** Hands {@code command} to {@code loop} and waits for what becomes of it, for so long at most. Any thread. */
    Answer ask(Command command, Duration patience, Consumer<LoopEvent> loop) throws InterruptedException {
        if (waiting.size() >= MAX_WAITING) {
            return Answer.of(Outcome.FAILED, "too many commands wait; try again");
        }
        long ticket = newest.incrementAndGet();
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        waiting.put(ticket, answer);
        try {
            loop.accept(new LoopEvent.Commanded(ticket, command));
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return Answer.of(
                    Outcome.TIMED_OUT,
                    "no end was seen within " + patience.toSeconds() + " s; `retier status` shows what is under way");
        } catch (ExecutionException e) {
            return Answer.of(Outcome.FAILED, String.valueOf(e.getCause()));
        } finally {
            waiting.remove(ticket);
        }
    }

    /** What became of a command; nobody may wait for it any more. */
    void reply(long ticket, Answer answer) {
        CompletableFuture<Answer> waits = waiting.get(ticket);
        if (waits != null) {
            waits.complete(answer);
        }
    }

    /** Nobody waits in vain. */
    void close() {
        waiting.values().forEach(waits -> waits.complete(Answer.of(Outcome.FAILED, "the agent has ended")));
    }
}
