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
import java.util.Objects;
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
            "  retier secret rotate --swap next          # on all: offered, the old one still accepted",
            "  retier secret rotate --drop next          # on all: the old one is refused; then remove next",
            "Each step names the new secret, so that it may be given again and none be left out. What runs looks at",
            "its file once a second and logs that it has changed. The file is replaced as a whole, and keeps its owner",
            "and mode."
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
        private @Nullable Path added;

        @Option(names = "--swap", paramLabel = "NEXT", description = "Second: put that secret before the other.")
        private @Nullable Path offered;

        @Option(names = "--drop", paramLabel = "NEXT", description = "Third: take the other away.")
        private @Nullable Path left;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        out.println(file + ": " + carryOut());
        out.flush();
        return ExitCode.OK.code();
    }

    private String carryOut() {
        if (step.added != null) {
            return add(secret(step.added));
        }
        if (step.offered != null) {
            return offer(secret(step.offered), step.offered);
        }
        Path left = Objects.requireNonNull(step.left, "picocli asks for one of the three");
        return leave(secret(left), left);
    }

    private String add(String next) {
        List<String> present = secrets(file);
        if (present.equals(List.of(next))) {
            throw refused(file + " has that secret and no other: " + step.added
                    + " is to have another, by retier secret new");
        }
        if (present.size() > 1 && !present.contains(next)) {
            throw refused(file + " has two secrets, and neither is that of " + step.added
                    + ": end what was begun with another by --drop");
        }
        if (present.size() > 1 && present.getFirst().equals(next)) {
            throw refused(file + " offers that secret already: go on with --drop");
        }
        put(List.of(present.getFirst(), next));
        return "accepts both, and offers the old one; once all machines do, --swap " + step.added + " on each";
    }

    private String offer(String next, Path of) {
        List<String> present = secrets(file);
        if (!present.contains(next)) {
            throw refused(file + " does not have the secret of " + of + ": --add " + of + " comes first");
        }
        if (present.size() == 1) {
            throw refused(file + " has that secret and no other: all is done");
        }
        put(List.of(next, present.getFirst().equals(next) ? present.getLast() : present.getFirst()));
        return "accepts both, and offers the new one; once all machines do, --drop " + of + " on each";
    }

    private String leave(String next, Path of) {
        List<String> present = secrets(file);
        if (!present.contains(next)) {
            throw refused(file + " does not have the secret of " + of + ", which is to be left: --add " + of
                    + " comes first");
        }
        if (!present.getFirst().equals(next)) {
            throw refused(file + " does not offer the secret of " + of + " yet: --swap " + of
                    + " comes first, on all machines");
        }
        put(List.of(next));
        return "accepts the new one alone";
    }

    private static String secret(Path of) {
        List<String> all = secrets(of);
        if (all.size() != 1) {
            throw refused(of + " has two secrets: name a file that retier secret new has made");
        }
        return all.getFirst();
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

    /** A step that was done before leaves the file as it is. */
    private void put(List<String> secrets) {
        if (secrets.equals(secrets(file))) {
            return;
        }
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
