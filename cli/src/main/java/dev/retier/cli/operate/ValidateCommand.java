package dev.retier.cli.operate;

import dev.retier.agent.apply.AtomicFile;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.FormerKeys;
import dev.retier.agent.files.ConfigFile;
import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.config.ConfigException;
import dev.retier.config.ConfigProblem;
import dev.retier.config.IoReason;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
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

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        List<String> problems = new ArrayList<>();
        PrintWriter out = spec.commandLine().getOut();
        for (Path file : files) {
            try {
                if (isFixing) {
                    fix(file, out);
                }
                ClusterConfig cluster = ConfigFile.read(file);
                out.println(file + ": good: cluster " + cluster.name() + ", "
                        + cluster.nodes().size() + " nodes, "
                        + cluster.sites().size() + " sites, mode "
                        + cluster.mode().name().toLowerCase(Locale.ROOT));
                cluster.warnings().forEach(warning -> out.println(file + ": warning: " + warning));
            } catch (ConfigException e) {
                problems.add(String.valueOf(e.getMessage()));
            }
        }
        out.flush();
        if (!problems.isEmpty()) {
            throw new CommandFailure(ExitCode.CONFIG, String.join("\n", problems));
        }
        return ExitCode.OK.code();
    }

    private static void fix(Path file, PrintWriter out) {
        try {
            String given = ConfigFile.text(file);
            String fixed = FormerKeys.without(given, file.toString());
            if (!fixed.equals(given)) {
                if (!Files.isWritable(file)) {
                    throw new IOException("it is read-only");
                }
                AtomicFile.replace(file, fixed);
                out.println(file + ": fixed: keys that change nothing any more are gone");
            }
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
