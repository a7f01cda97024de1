package dev.retier.bench.pressure;

import dev.retier.agent.config.DecisionRules;
import dev.retier.bench.Measures;
import dev.retier.bench.Progress;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.report.Table;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./retier bench pressure}: what a node says of its server while its processor is idle, and who is right. */
@Command(
        name = "pressure",
        description = "Real httpd proxies whose processors are idle: clients that keep all connections, read slowly or"
                + " ask for what is not there. Does the agent call the server pressed where a second one helps, and"
                + " only there? Linux, with apache2.")
@Measures(
        modules = {"reconfig-agent", "shared-state"},
        files = {"conf/httpd"},
        needs = {Measures.Need.APACHE2})
public final class PressureBench implements Callable<Integer> {
    private static final double THRESHOLD = DecisionRules.DEFAULTS.takeThreshold();
    private static final double TOLERANCE = DecisionRules.DEFAULTS.tolerance();

    @Option(names = "--seconds", paramLabel = "S", description = "Of each run that count (default: ${DEFAULT-VALUE}).")
    private int seconds = 8;

    @Mixin
    private ResultOptions options = new ResultOptions();

    /**
     * {@inheritDoc}
     *
     * @throws Exception if a server cannot be started
     */
    @Override
    public Integer call() throws Exception {
        Results results = options.begin(
                "pressure", "Servers that are full while they idle", "./retier bench pressure --seconds " + seconds);
        results.note(String.format(
                Locale.ROOT,
                "Apache httpd as a proxy, as conf/httpd has it but with room for 16 requests, and what its agent"
                        + " publishes of it. Clients keep a connection each; besides, 20 a second come anew,"
                        + " ask for a page that is in the cache, and are served if they have it within a second. Each"
                        + " situation runs with one server and, with the same clients, with two. A second server helps"
                        + " where clients get %.0f %% more answers or bytes by it, or that share of those who come"
                        + " anew is served more; a server is pressed where its utilisation, as published"
                        + " while it counts as up, is above %.2f. A server"
                        + " that has been full for ten seconds counts as down.",
                100 * TOLERANCE,
                THRESHOLD));
        Table table = new Table(
                "situation",
                "mpm",
                "processor_of_one",
                "utilisation_of_one",
                "down",
                "answers_per_s",
                "of_two",
                "MB_per_s",
                "of_two_MB",
                "new_served",
                "of_two_new",
                "a_second_helps",
                "pressed");
        int right = 0;
        for (Situation situation : Situation.all()) {
            right += row(table, situation) ? 1 : 0;
        }
        results.heading("One server, and two").table("pressure", table);
        results.note(
                right + " of " + Situation.all().size() + " right: pressed where a second one helps, and only there ("
                        + (right == Situation.all().size() ? "met" : "missed") + ").");
        options.end(results);
        return 0;
    }

    private boolean row(Table table, Situation situation) throws IOException {
        Progress.tell(situation.name() + ", " + situation.mpm());
        try (FullServers servers = FullServers.start(situation)) {
            FullServers.Run one = servers.run(1, seconds);
            FullServers.Run two = servers.run(2, seconds);
            boolean isHelped = isMore(one.answersPerSecond(), two.answersPerSecond())
                    || isMore(one.megabytesPerSecond(), two.megabytesPerSecond())
                    || two.newServed() - one.newServed() > TOLERANCE;
            boolean isPressed = one.utilisation() > THRESHOLD;
            table.row(
                    situation.name(),
                    situation.mpm(),
                    one.processor(),
                    one.utilisation(),
                    one.down(),
                    one.answersPerSecond(),
                    two.answersPerSecond(),
                    one.megabytesPerSecond(),
                    two.megabytesPerSecond(),
                    one.newServed(),
                    two.newServed(),
                    isHelped ? "yes" : "no",
                    isPressed ? "yes" : "no");
            return isHelped == isPressed;
        }
    }

    private static boolean isMore(double one, double two) {
        return two > (1 + TOLERANCE) * one;
    }
}
