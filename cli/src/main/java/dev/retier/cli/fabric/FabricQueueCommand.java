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

/** {@code retier fabric queue}. */
@Command(
        name = "queue",
        description = "Make and take together: each member adds items to one shared queue and takes whatever is there.",
        footer = {
            "",
            "Every item that was made is taken, once, whoever is killed between. The home ends last, and its table is",
            "the final one."
        })
final class FabricQueueCommand implements Callable<Integer> {
    @Mixin
    private FabricOptions options = new FabricOptions();

    @Option(
            names = "--items",
            paramLabel = "N",
            defaultValue = "500",
            description = "How many items this member makes, 0 to " + SharedQueue.MAX_ITEMS
                    + "; 0 only takes (default: ${DEFAULT-VALUE}).")
    private int items;

    @Option(names = "--only-make", description = "Take nothing, unless this is the home.")
    private boolean onlyMake;

    @Mixin
    private OutputOption output = new OutputOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    private int made;
    private long taken;

    @Override
    public Integer call() throws InterruptedException {
        if (items < 0 || items > SharedQueue.MAX_ITEMS) {
            throw new ParameterException(spec.commandLine(), "--items " + items + ": 0 to " + SharedQueue.MAX_ITEMS);
        }
        try (FabricSession session = new FabricSession(options)) {
            int count = session.group().all().size();
            int self = session.group().self();
            int queueWords = SharedQueue.words(count);
            SharedWords words = session.words("queue", queueWords + Members.words(count));
            Members members = new Members(words, queueWords, count, self);
            SharedQueue queue = new SharedQueue(words, self);
            try {
                work(session, queue, members);
                output.print(spec, totals(session, queue, members));
                session.end(members);
                return ExitCode.OK.code();
            } catch (LostException lost) {
                output.print(spec, table().row(session.name(self), made, taken, "LOST"));
                throw session.lost(lost);
            }
        }
    }

    private void work(FabricSession session, SharedQueue queue, Members members) throws InterruptedException {
        members.reach(Members.WORKING);
        boolean takes = !onlyMake || session.group().isHome();
        made = queue.nextNumber();
        members.haveMade(made);
        while (made < items) {
            if (queue.add(made)) {
                session.note("made " + session.name(members.self()) + " " + made);
                members.haveMade(++made);
            }
            if (takes) {
                take(session, queue);
            }
            session.rest();
        }
        members.reach(Members.FINISHED);
        boolean more = takes;
        while (more) {
            // Who was still making before the queue was found empty may have added since.
            boolean areFinished = session.areOthers(members, Members.FINISHED);
            if (take(session, queue)) {
                session.rest();
            } else if (queue.isEmpty()) {
                more = !areFinished;
                session.idle();
            }
        }
    }

    private boolean take(FabricSession session, SharedQueue queue) {
        Optional<SharedQueue.Item> item = queue.take();
        item.ifPresent(found -> {
            taken++;
            session.note("took " + session.name(found.member()) + " " + found.number());
        });
        return item.isPresent();
    }

    private static Table totals(FabricSession session, SharedQueue queue, Members members) {
        Table table = table();
        long all = 0;
        long taken = 0;
        for (int member = 0; member < members.count(); member++) {
            long own = queue.taken(member, members.count());
            all += members.made(member);
            taken += own;
            table.row(session.name(member), members.made(member), own, session.outcome(members, member));
        }
        return table.row("all", all, taken, "");
    }

    private static Table table() {
        return new Table("node", "made", "taken", "outcome");
    }
}
