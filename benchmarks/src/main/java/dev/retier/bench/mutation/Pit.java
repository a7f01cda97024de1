package dev.retier.bench.mutation;

import dev.retier.bench.ChildProcess;
import dev.retier.bench.Launched;
import dev.retier.bench.Progress;
import dev.retier.bench.TestClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs PIT (its command line, with the mutators DEFAULTS) on one module after the other. */
final class Pit {
    private static final Duration LIMIT = Duration.ofHours(3);
    private static final String PURE = "pure";

    private final Path root;
    private final Scope scope;
    private final int threads;

    Pit(Path root, Scope scope, int threads) {
        this.root = root;
        this.scope = scope;
        this.threads = threads;
    }

    /**
     * Builds {@code modules} with their tests and finds the class path of each.
     *
     * @throws IOException if the build fails
     */
    void build(Collection<String> modules) throws IOException {
        Path log = Launched.workFolder("bench-mutation").resolve("build.log");
        TestClasses.build(root, modules, log, "-Pmutation");
    }

    /**
     * The mutants of {@code classes}, which are in {@code module}, and what became of them. Classes of pure packages
     * are judged by the tests in pure packages, which take milliseconds; drivers by the tests in their own package.
     *
     * @throws IOException if a test fails on the code as it is, or PIT cannot run
     */
    List<Mutant> run(String module, Collection<String> classes) throws IOException {
        Map<String, List<String>> byJudge = classes.stream()
                .collect(Collectors.groupingBy(
                        each -> scope.isPure(Mutant.packageOf(each)) ? PURE : Mutant.packageOf(each),
                        TreeMap::new,
                        Collectors.toList()));
        List<Mutant> found = new ArrayList<>();
        for (Map.Entry<String, List<String>> each : byJudge.entrySet()) {
            String judge = each.getKey();
            found.addAll(run(module, judge, each.getValue(), judge.equals(PURE) ? scope.pure() : List.of(judge)));
        }
        return found;
    }

    /** Judges {@code classes} by the tests in {@code testPackages}. */
    private List<Mutant> run(String module, String judge, Collection<String> classes, List<String> testPackages)
            throws IOException {
        Path folder = root.resolve(module).toAbsolutePath();
        Path output = Launched.emptyWorkFolder("bench-mutation/" + module + "-" + judge);
        Path log = output.resolveSibling(module + "-" + judge + ".log");
        Path compiled = folder.resolve("target/classes");
        List<String> command = TestClasses.java(root, module);
        command.add("org.pitest.mutationtest.commandline.MutationCoverageReport");
        command.addAll(List.of("--reportDir", output.toString(), "--timestampedReports=false"));
        command.addAll(List.of("--outputFormats", "XML", "--mutators", "DEFAULTS", "--threads", "" + threads));
        command.addAll(List.of(
                "--targetClasses",
                classes.stream().flatMap(each -> Stream.of(each, each + "$*")).collect(Collectors.joining(","))));
        command.addAll(List.of(
                "--targetTests",
                testPackages.stream()
                        .map(each -> "~" + each.replace(".", "\\.") + "\\.[A-Z].*")
                        .collect(Collectors.joining(","))));
        command.addAll(List.of(
                "--excludedTestClasses",
                scope.testsLeftOut().stream()
                        .map(pattern -> "dev.retier." + pattern)
                        .collect(Collectors.joining(","))));
        command.addAll(List.of("--mutableCodePaths", compiled.toString()));
        command.addAll(List.of("--sourceDirs", folder.resolve("src/main/java").toString()));
        command.addAll(List.of("--failWhenNoMutations=false", "--jvmArgs", "-ea,--enable-native-access=ALL-UNNAMED"));
        ChildProcess.run(
                command, folder, log, LIMIT, seconds -> Progress.tell(module + ", " + judge + ": " + seconds + " s"));
        Path report = output.resolve("mutations.xml");
        return Files.exists(report) ? Mutant.read(report) : List.of();
    }
}
