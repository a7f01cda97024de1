package dev.retier.cli.volume;

import dev.retier.volume.VolumeName;
import dev.retier.volume.connect.VolumeClient;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code retier volume delete}. */
@Command(name = "delete", description = "Take a volume away, and all that it holds.")
final class DeleteCommand extends NamedVolumeCommand {
    @Option(names = "--yes", description = "It cannot be undone, and nobody asks again.")
    private boolean isSure;

    @Override
    void require(VolumeName volume, CommandSpec command) {
        if (!isSure) {
            throw new ParameterException(
                    command.commandLine(),
                    "deleting " + volume + " cannot be undone: say --yes if that is what you want");
        }
    }

    @Override
    void ask(VolumeClient client, VolumeName volume) throws IOException {
        client.delete(volume);
    }
}
