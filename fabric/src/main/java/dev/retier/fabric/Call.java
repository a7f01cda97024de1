package dev.retier.fabric;

import dev.retier.fabric.calls.CallOutcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A call that was made. It ends by its deadline at the latest, whatever happens. Thread-safe.
 */
public final class Call {
    private final CompletableFuture<CallOutcome> outcome = new CompletableFuture<>();
    private final Consumer<BooleanSupplier> help;
    private volatile Runnable cancel = () -> {};

    /**
     * A call that has not ended.
     *
     * @param help may serve connections for a moment, until what it is given is true
     */
    Call(Consumer<BooleanSupplier> help) {
        this.help = help;
    }

    static Call over(CallOutcome outcome) {
        Call call = new Call(_ -> {});
        call.end(outcome);
        return call;
    }

    /**
     * How it ends. Never completes exceptionally. What depends on it without an executor of its own runs on the node's
     * completion thread, and must not block.
     */
    public CompletableFuture<CallOutcome> outcome() {
        return outcome.copy();
    }

    /**
     * Runs {@code action} with the outcome, at once or on the thread that ends the call; it must not block. What it
     * throws is logged.
     */
    public void whenOver(Consumer<CallOutcome> action) {
        Callbacks.run("a call", outcome, action);
    }

    /**
     * Waits for the end. Before it sleeps it may serve this node's connections for some tens of microseconds, so the
     * caller must hold no lock that the end of another call or operation needs.
     */
    public CallOutcome await() throws InterruptedException {
        if (!outcome.isDone()) {
            help.accept(outcome::isDone);
        }
        try {
            return outcome.get();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("a call never ends by an exception", impossible);
        }
    }

    /** The answer is not wanted any more. Ends the call at once; a function that has begun is only told. */
    public void cancel() {
        cancel.run();
    }

    void cancelBy(Runnable action) {
        cancel = action;
    }

    void end(CallOutcome how) {
        outcome.complete(how);
    }
}
