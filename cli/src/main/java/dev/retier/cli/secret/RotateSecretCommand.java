package dev.retier.cli.secret;

import dev.retier.agent.apply.AtomicFile;
import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.config.IoReason;
import dev.retier.link.SecretSource;
import dev.retier.link.StateException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code retier secret rotate}. */
@Command(
        name = "rotate",
        description = "Replace the secret of a running cell, in three steps, each on all machines before the next."
                + " Nothing is restarted, and no connection ends.",
        footer = {
            "  retier secret new next                    # once; copy it to all machines",
            "  retier secret rotate --add next           # on all: accepted, not yet offered",
            "  retier secret rotate --swap               # on all: offered, the old one still accepted",
            "  retier secret rotate --drop               # on all: the old one is refused",
            "What runs looks at its file once a second and logs that it has changed. The file is replaced as a whole,",
            "and keeps its owner and mode."
        })
final class RotateSecretCommand implements Callable<Integer> {
    @ArgGroup(multiplicity = "1")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Step step;

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            defaultValue = "/etc/retier/secret",
            description = "The file that this machine's agent reads (default: /etc/retier/secret).")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /** One of the three. */
    @SuppressWarnings("UnusedVariable") // what is neither of the others is the third
    private static final class Step {
        @Option(
                names = "--add",
                paramLabel = "NEXT",
                description = "First: write the secret that is in this file behind the present one.")
        private @Nullable Path next;

        @Option(names = "--swap", description = "Second: let the two change places.")
        private boolean swap;

        @Option(names = "--drop", description = "Third: take the second away.")
        private boolean drop;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        out.println(file + ": " + (step.next != null ? add(step.next) : step.swap ? swap() : drop()));
        out.flush();
        return ExitCode.OK.code();
    }

    private String add(Path next) {
        List<String> present = secrets(file);
        List<String> added = secrets(next);
        if (present.size() != 1) {
            throw refused(file + " has two secrets already: go on with --swap or --drop");
        }
        if (added.size() != 1) {
            throw refused(next + " has two secrets: name a file that retier secret new has made");
        }
        if (present.equals(added)) {
            throw refused(next + " has the secret that is in " + file + " already");
        }
        write(List.of(present.getFirst(), added.getFirst()));
        return "accepts both, and offers the old one; once all machines do, --swap on each";
    }

    private String swap() {
        List<String> both = both("--add comes first");
        write(List.of(both.getLast(), both.getFirst()));
        return "accepts both, and offers what was the second; once all machines do, --drop on each";
    }

    private String drop() {
        write(List.of(both("nothing is to be taken away").getFirst()));
        return "accepts the first alone";
    }

    private List<String> both(String otherwise) {
        List<String> both = secrets(file);
        if (both.size() != 2) {
            throw refused(file + " has one secret alone: " + otherwise);
        }
        return both;
    }

    /** As they stand in a file that agents accept. */
    private static List<String> secrets(Path of) {
        try {
            var _ = SecretSource.fromFile(of);
            return Files.readString(of)
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .toList();
        } catch (StateException unusable) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(unusable.getMessage()), unusable);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, of + " cannot be read (" + IoReason.of(e) + ")", e);
        }
    }

    private void write(List<String> secrets) {
        try {
            AtomicFile.replace(file, String.join("\n", secrets) + "\n");
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    file + " cannot be replaced (" + IoReason.of(e) + "); its folder must be writable",
                    e);
        }
    }

    private static CommandFailure refused(String why) {
        return new CommandFailure(ExitCode.FAILED, why);
    }
}
