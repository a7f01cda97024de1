package dev.retier.cli.volume;

import dev.retier.cli.ExitCode;
import dev.retier.volume.VolumeName;
import dev.retier.volume.connect.VolumeClient;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What is asked of a server about one volume, and soon done. */
abstract class NamedVolumeCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "NAME", converter = NameParameter.class, description = "What it is called.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private VolumeName name;

    @Mixin
    private ServerOption server = new ServerOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /** Refuses what must not be asked for so; nothing by default. */
    void require(VolumeName volume, CommandSpec command) {}

    /** Of which server that is asked. */
    ClusterServers.Wanted wanted(VolumeName volume) {
        return ClusterServers.Wanted.existing(volume);
    }

    /** The server that is asked. */
    final ServerOption server() {
        return server;
    }

    /** Ends the command if nobody has said that it is meant. */
    static void requireSure(boolean isSure, String what, CommandSpec command) {
        if (!isSure) {
            throw new ParameterException(
                    command.commandLine(), what + " cannot be undone: say --yes if that is what you want");
        }
    }

    abstract void ask(VolumeClient client, VolumeName volume) throws IOException, InterruptedException;

    @Override
    public final Integer call() throws InterruptedException {
        require(name, spec);
        server.ask(wanted(name), client -> {
            ask(client, name);
            return name;
        });
        return ExitCode.OK.code();
    }
}
