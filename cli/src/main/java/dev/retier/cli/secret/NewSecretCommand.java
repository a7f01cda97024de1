package dev.retier.cli.secret;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.config.IoReason;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code retier secret new}. */
@Command(
        name = "new",
        description = "Make a secret that nobody can guess; no file is ever overwritten, and no secret shown unasked.",
        footer = {
            "All machines of a cell need the same file: copy it, do not make another.",
            "In a folder of the group " + SecretFile.GROUP + ", as the package makes /etc/retier, that group may read"
                    + " it; elsewhere its owner alone."
        })
final class NewSecretCommand implements Callable<Integer> {
    private static final Path STANDARD_OUTPUT = Path.of("-");

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            defaultValue = "/etc/retier/secret",
            description = "The file to make (default: /etc/retier/secret), or - for standard output.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (file.equals(STANDARD_OUTPUT)) {
            out.println(SecretFile.secret());
        } else {
            out.println(file + ": made, " + write() + "; copy it to all machines of the cell");
        }
        out.flush();
        return ExitCode.OK.code();
    }

    private String write() {
        try {
            return SecretFile.write(file, SecretFile.secret() + "\n");
        } catch (FileAlreadyExistsException e) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    file + " is there already and stays as it is: agents with another secret are turned away."
                            + " Name another file, or remove this one first",
                    e);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.FAILED, file + " cannot be made (" + IoReason.of(e) + "); its folder must be writable", e);
        }
    }
}
