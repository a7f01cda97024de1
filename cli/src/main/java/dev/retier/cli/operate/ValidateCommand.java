package dev.retier.cli.operate;

import dev.retier.agent.apply.AtomicFile;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ConfigWarning;
import dev.retier.agent.config.FormerKeys;
import dev.retier.agent.files.ClusterLines;
import dev.retier.agent.files.ConfigFile;
import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.options.OutputOption;
import dev.retier.config.ConfigException;
import dev.retier.config.ConfigProblem;
import dev.retier.config.IoReason;
import dev.retier.report.OutputFormat;
import dev.retier.report.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code retier validate}. */
@Command(
        name = "validate",
        description = "Check cluster files: every problem at once, with its line; nothing is changed but by --fix.")
public final class ValidateCommand implements Callable<Integer> {
    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Cluster files (YAML).")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private List<Path> files;

    @Option(
            names = "--fix",
            description = "Take keys out of the files that change nothing any more; all else stays as it is.")
    private boolean isFixing;

    @Mixin
    private OutputOption output = new OutputOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        Table table = new Table("file", "line", "severity", "key", "message");
        List<String> problems = new ArrayList<>();
        for (Path file : files) {
            try {
                if (isFixing && fix(file)) {
                    table.row(file.toString(), "", "fixed", "", "keys that change nothing any more are gone");
                }
                good(file, ConfigFile.read(file), table);
            } catch (ConfigException e) {
                e.problems()
                        .forEach(problem -> table.row(
                                problem.file(),
                                problem.line() > 0 ? problem.line() : "",
                                "error",
                                problem.key(),
                                problem.message()));
                problems.add(String.valueOf(e.getMessage()));
            }
        }
        print(table);
        if (!problems.isEmpty()) {
            throw new CommandFailure(ExitCode.CONFIG, String.join("\n", problems));
        }
        return ExitCode.OK.code();
    }

    private static void good(Path file, ClusterConfig cluster, Table table) {
        table.row(
                file.toString(),
                "",
                "good",
                "",
                "cluster " + cluster.name() + ", "
                        + cluster.nodes().size() + " nodes, "
                        + cluster.sites().size() + " sites, mode "
                        + cluster.mode().name().toLowerCase(Locale.ROOT));
        ClusterLines lines = ClusterLines.of(file);
        for (ConfigWarning warning : cluster.warnings()) {
            OptionalInt line = lines.line(warning.key());
            table.row(
                    file.toString(), line.isPresent() ? line.getAsInt() : "", "warning", warning.key(), warning.text());
        }
    }

    /** For people one line each, as compilers write them; what is wrong is told on standard error. */
    private void print(Table table) {
        if (output.format() != OutputFormat.TABLE) {
            output.print(spec, table);
            return;
        }
        PrintWriter out = spec.commandLine().getOut();
        table.cells().stream()
                .skip(1)
                .filter(row -> !"error".equals(row.get(2)))
                .forEach(row -> out.println(row.getFirst() + (row.get(1).isEmpty() ? "" : ":" + row.get(1)) + ": "
                        + row.get(2) + ": " + row.getLast()));
        out.flush();
    }

    /** Whether there was anything to take out. */
    private static boolean fix(Path file) {
        try {
            String given = ConfigFile.text(file);
            String fixed = FormerKeys.without(given, file.toString());
            if (fixed.equals(given)) {
                return false;
            }
            if (!Files.isWritable(file)) {
                throw new IOException("it is read-only");
            }
            AtomicFile.replace(file, fixed);
            return true;
        } catch (IOException e) {
            throw new ConfigException(List.of(new ConfigProblem(
                    file.toString(),
                    1,
                    "--fix",
                    "cannot be fixed (" + IoReason.of(e)
                            + "); nothing was changed; file and folder must be writable")));
        }
    }
}
