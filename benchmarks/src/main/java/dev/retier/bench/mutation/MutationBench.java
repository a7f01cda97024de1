package dev.retier.bench.mutation;

import dev.retier.bench.Launched;
import dev.retier.bench.Measures;
import dev.retier.bench.Measures.Need;
import dev.retier.bench.Progress;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.report.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./retier bench mutation}: how many planted bugs the unit tests find. */
@Command(
        name = "mutation",
        description =
                "How many planted bugs (PIT, mutators DEFAULTS) the unit tests of the packages that the parent POM"
                        + " lists find. Takes an hour or so; exits with 1 if a package is below its target.")
@Measures(
        modules = {"soft-iwarp", "link", "fabric", "shared-state"},
        tests = true,
        needs = Need.MVN)
public final class MutationBench implements Callable<Integer> {
    private static final double PERCENT = 100;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(names = "--module", paramLabel = "MODULE", description = "Only this module; may be repeated.")
    private List<String> only = List.of();

    @Option(names = "--changed", description = "Only classes whose source is not the one that the record is of.")
    private boolean isChanged;

    @Option(names = "--threads", defaultValue = "2", description = "Mutants tried at a time (${DEFAULT-VALUE}).")
    private int threads;

    @Mixin
    private ResultOptions options = new ResultOptions();

    /** How many there were and how many died. */
    private record Tally(int mutants, int killed) {
        private static Tally of(List<Mutant> mutants) {
            return new Tally(mutants.size(), (int)
                    mutants.stream().filter(Mutant::isKilled).count());
        }

        private double share() {
            return mutants == 0 ? 1 : (double) killed / mutants;
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws IOException if the build or PIT fails
     */
    @Override
    public Integer call() throws IOException {
        Path root = Launched.root().toAbsolutePath();
        Scope scope = Scope.of(root.resolve("pom.xml"));
        for (String module : only) {
            if (!scope.modules().contains(module)) {
                throw new ParameterException(
                        spec.commandLine(), "--module " + module + ": the POM lists " + scope.modules());
            }
        }
        if (isChanged && options.isRecorded()) {
            throw new ParameterException(
                    spec.commandLine(), "--record keeps a run of all classes of a module: leave --changed out");
        }
        Map<String, Map<String, String>> classes = new LinkedHashMap<>();
        for (String module : only.isEmpty() ? scope.modules() : only) {
            classes.put(module, Sources.digests(root, module, scope));
        }
        if (isChanged) {
            for (Map.Entry<String, Map<String, String>> module : classes.entrySet()) {
                Path record = root.resolve("docs/results/mutation-%s.md".formatted(module.getKey()));
                keepChanged(record, module.getValue());
            }
            classes.values().removeIf(Map::isEmpty);
            if (classes.isEmpty()) {
                Progress.tell("No class has changed since the record.");
                return 0;
            }
        }
        Pit pit = new Pit(root, scope, threads);
        pit.build(classes.keySet());
        boolean isMet = true;
        for (Map.Entry<String, Map<String, String>> module : classes.entrySet()) {
            isMet &= run(pit, scope, module.getKey(), module.getValue());
        }
        return isMet ? 0 : 1;
    }

    private static void keepChanged(Path record, Map<String, String> classes) throws IOException {
        if (!Files.exists(record)) {
            throw new IOException("there is no " + record + " yet: run with --record once");
        }
        Map<String, String> before = Sources.recorded(record);
        classes.entrySet().removeIf(now -> now.getValue().equals(before.get(now.getKey())));
        classes.keySet().forEach(name -> Progress.tell("changed: " + name));
    }

    /** Each module has a record of its own, kept as soon as it is there. */
    private boolean run(Pit pit, Scope scope, String module, Map<String, String> classes) throws IOException {
        Results results = options.begin(
                "mutation-" + module,
                "Planted bugs that unit tests of " + module + " find",
                "./retier bench mutation --module " + module);
        Progress.tell(module + ": " + classes.size() + " classes");
        List<Mutant> all = pit.run(module, classes.keySet());
        results.note(
                "PIT, mutators DEFAULTS. Classes of pure packages are judged by the unit tests in pure packages alone,"
                        + " drivers by those in their own package, both without " + scope.testsLeftOut()
                        + ". A mutant is killed when a test fails or does not end. Targets: pure packages "
                        + percent(Scope.PURE_SHARE) + ", drivers " + percent(Scope.DRIVER_SHARE) + ".");
        long untried = all.stream().filter(Mutant::isUntried).count();
        if (untried > 0) {
            results.note(untried + " mutants could not be tried and count as survivors."
                    + " Was the module built at the same time?");
        }
        boolean isMet = packages(results, scope, all);
        Table perClass = new Table("class", "source", "mutants", "killed", "killed_percent");
        Map<String, List<Mutant>> byClass = all.stream().collect(Collectors.groupingBy(Mutant::className));
        classes.forEach((name, digest) -> {
            Tally tally = Tally.of(byClass.getOrDefault(name, List.of()));
            perClass.row(name, digest, tally.mutants(), tally.killed(), PERCENT * tally.share());
        });
        results.heading("Classes").table("classes", perClass);
        Table survivors = new Table("class", "method", "line", "mutator", "what", "status");
        all.stream()
                .filter(mutant -> !mutant.isKilled())
                .sorted(Comparator.comparing(Mutant::className).thenComparingInt(Mutant::line))
                .forEach(each -> survivors.row(
                        each.className(),
                        each.method(),
                        each.line(),
                        each.mutator(),
                        each.description(),
                        each.status()));
        results.heading("Survivors").table("survivors", survivors);
        options.end(results);
        return isMet;
    }

    private static boolean packages(Results results, Scope scope, List<Mutant> all) {
        Table table = new Table("package", "kind", "mutants", "killed", "killed_percent", "target_percent", "verdict");
        boolean isMet = true;
        Map<String, List<Mutant>> byPackage =
                all.stream().collect(Collectors.groupingBy(Mutant::packageName, TreeMap::new, Collectors.toList()));
        for (Map.Entry<String, List<Mutant>> each : byPackage.entrySet()) {
            Tally tally = Tally.of(each.getValue());
            double target = scope.target(each.getKey()).orElseThrow();
            boolean isGood = tally.share() >= target;
            isMet &= isGood;
            table.row(
                    each.getKey(),
                    scope.isPure(each.getKey()) ? "pure" : "driver",
                    tally.mutants(),
                    tally.killed(),
                    PERCENT * tally.share(),
                    PERCENT * target,
                    isGood ? "met" : "missed");
        }
        results.heading("Packages").table("packages", table);
        return isMet;
    }

    private static String percent(double share) {
        return "%.1f %%".formatted(PERCENT * share);
    }
}
