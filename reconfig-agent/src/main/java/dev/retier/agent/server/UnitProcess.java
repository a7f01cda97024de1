package dev.retier.agent.server;

import dev.retier.agent.status.CpuText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The main process of a unit, as systemd tells it. Asking takes a process of its own and some milliseconds, so what it
 * said is believed for a while: for some seconds while that process lives, as a unit may have got another main process
 * with the old one still there, and for ever less often while the unit does not run. Thread-safe.
 */
final class UnitProcess {
    /** For one who is to be signalled. */
    private static final long FRESH_NANOS = 1_000_000_000;
    /** For looks. */
    private static final long BELIEVED_NANOS = 10_000_000_000L;

    private static final long SOON_NANOS = 250_000_000;
    private static final long SELDOM_NANOS = 5_000_000_000L;
    /** One that has been down for long is asked for at such a part of that time. */
    private static final int PART = 8;

    private static final Duration DEADLINE = Duration.ofSeconds(2);

    private final List<String> command;
    private final Processes processes;
    private final AtomicBoolean isAsking = new AtomicBoolean();
    private final AtomicReference<@Nullable Told> told = new AtomicReference<>();

    /**
     * What systemd said.
     *
     * @param pid 0 for none
     * @param start when that process was started: its number may be another's later
     * @param problem why it said nothing
     * @param downSinceNanos when it was first told that the unit does not run
     */
    private record Told(long pid, String start, String problem, long atNanos, long downSinceNanos) {}

    UnitProcess(String unit, Processes processes) {
        this(List.of("systemctl", "show", "--property=MainPID", "--value", "--", unit), processes);
    }

    /** Told by that command, in its last line; 0 for none. */
    UnitProcess(List<String> command, Processes processes) {
        this.command = List.copyOf(command);
        this.processes = processes;
    }

    /**
     * It, by what is known; empty when the unit does not run, or nobody can say. Never waits: where systemd is to be
     * asked, its answer is there for a later call.
     */
    Optional<Long> pid() {
        if (isDue(BELIEVED_NANOS) && isAsking.compareAndSet(false, true)) {
            Thread.ofVirtual().name("retier-unit").start(() -> {
                try {
                    Told before = told.get();
                    told.compareAndSet(before, asked(before)); // else somebody knows better by now
                } finally {
                    isAsking.set(false);
                }
            });
        }
        return known();
    }

    /** Asks systemd, unless it has said so a moment ago, and waits for what it says. */
    void ask() {
        if (isDue(FRESH_NANOS)) {
            told.set(asked(told.get()));
        }
    }

    /** It was started or stopped: what systemd said before is no matter. */
    void forget() {
        told.set(null);
    }

    /** Why nobody can say; empty when systemd has answered. */
    String problem() {
        Told last = told.get();
        return last == null ? "systemd has not been asked yet" : last.problem;
    }

    private Optional<Long> known() {
        Told last = told.get();
        return last != null && isAlive(last) ? Optional.of(last.pid) : Optional.empty();
    }

    private boolean isAlive(Told one) {
        return !one.start.isEmpty() && start(one.pid).equals(one.start);
    }

    /** Empty for one that has ended. */
    private String start(long pid) {
        String stat = processes.read(pid, "stat").orElse("");
        return Processes.isAlive(stat) ? CpuText.start(stat) : "";
    }

    private boolean isDue(long believedNanos) {
        Told last = told.get();
        if (last == null) {
            return true;
        }
        long nowNanos = System.nanoTime();
        long pauseNanos = known().isPresent()
                ? believedNanos
                : Math.clamp((nowNanos - last.downSinceNanos) / PART, SOON_NANOS, SELDOM_NANOS);
        return nowNanos - last.atNanos >= pauseNanos;
    }

    /** Where nobody can say, as on a machine that is too busy, a process that lives is still the one that it was. */
    private Told asked(@Nullable Told before) {
        long pid = 0;
        String problem = "";
        try {
            CommandRunner.Outcome outcome = CommandRunner.run(command, DEADLINE);
            String line = outcome.output().lines().reduce("", (_, last) -> last).strip();
            boolean isTold = outcome.isGood() && line.matches("\\d{1,10}");
            pid = isTold ? Long.parseLong(line) : 0;
            problem = isTold ? "" : outcome.summary();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            problem = "interrupted";
        }
        long nowNanos = System.nanoTime();
        if (!problem.isEmpty() && before != null && isAlive(before)) {
            return new Told(before.pid, before.start, problem, nowNanos, nowNanos);
        }
        long downSinceNanos = before != null && before.pid == 0 ? before.downSinceNanos : nowNanos;
        return new Told(pid, pid > 0 ? start(pid) : "", problem, nowNanos, downSinceNanos);
    }
}
