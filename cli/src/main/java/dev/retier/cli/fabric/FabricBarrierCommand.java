package dev.retier.cli.fabric;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.options.DurationConverter;
import dev.retier.cli.options.OutputOption;
import dev.retier.fabric.locks.BarrierOutcome;
import dev.retier.fabric.locks.LockPlace;
import dev.retier.fabric.locks.Locks;
import dev.retier.report.Table;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code retier fabric barrier}. */
@Command(
        name = "barrier",
        description = "Meet at a barrier, round after round: nobody goes on before all members have come.",
        footer = {
            "",
            "When a member is killed while it waits in a round, the round is broken after a lease; the others come",
            "again, and go on once it has been started again. One that was killed between rounds is waited for as",
            "long as --patience says. Numbers of rounds only grow, and all see the same."
        })
final class FabricBarrierCommand implements Callable<Integer> {
    private static final int BARRIER = 255;

    @Mixin
    private FabricOptions options = new FabricOptions();

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "100",
            description = "Up to which round to meet (default: ${DEFAULT-VALUE}).")
    private long rounds;

    @Option(
            names = "--lease",
            paramLabel = "TIME",
            defaultValue = "2s",
            converter = DurationConverter.class,
            description = "After how long without a word a member is taken for dead; the same for each "
                    + "(default: ${DEFAULT-VALUE}).")
    private Duration lease = Duration.ofSeconds(2);

    @Mixin
    private OutputOption output = new OutputOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    private long passed;
    private long broken;
    private long last;

    @Override
    public Integer call() throws InterruptedException {
        if (lease.compareTo(Locks.LEAST_LEASE) < 0) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--lease " + lease.toMillis() + "ms: at least " + Locks.LEAST_LEASE.toMillis() + "ms");
        }
        try (FabricSession session = new FabricSession(options);
                Locks locks = new Locks(session.fabric(), lease)) {
            String name = session.name(session.group().self());
            LockPlace barrier = new LockPlace(session.group().homeId(), BARRIER);
            int parties = session.group().all().size();
            long endNanos = System.nanoTime() + options.patience().toNanos();
            while (last < rounds) {
                switch (locks.await(barrier, parties, options.patience())) {
                    case BarrierOutcome.Passed(long round) -> {
                        passed(session, name, round);
                        endNanos = System.nanoTime() + options.patience().toNanos();
                    }
                    case BarrierOutcome.Broken(String reason) -> {
                        broken++;
                        session.note("broken");
                        if (System.nanoTime() - endNanos > 0) {
                            print(name, "BROKEN");
                            throw new CommandFailure(ExitCode.TIMED_OUT, "not all members have come: " + reason);
                        }
                    }
                    case BarrierOutcome.Lost(String reason) -> {
                        // Before the first round the home need not have been started.
                        if (passed > 0 || System.nanoTime() - endNanos > 0) {
                            print(name, "LOST");
                            throw new CommandFailure(ExitCode.FAILED, "LOST: " + reason);
                        }
                    }
                }
                session.rest();
            }
            print(name, "done");
            linger(session);
            return ExitCode.OK.code();
        }
    }

    private void passed(FabricSession session, String name, long round) {
        if (round <= last) {
            print(name, "LOST");
            throw new CommandFailure(
                    ExitCode.FAILED, "LOST: the home was started again, and counts from the beginning");
        }
        passed++;
        last = round;
        session.note("passed " + round);
    }

    /** The others still have to hear of the last round: the home stays until they have had time to ask again. */
    private void linger(FabricSession session) throws InterruptedException {
        long endNanos = System.nanoTime() + lease.toNanos();
        while (session.group().isHome() && System.nanoTime() - endNanos < 0) {
            session.idle();
        }
    }

    private void print(String name, String outcome) {
        output.print(
                spec,
                new Table("node", "rounds_passed", "rounds_broken", "last_round", "outcome")
                        .row(name, passed, broken, last, outcome));
    }
}
