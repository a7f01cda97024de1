package dev.retier.cli.volume;

import dev.retier.cli.options.SizeConverter;
import dev.retier.volume.VolumeName;
import dev.retier.volume.connect.VolumeClient;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code retier volume resize}. */
@Command(
        name = "resize",
        description = "Give a volume another size; who has it attached sees that when it attaches anew.")
final class ResizeCommand extends NamedVolumeCommand {
    @Option(
            names = "--size",
            paramLabel = "BYTES",
            required = true,
            converter = SizeConverter.class,
            description =
                    "Its size from now on. A smaller one only while nobody has it attached: what is behind is gone.")
    private long size;

    @Override
    void ask(VolumeClient client, VolumeName volume) throws IOException {
        client.resize(volume, size);
    }
}
