package dev.retier.bench.all;

import dev.retier.bench.Git;
import dev.retier.bench.Launched;
import dev.retier.bench.Measures;
import dev.retier.bench.Progress;
import dev.retier.report.OutputFormat;
import dev.retier.report.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./retier bench all}: which records are stale, and all of them made anew. */
@Command(
        name = "all",
        description = "List what is recorded in docs/results, and what of it a change since then has made stale; with"
                + " --record make it anew, one after the other, by the command that each record names.")
public final class AllBench implements Callable<Integer> {
    private static final Path RESULTS = Path.of("docs/results");
    private static final String AGENT = "reconfig-agent";
    private static final String TEXT = ".md";

    @Option(names = "--record", description = "Run them and keep the results (default: list them).")
    private boolean isRecording;

    @Option(names = "--only-stale", description = "Leave out records of which nothing has changed since.")
    private boolean isOnlyStale;

    @Option(names = "--dry-run", description = "List what --record would run, and run nothing.")
    private boolean isDryRun;

    @Option(names = "--only", split = ",", paramLabel = "NAME", description = "Only these records, such as lab-long.")
    private List<String> only = List.of();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<Due> dues = dues();
        Table table = new Table("record", "command", "commit", "state", "missing");
        dues.forEach(due -> table.row(
                due.record().name(),
                "./retier bench " + String.join(" ", due.record().arguments()),
                Objects.requireNonNullElse(due.record().commit(), ""),
                due.state(),
                String.join(", ", due.missing())));
        spec.commandLine().getOut().print(table.format(OutputFormat.TABLE));
        spec.commandLine().getOut().flush();
        boolean isGood = !isRecording || isDryRun || Renewal.run(dues, AllBench::isRecorded, Progress::tell);
        return isGood ? 0 : 1;
    }

    private List<Due> dues() throws IOException {
        Map<String, Measures> measures = measures();
        List<KnownRecord> records = records(measures.keySet());
        List<String> names = records.stream().map(KnownRecord::name).toList();
        only.stream().filter(name -> !names.contains(name)).findFirst().ifPresent(name -> {
            throw new ParameterException(spec.commandLine(), "--only " + name + ": there are " + names);
        });
        Map<String, Optional<List<String>>> changed = new HashMap<>();
        List<Due> dues = new ArrayList<>();
        for (KnownRecord record : records) {
            if (!only.isEmpty() && !only.contains(record.name())) {
                continue;
            }
            Measures of = Objects.requireNonNull(measures.get(record.measurement()), "looked up before");
            String commit = record.commit();
            Optional<List<String>> differing =
                    commit == null ? Optional.empty() : changed.computeIfAbsent(commit, AllBench::changedSince);
            String stale = Staleness.reason(record, dependencies(record, of), differing.orElse(null));
            if (stale != null || !isOnlyStale) {
                dues.add(new Due(record, stale, Machine.missing(List.of(of.needs()))));
            }
        }
        return dues;
    }

    /** By sub-command, what each measurement says of itself. */
    private Map<String, Measures> measures() {
        Map<String, Measures> measures = new TreeMap<>();
        CommandLine bench =
                Objects.requireNonNull(spec.parent(), "a sub-command").commandLine();
        bench.getSubcommands().forEach((name, command) -> {
            Measures of = command.getCommand().getClass().getAnnotation(Measures.class);
            if (of != null) {
                measures.put(name, of);
            }
        });
        return measures;
    }

    /** Those that a measurement made, and one for each measurement that has none. */
    private static List<KnownRecord> records(Set<String> measurements) throws IOException {
        List<KnownRecord> records = new ArrayList<>();
        Set<String> without = new LinkedHashSet<>(measurements);
        try (Stream<Path> files = Files.list(Launched.root().resolve(RESULTS))) {
            for (Path file : files.filter(path -> path.toString().endsWith(TEXT))
                    .sorted()
                    .toList()) {
                String name = file.getFileName().toString();
                KnownRecord.parse(name.substring(0, name.length() - TEXT.length()), Files.readString(file))
                        .filter(record -> measurements.contains(record.measurement()))
                        .ifPresent(record -> {
                            records.add(record);
                            without.remove(record.measurement());
                        });
            }
        }
        without.forEach(measurement -> records.add(KnownRecord.missing(measurement)));
        return records;
    }

    private List<String> dependencies(KnownRecord record, Measures of) {
        CommandSpec bench = Objects.requireNonNull(spec.parent(), "a sub-command");
        CommandLine measurement =
                Objects.requireNonNull(bench.subcommands().get(record.measurement()), "one of those looked up");
        String own = measurement.getCommand().getClass().getPackageName();
        List<String> places = new ArrayList<>(List.of(of.files()));
        places.add("benchmarks/src/main/java/" + own.replace('.', '/'));
        for (String module : record.modulesAmong(List.of(of.modules()))) {
            String sources = module + "/src/main";
            if (of.simulated() && module.equals(AGENT)) {
                Measures.SIMULATED.forEach(name -> places.add(sources + "/java/dev/retier/agent/" + name));
            } else {
                places.add(sources);
            }
            if (of.tests()) {
                places.add(module + "/src/test");
            }
        }
        return places;
    }

    /** Files that differ from that commit, committed or not; empty if git does not know it. */
    private static Optional<List<String>> changedSince(String commit) {
        try {
            return Optional.of(Git.lines(Launched.root(), "diff", "--name-only", commit + "^{commit}", "--"));
        } catch (IOException _) {
            return Optional.empty(); // a commit of a history that was not fetched, or no git: the record is stale
        }
    }

    /**
     * Into a folder of its own first, as a record may have another name than its measurement gives it. What was
     * recorded is kept even if the measurement says that it has missed its target.
     */
    private static boolean isRecorded(KnownRecord record) throws IOException, InterruptedException {
        Path made = Launched.emptyWorkFolder("bench-all");
        List<String> command = new ArrayList<>(List.of(Launched.launcher().toString(), "bench"));
        command.addAll(record.commandInto(made.toString()));
        Process process = new ProcessBuilder(command)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        int exit = process.waitFor();
        List<String> names;
        try (Stream<Path> all = Files.list(made)) {
            names = all.map(file -> file.getFileName().toString()).sorted().toList();
        }
        for (String name : names) {
            Files.copy(
                    made.resolve(name),
                    Launched.root().resolve(RESULTS).resolve(record.fileFor(name, names)),
                    StandardCopyOption.REPLACE_EXISTING);
        }
        return exit == 0 && !names.isEmpty();
    }
}
