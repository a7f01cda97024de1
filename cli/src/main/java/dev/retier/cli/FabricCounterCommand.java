package dev.retier.cli;

import dev.retier.cli.fabric.LostException;
import dev.retier.cli.fabric.Members;
import dev.retier.cli.fabric.SharedWords;
import dev.retier.report.Table;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code retier fabric counter}. */
@Command(
        name = "counter",
        description = "Count together: each member adds 1 to one shared counter, again and again, by fetch-and-add.",
        footer = {
            "",
            "The home ends last, and its table is the final one. \"counter\" is what all have added; \"adds\" of all",
            "members are so many, but for one of each member that was killed between an addition and saying so, and",
            "for those whose answer never came (\"unknown\")."
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

    private long unknown;
    private long done;

    @Override
    public Integer call() throws InterruptedException {
        try (FabricSession session = new FabricSession(options)) {
            int count = session.group().all().size();
            SharedWords words = session.words("counter", MEMBERS_FROM + Members.words(count));
            Members members =
                    new Members(words, MEMBERS_FROM, count, session.group().self());
            try {
                addAll(session, words, members);
                output.print(spec, totals(session, words, members));
                members.reach(Members.ENDED);
                while (session.group().isHome() && !session.areOthers(members, Members.ENDED)) {
                    session.idle();
                }
                return ExitCode.OK.code();
            } catch (LostException lost) {
                output.print(spec, table().row(session.name(members.self()), done, unknown, "", "LOST"));
                throw FabricSession.lost(lost);
            }
        }
    }

    private void addAll(FabricSession session, SharedWords words, Members members) throws InterruptedException {
        members.reach(Members.WORKING);
        done = members.made(members.self());
        long last = -1;
        while (done < adds) {
            OptionalLong found = words.increment(COUNTER);
            if (found.isEmpty()) {
                unknown++;
            } else if (found.getAsLong() <= last) {
                throw new IllegalStateException("the counter went from " + last + " to " + found.getAsLong());
            } else {
                last = found.getAsLong();
                session.note("added " + last);
                members.haveMade(++done);
            }
            session.rest();
        }
        members.reach(Members.FINISHED);
        while (session.group().isHome() && !session.areOthers(members, Members.FINISHED)) {
            session.idle();
        }
    }

    private Table totals(FabricSession session, SharedWords words, Members members) {
        Table table = table();
        for (int member = 0; member < members.count(); member++) {
            boolean isSelf = member == members.self();
            table.row(session.name(member), members.made(member), isSelf ? unknown : "", "", outcome(members, member));
        }
        return table.row("all", made(members), "", words.get(COUNTER), "");
    }

    private static String outcome(Members members, int member) {
        return members.state(member) >= Members.FINISHED ? "done" : "not done";
    }

    private static long made(Members members) {
        long made = 0;
        for (int member = 0; member < members.count(); member++) {
            made += members.made(member);
        }
        return made;
    }

    private static Table table() {
        return new Table("node", "adds", "unknown", "counter", "outcome");
    }
}
