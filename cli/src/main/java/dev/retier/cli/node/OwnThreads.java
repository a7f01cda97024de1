package dev.retier.cli.node;

import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of a process of which a thread ends for a mistake: it ends as well, so that whoever runs it starts it
 * again. Half of an agent or an edge looks as if it were whole. For the whole process.
 */
final class OwnThreads {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");
    /** All of ours are called so; of others, as those of a pool, nothing depends on one. */
    private static final String PREFIX = "retier-";

    private OwnThreads() {}

    /** From now on {@code ended} hears of it, from the thread that ends. */
    static void whenOneEnds(Consumer<Throwable> ended) {
        Thread.setDefaultUncaughtExceptionHandler((thread, why) -> {
            LOG.error("thread {} has ended for a mistake; please report this", thread.getName(), why);
            if (thread.getName().startsWith(PREFIX)) {
                ended.accept(why);
            }
        });
    }
}
