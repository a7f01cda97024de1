package dev.retier.cli.volume;

import dev.retier.agent.config.VolumesConfig;
import dev.retier.cli.options.SizeConverter;
import dev.retier.volume.VolumeName;
import dev.retier.volume.connect.VolumeClient;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code retier volume create}. */
@Command(name = "create", description = "Make a volume of zeros, which takes room as it is written.")
final class CreateCommand extends NamedVolumeCommand {
    @Option(
            names = "--size",
            paramLabel = "BYTES",
            converter = SizeConverter.class,
            description = "Its size, a multiple of 4k, such as 20g (default: that under volumes in the cluster file).")
    private @Nullable Long size;

    @Mixin
    private PlaceOption place = new PlaceOption();

    @Option(
            names = "--mirror",
            paramLabel = "NODE",
            description = "Refused: a volume has one copy. Mirrors on a second node are not there yet.")
    private @Nullable String mirror;

    @Override
    void require(VolumeName volume, CommandSpec command) {
        if (mirror != null) {
            throw new ParameterException(
                    command.commandLine(),
                    "--mirror " + mirror + ": a volume has one copy, mirrors are not there yet; leave --mirror out, and"
                            + " export a snapshot to keep a second copy");
        }
        if (size != null && size == 0) {
            throw new ParameterException(
                    command.commandLine(), "--size 0: nothing can be kept in that; give " + volume + " at least 4k");
        }
        place.require(server());
        if (size == null && planned(volume).isEmpty()) {
            throw new ParameterException(
                    command.commandLine(),
                    "say how large " + volume + " is to be: --size, or volumes in the cluster file");
        }
    }

    private Optional<VolumesConfig.Planned> planned(VolumeName volume) {
        return server().cluster().flatMap(cluster -> cluster.volumes().planned(volume));
    }

    @Override
    ClusterServers.Wanted wanted(VolumeName volume) {
        return place.wanted(volume);
    }

    @Override
    void ask(VolumeClient client, VolumeName volume) throws IOException {
        client.create(volume, size == null ? planned(volume).orElseThrow().bytes() : size);
    }
}
