package dev.retier.bench.binding;

import dev.retier.bench.ChildProcess;
import dev.retier.bench.Launched;
import dev.retier.bench.Measures;
import dev.retier.bench.Progress;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.bench.TestClasses;
import dev.retier.report.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code bench binding}: post and poll of native-verbs over a device that does nothing, by JMH. */
@Command(
        name = "binding",
        description = "What native-verbs adds to post and poll, beside bare calls of the same C functions, by JMH."
                + " Needs Maven and the sources.")
@Measures(modules = {"verbs", "native-verbs"})
public final class BindingBench implements Callable<Integer> {
    private static final String MODULE = "native-verbs";
    private static final String BENCHMARK = "dev.retier.rnic.BindingBenchmark";
    private static final Duration LIMIT = Duration.ofMinutes(30);
    private static final double MOST_NANOS = 250;
    /** JMH's account is of the whole JVM, so that it is never quite nothing. */
    private static final double NO_BYTES = 0.05;

    @Option(names = "--forks", paramLabel = "N", description = "JVMs, one after the other (default: ${DEFAULT-VALUE}).")
    private int forks = 3;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "Time of each of five iterations, after as many to warm up (default: ${DEFAULT-VALUE}).")
    private int seconds = 1;

    @Mixin
    private ResultOptions options = new ResultOptions();

    /**
     * {@inheritDoc}
     *
     * @throws IOException if the tests cannot be built, or JMH fails
     */
    @Override
    public Integer call() throws IOException {
        Results results = options.begin(
                "binding",
                "What native-verbs adds to post and poll",
                "./retier bench binding --forks " + forks + " --seconds " + seconds);
        Path root = Path.of(System.getProperty("retier.root", "."));
        Path folder = Launched.emptyWorkFolder("bench-binding");
        TestClasses.build(root, List.of(MODULE), folder.resolve("build.log"));
        Path json = folder.resolve("jmh.json");
        List<String> command = TestClasses.java(
                root, MODULE, "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");
        command.addAll(List.of("org.openjdk.jmh.Main", BENCHMARK, "-f", "" + forks, "-i", "5", "-wi", "5"));
        command.addAll(List.of("-r", seconds + "s", "-w", seconds + "s", "-prof", "gc", "-foe", "true"));
        command.addAll(List.of("-rf", "json", "-rff", json.toString()));
        ChildProcess.run(
                command, root, folder.resolve("jmh.log"), LIMIT, elapsed -> Progress.tell("JMH, " + elapsed + " s"));
        tell(results, JsonMapper.shared().readTree(json.toFile()));
        options.end(results);
        return 0;
    }

    private static void tell(Results results, JsonNode runs) {
        Table table = new Table("what", "ns", "error_ns", "bytes_allocated");
        double most = 0;
        double allocated = 0;
        for (JsonNode run : runs.values()) {
            String name = run.path("benchmark").asString("");
            String what = name.substring(name.lastIndexOf('.') + 1);
            JsonNode score = run.path("primaryMetric");
            double nanos = score.path("score").asDouble();
            double bytes = run.path("secondaryMetrics")
                    .path("gc.alloc.rate.norm")
                    .path("score")
                    .asDouble(Double.NaN);
            table.row(what, nanos, score.path("scoreError").asDouble(Double.NaN), bytes);
            if (!what.startsWith("bare")) {
                most = Math.max(most, nanos);
                allocated = Math.max(allocated, bytes);
            }
        }
        results.note("The fake library of native-verbs' tests, but for its table of operations: posting is a function"
                        + " of the C library that compares two numbers, polling one that finds one completion. What is"
                        + " left is the binding. bare: the same functions by a method handle. One thread; the error is"
                        + " JMH's, of 99.9 % certainty.")
                .table("operations", table)
                .note(String.format(
                        Locale.ROOT,
                        "An operation may take %.0f ns (%s) and allocate nothing (%s).",
                        MOST_NANOS,
                        Results.verdict(most > 0 && most <= MOST_NANOS),
                        Results.verdict(allocated < NO_BYTES)));
    }
}
