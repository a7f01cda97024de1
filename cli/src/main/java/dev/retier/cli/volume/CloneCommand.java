package dev.retier.cli.volume;

import dev.retier.volume.VolumeName;
import dev.retier.volume.connect.VolumeClient;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code retier volume clone}. */
@Command(name = "clone", description = "Make a volume that has what a snapshot has; it takes room for what differs.")
final class CloneCommand extends NamedVolumeCommand {
    @Parameters(index = "1", paramLabel = "SNAPSHOT", converter = NameParameter.class, description = "Which of it.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private VolumeName snapshot;

    @Parameters(index = "2", paramLabel = "NEW", converter = NameParameter.class, description = "What to call it.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private VolumeName made;

    @Override
    void ask(VolumeClient client, VolumeName volume) throws IOException {
        client.copy(volume, snapshot, made);
    }
}
