package dev.retier.cli.volume;

import dev.retier.cli.Shell;
import dev.retier.volume.VolumeName;
import dev.retier.volume.connect.VolumeClient;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.wire.Listing;
import dev.retier.volume.wire.Looked;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code retier volume trim}. */
@Command(
        name = "trim",
        description = "Give room back that a volume has and does not need; it may be in use.",
        footer = {
            "",
            "Where it is mounted on this machine its file system says what is free (fstrim). Then what has only zeros"
                    + " is not kept any more, and what no volume has goes back to the file system of the server's"
                    + " pool. A snapshot keeps what it has."
        })
final class TrimCommand extends NamedVolumeCommand {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    void ask(VolumeClient client, VolumeName volume) throws IOException, InterruptedException {
        Optional<Path> folder = Mounts.of(volume).mounted();
        if (folder.isPresent()) {
            var _ = Shell.run(List.of("fstrim", folder.get().toString()), Mounts.LONG);
        }
        Listing listing = client.show(volume).volume();
        Percent progress = new Percent(spec, "trimmed");
        long zeros = 0;
        for (long next = 0; next < Geometry.blocks(listing.bytes()); ) {
            Looked part = client.trim(listing, next);
            zeros += part.bytes();
            next = part.next();
            progress.at(next, Geometry.blocks(listing.bytes()));
        }
        long now = client.show(volume).volume().allocated();
        spec.commandLine()
                .getOut()
                .println(volume + " takes " + now + " bytes, and took " + listing.allocated() + "; " + zeros
                        + " were zeros");
    }
}
