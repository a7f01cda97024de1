package dev.retier.cli.fabric;

import dev.retier.cli.ExitCode;
import dev.retier.cli.options.OutputOption;
import dev.retier.report.Table;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code retier fabric counter}. */
@Command(
        name = "counter",
        description = "Count together: each member adds 1 to one counter, by compare-and-swap.",
        footer = {
            "",
            "The home ends last, and its table is the final one. \"counter\" is what all have added: the sum of all",
            "\"adds\", whoever is killed between an addition and hearing of it: a member that is started again finds",
            "out whether its last one was done."
        })
final class FabricCounterCommand implements Callable<Integer> {
    private static final int COUNTER = 0;
    private static final int MEMBERS_FROM = 1;

    @Mixin
    private FabricOptions options = new FabricOptions();

    @Option(
            names = "--adds",
            paramLabel = "N",
            defaultValue = "1000",
            description =
                    "How often each member adds; one that was killed goes on where it was (default: ${DEFAULT-VALUE}).")
    private long adds;

    @Mixin
    private OutputOption output = new OutputOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    private Optional<SharedCounter> counter = Optional.empty();

    @Override
    public Integer call() throws InterruptedException {
        try (FabricSession session = new FabricSession(options)) {
            int count = session.group().all().size();
            if (count > SharedCounter.MAX_MEMBERS || adds < 0 || adds > SharedCounter.MAX_TOTAL / count) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--adds " + adds + " by " + count + " members: 0 to " + SharedCounter.MAX_TOTAL / count + " by "
                                + SharedCounter.MAX_MEMBERS + " at most");
            }
            SharedWords words = session.words("counter", MEMBERS_FROM + Members.words(count));
            Members members =
                    new Members(words, MEMBERS_FROM, count, session.group().self());
            try {
                addAll(session, words, members);
                output.print(spec, totals(session, members));
                session.end(members);
                return ExitCode.OK.code();
            } catch (LostException lost) {
                long done = counter.map(SharedCounter::made).orElse(0L);
                output.print(spec, table().row(session.name(members.self()), done, "", "LOST"));
                throw session.lost(lost);
            }
        }
    }

    private void addAll(FabricSession session, SharedWords words, Members members) throws InterruptedException {
        members.reach(Members.WORKING);
        SharedCounter shared = new SharedCounter(words, COUNTER, members);
        counter = Optional.of(shared);
        long last = -1;
        while (shared.made() < adds) {
            long found = shared.add();
            if (found <= last) {
                throw new IllegalStateException("the counter went from " + last + " to " + found);
            }
            last = found;
            session.note("added " + found);
            session.rest();
        }
        members.reach(Members.FINISHED);
        while (session.group().isHome() && !session.areOthers(members, Members.FINISHED)) {
            session.idle();
        }
    }

    private Table totals(FabricSession session, Members members) {
        Table table = table();
        long made = 0;
        for (int member = 0; member < members.count(); member++) {
            made += members.made(member);
            table.row(session.name(member), members.made(member), "", session.outcome(members, member));
        }
        return table.row("all", made, counter.orElseThrow().total(), "");
    }

    private static Table table() {
        return new Table("node", "adds", "counter", "outcome");
    }
}
