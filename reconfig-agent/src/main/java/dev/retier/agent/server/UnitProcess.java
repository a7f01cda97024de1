package dev.retier.agent.server;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The main process of a unit, as systemd tells it. Asking takes a process of its own and some milliseconds, so it is
 * asked anew only once the process that it named last has ended, and not more often than a few times a second. Not
 * thread-safe.
 */
final class UnitProcess {
    private static final long AGAIN_NANOS = 250_000_000;
    private static final Duration DEADLINE = Duration.ofSeconds(2);

    private final List<String> command;
    private final Processes processes;
    private long known;
    private boolean wasAsked;
    private long askedAtNanos;
    private String problem = "";

    UnitProcess(String unit, Processes processes) {
        this(List.of("systemctl", "show", "--property=MainPID", "--value", unit), processes);
    }

    /** Told by that command, in its first line; 0 for none. */
    UnitProcess(List<String> command, Processes processes) {
        this.command = List.copyOf(command);
        this.processes = processes;
    }

    /** It; empty when the unit does not run, or nobody can say. */
    Optional<Long> pid() {
        if (known > 0 && processes.isAlive(known)) {
            return Optional.of(known);
        }
        if (!wasAsked || System.nanoTime() - askedAtNanos >= AGAIN_NANOS) {
            known = ask();
            wasAsked = true;
            askedAtNanos = System.nanoTime();
        }
        return known > 0 ? Optional.of(known) : Optional.empty();
    }

    /** Why nobody can say; empty when systemd has answered. */
    String problem() {
        return problem;
    }

    private long ask() {
        try {
            CommandRunner.Outcome told = CommandRunner.run(command, DEADLINE);
            @Nullable
            String pid = told.output().lines().findFirst().map(String::strip).orElse("");
            boolean isTold = told.isGood() && pid.matches("\\d{1,10}");
            problem = isTold ? "" : told.summary();
            return isTold ? Long.parseLong(pid) : 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }
}
