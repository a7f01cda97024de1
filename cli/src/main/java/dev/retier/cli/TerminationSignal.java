package dev.retier.cli;

import java.util.concurrent.CompletableFuture;

/** SIGTERM and SIGINT as the JVM offers them: a shutdown hook. */
public final class TerminationSignal {
    /** With what the command has ended, once all that it had to say is printed. */
    private static final CompletableFuture<Integer> ENDED = new CompletableFuture<>();

    private TerminationSignal() {}

    /** Runs {@code action} when the process is asked to end; the process waits for it. At most one per process. */
    public static void onTermination(Runnable action) {
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("termination").unstarted(action));
    }

    /**
     * Runs {@code ask} when the process is asked to end, and waits until the command has ended for that and has said
     * all that it had to say. If it failed, that is how the process ends, else by the signal. At most one per process.
     */
    public static void endsCommand(Runnable ask) {
        onTermination(() -> {
            ask.run();
            int code = ENDED.join();
            if (code != ExitCode.OK.code()) {
                Runtime.getRuntime().halt(code);
            }
        });
    }

    /** The command has ended so, and has said all. */
    static void ended(int code) {
        ENDED.complete(code);
    }
}
