package dev.retier.cli.volume;

import dev.retier.volume.VolumeName;
import dev.retier.volume.connect.VolumeClient;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code retier volume create}. */
@Command(name = "create", description = "Make a volume of zeros, which takes room as it is written.")
final class CreateCommand extends NamedVolumeCommand {
    @Option(
            names = "--size",
            paramLabel = "BYTES",
            required = true,
            converter = SizeConverter.class,
            description = "Its size, a multiple of 4k, such as 20g.")
    private long size;

    @Override
    void ask(VolumeClient client, VolumeName volume) throws IOException {
        client.create(volume, size);
    }
}
