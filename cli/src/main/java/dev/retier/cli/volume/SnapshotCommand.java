package dev.retier.cli.volume;

import dev.retier.volume.VolumeName;
import dev.retier.volume.connect.VolumeClient;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code retier volume snapshot}. */
@Command(
        name = "snapshot",
        description = "Keep what a volume has in this moment; it may be in use, and takes room for what differs.",
        footer = {
            "",
            "Of a volume in use it is what a crash of its machine leaves: file systems and databases recover on it."
        })
final class SnapshotCommand extends NamedVolumeCommand {
    @Parameters(index = "1", paramLabel = "SNAPSHOT", converter = NameParameter.class, description = "What to call it.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private VolumeName snapshot;

    @Override
    void ask(VolumeClient client, VolumeName volume) throws IOException {
        client.snapshot(volume, snapshot);
    }
}
