package dev.retier.cli.volume;

import dev.retier.volume.VolumeName;
import dev.retier.volume.connect.VolumeClient;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** {@code retier volume delete}. */
@Command(name = "delete", description = "Take a volume without snapshots away, or one of its snapshots.")
final class DeleteCommand extends NamedVolumeCommand {
    @Option(
            names = "--snapshot",
            paramLabel = "SNAPSHOT",
            converter = NameParameter.class,
            description = "Only this snapshot of the volume.")
    private @Nullable VolumeName snapshot;

    @Option(names = "--yes", description = "It cannot be undone, and nobody asks again.")
    private boolean isSure;

    @Override
    void require(VolumeName volume, CommandSpec command) {
        requireSure(isSure, "deleting " + (snapshot == null ? volume : snapshot + " of " + volume), command);
    }

    @Override
    void ask(VolumeClient client, VolumeName volume) throws IOException {
        if (snapshot == null) {
            client.delete(volume);
        } else {
            client.deleteSnapshot(volume, snapshot);
        }
    }
}
