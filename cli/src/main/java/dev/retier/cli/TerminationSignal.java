package dev.retier.cli;

/** SIGTERM and SIGINT as the JVM offers them: a shutdown hook. */
public final class TerminationSignal {
    private TerminationSignal() {}

    /** Runs {@code action} when the process is asked to end; the process waits for it. At most one per process. */
    public static void onTermination(Runnable action) {
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("termination").unstarted(action));
    }
}
