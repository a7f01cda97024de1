package dev.retier.cli.volume;

import dev.retier.cli.ExitCode;
import dev.retier.volume.VolumeName;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code retier volume delete}. */
@Command(name = "delete", description = "Take a volume away, and all that it holds.")
final class DeleteCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", converter = NameParameter.class, description = "What it is called.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private VolumeName name;

    @Option(names = "--yes", description = "It cannot be undone, and nobody asks again.")
    private boolean isSure;

    @Mixin
    private ServerOption server = new ServerOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (!isSure) {
            throw new ParameterException(
                    spec.commandLine(), "deleting " + name + " cannot be undone: say --yes if that is what you want");
        }
        server.ask(client -> {
            client.delete(name);
            return name;
        });
        return ExitCode.OK.code();
    }
}
