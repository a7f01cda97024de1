package dev.retier.bench.herd;

import dev.retier.bench.Measures;
import dev.retier.bench.Progress;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.report.Table;
import dev.retier.sim.herd.Herd;
import dev.retier.sim.herd.Herd.Waits;
import dev.retier.sim.herd.Rule;
import dev.retier.sim.herd.Scene;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench herd}: proxies send to the least loaded app by figures that are old, and do not herd. */
@Command(
        name = "herd",
        description = "Simulate 7 and 64 proxies that choose among the same apps by the loads of the shared state, 0 to"
                + " 300 ms old: what ships, beside choosing by the own requests alone, by the least load that was seen,"
                + " and by the present truth.")
@Measures(modules = {"balance", "simulator"})
public final class HerdBench implements Callable<Integer> {
    private static final int[] SIZES = {7, 64};
    private static final double[] LOADS = {0.6, 0.9, 0.97};
    private static final double SLOW_LOAD = 0.8;
    /** Of docs/scale.md: half of 256 nodes were proxies, and then apps became more. */
    private static final Scene LARGE = new Scene(112, Scene.equal(144), 1, 2016);

    @Option(names = "--seeds", paramLabel = "N", description = "Runs of each cell (default: ${DEFAULT-VALUE}).")
    private int seeds = 20;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Of each run that count, in virtual time (default: ${DEFAULT-VALUE}).")
    private double seconds = 20;

    @Mixin
    private ResultOptions options = new ResultOptions();

    /**
     * {@inheritDoc}
     *
     * @throws IOException if the results cannot be kept
     */
    @Override
    public Integer call() throws IOException {
        Results results = options.begin("herd", "Proxies that share apps", "./retier bench herd");
        results.heading("How long requests wait for an app")
                .note("Simulated: each app is a queue served in order, a request takes 6 or 14 units, apps do"
                        + " 1000 units/s (unequal: one in four 2000, one in four 500). They publish every 100 ms,"
                        + " proxies look every 200 ms, so figures are 0 to 300 ms old. Requests come by chance at"
                        + " the given share of what all apps can do; of 112 proxies and 144 apps 2016 clients ask"
                        + " again as soon as they are answered. One slow: the first app does half of what it tells."
                        + " Each cell is the mean of "
                        + seeds + " seeds.")
                .note("own: the fewest own requests in flight, which is all that proxies went by before. weighted:"
                        + " the fewest for the told capacity, as HAProxy's leastconn has it by weights. two: of two by"
                        + " chance, by told capacity, the one with fewer for it, as its random(2) has it. turns: the"
                        + " fewest, and of equals by turns, as httpd's bybusyness has it; weighted_turns: with load"
                        + " factors by the told capacity. naive: the least loaded by the newest figures. shares: what"
                        + " web-nodes do. ideal: the fewest requests at this very moment. against_own is the mean"
                        + " difference of shares from own over the same seeds, with twice its standard error: a row"
                        + " is worse only if the difference is above that.");
        Table table = new Table(
                "scene",
                "figure",
                "own",
                "weighted",
                "two",
                "turns",
                "weighted_turns",
                "naive",
                "shares",
                "ideal",
                "against_own",
                "verdict");
        for (Map.Entry<String, Scene> scene : scenes().entrySet()) {
            Progress.tell(scene.getKey());
            add(table, scene.getKey(), runs(scene.getValue()));
        }
        results.table("waits", table);
        options.end(results);
        return 0;
    }

    private static Map<String, Scene> scenes() {
        Map<String, Scene> scenes = new LinkedHashMap<>();
        for (int size : SIZES) {
            for (double load : LOADS) {
                scenes.put(name(size, "equal", load), new Scene(size, Scene.equal(size), load, 0));
                scenes.put(name(size, "unequal", load), new Scene(size, Scene.unequal(size), load, 0));
            }
            scenes.put(name(size, "one slow", SLOW_LOAD), new Scene(size, Scene.oneSlow(size), SLOW_LOAD, 0));
        }
        scenes.put("112 proxies, 144 apps, 2016 clients", LARGE);
        return scenes;
    }

    private static String name(int size, String apps, double load) {
        return size + " proxies, " + size + " apps, " + apps + ", " + load;
    }

    private Map<Rule, List<Waits>> runs(Scene scene) {
        Map<Rule, List<Waits>> runs = new EnumMap<>(Rule.class);
        for (Rule rule : Rule.values()) {
            List<Waits> all = new ArrayList<>();
            for (int seed = 1; seed <= seeds; seed++) {
                all.add(Herd.run(scene, rule, seed, seconds));
            }
            runs.put(rule, all);
        }
        return runs;
    }

    private static void add(Table table, String scene, Map<Rule, List<Waits>> runs) {
        row(table, scene, new Figure("answered_share", Waits::throughput, -1), runs);
        row(table, scene, new Figure("wait_mean_ms", Waits::meanMillis, 1), runs);
        row(table, scene, new Figure("wait_p50_ms", Waits::p50Millis, 1), runs);
        row(table, scene, new Figure("wait_p99_ms", Waits::p99Millis, 1), runs);
    }

    /** A figure of a run; {@code sign} is 1 if less is better. */
    private record Figure(String name, ToDoubleFunction<Waits> value, int sign) {
        double mean(List<Waits> runs) {
            return runs.stream().mapToDouble(value).average().orElse(0);
        }
    }

    private static void row(Table table, String scene, Figure figure, Map<Rule, List<Waits>> runs) {
        List<Waits> own = runs.getOrDefault(Rule.OWN, List.of());
        List<Waits> shares = runs.getOrDefault(Rule.SHARES, List.of());
        double[] differences = new double[own.size()];
        for (int run = 0; run < differences.length; run++) {
            differences[run] = figure.value.applyAsDouble(shares.get(run)) - figure.value.applyAsDouble(own.get(run));
        }
        double mean = 0;
        for (double difference : differences) {
            mean += difference / differences.length;
        }
        double squares = 0;
        for (double difference : differences) {
            squares += (difference - mean) * (difference - mean);
        }
        double spread = 2 * Math.sqrt(squares / Math.max(1, differences.length - 1) / differences.length);
        List<Object> cells = new ArrayList<>(List.of(scene, figure.name));
        runs.values().forEach(all -> cells.add(figure.mean(all)));
        cells.add("%+.3f +- %.3f".formatted(mean, spread));
        cells.add(verdict(figure.sign * mean, spread));
        table.row(cells.toArray());
    }

    private static String verdict(double worse, double spread) {
        if (worse > spread) {
            return "worse";
        }
        return worse < -spread ? "better" : "equal";
    }
}
