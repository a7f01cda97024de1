package dev.retier.cli.volume;

import dev.retier.volume.VolumeName;
import dev.retier.volume.connect.VolumeClient;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code retier volume rollback}. */
@Command(
        name = "rollback",
        description = "Give a volume, while nobody has it attached, what a snapshot of it has; what it had is gone.")
final class RollbackCommand extends NamedVolumeCommand {
    @Parameters(index = "1", paramLabel = "SNAPSHOT", converter = NameParameter.class, description = "Which of it.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private VolumeName snapshot;

    @Option(names = "--yes", description = "It cannot be undone, and nobody asks again.")
    private boolean isSure;

    @Override
    void require(VolumeName volume, CommandSpec command) {
        requireSure(isSure, "what " + volume + " has since " + snapshot + " is gone then, which", command);
    }

    @Override
    void ask(VolumeClient client, VolumeName volume) throws IOException {
        client.rollBack(client.show(volume).volume(), snapshot);
    }
}
