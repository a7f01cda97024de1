package dev.retier.cli.volume;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.volume.VolumeName;
import dev.retier.volume.connect.VolumeClient;
import dev.retier.volume.wire.Listing;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code retier volume detach}. */
@Command(
        name = "detach",
        description =
                "Take a volume from the machine that writes to it; nothing that comes from there later is written.")
final class DetachCommand extends NamedVolumeCommand {
    @Option(
            names = "--force",
            description = "Say that you know: what its programs have written and not flushed may be half there.")
    private boolean isByForce;

    @Option(names = "--yes", description = "Say that you are sure.")
    private boolean isSure;

    @Override
    void require(VolumeName volume, CommandSpec command) {
        if (!isByForce) {
            throw new ParameterException(
                    command.commandLine(), "end `retier volume attach` where it runs, or say --force");
        }
    }

    @Override
    void ask(VolumeClient client, VolumeName volume) throws IOException {
        Listing seen = client.show(volume).volume();
        if (seen.writer().isEmpty()) {
            throw new CommandFailure(ExitCode.REFUSED, "nobody has " + volume + " attached to write to it");
        }
        if (!isSure) {
            throw new CommandFailure(
                    ExitCode.REFUSED, seen.writer() + " keeps " + volume + ": say --yes to take it away");
        }
        client.evict(seen);
    }
}
