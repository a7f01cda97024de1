package dev.retier.fabric;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs what waits for the end of an operation, and lets no fault in it go unseen. Stateless. */
public final class Callbacks {
    private static final Logger LOG = LoggerFactory.getLogger(Callbacks.class);

    private Callbacks() {}

    /** Runs {@code action} when {@code future}, which never fails, has its value. */
    public static <T> void run(String what, CompletableFuture<T> future, Consumer<T> action) {
        var _ = future.thenAccept(action).exceptionally(fault -> {
            LOG.error("the end of {} could not be handled", what, fault);
            return null;
        });
    }
}
