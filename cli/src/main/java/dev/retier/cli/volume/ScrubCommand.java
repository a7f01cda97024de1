package dev.retier.cli.volume;

import dev.retier.cli.ExitCode;
import dev.retier.cli.options.OutputOption;
import dev.retier.report.Table;
import dev.retier.volume.VolumeName;
import dev.retier.volume.connect.VolumeClient;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.wire.Listing;
import dev.retier.volume.wire.Looked;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code retier volume scrub}. */
@Command(
        name = "scrub",
        description = "Read all that a volume and its snapshots keep from the server's disk, and prove it, at once.",
        footer = {
            "",
            "They may be in use. Exit code 0 if all is as it was written, 1 if something is not: then reads of these"
                    + " blocks fail, and of no others; write them anew, or roll back to a snapshot that is good.",
            "By itself a server reads all it has every `scrub-every`, at `scrub-rate` (pool.yaml)."
        })
final class ScrubCommand implements Callable<Integer> {
    @Parameters(
            arity = "0..1",
            paramLabel = "NAME",
            converter = NameParameter.class,
            description = "What the volume is called (default: all of the server).")
    private @Nullable VolumeName name;

    @Mixin
    private ServerOption server = new ServerOption();

    @Mixin
    private OutputOption output = new OutputOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        Table broken = new Table("volume", "block");
        VolumeName one = name;
        boolean isGood = one == null
                ? server.ask(client -> scrub(client, client.list(), broken))
                : server.ask(
                        ClusterServers.Wanted.existing(one),
                        client -> scrub(client, Listings.ofVolume(client.list(), one), broken));
        output.print(spec, broken);
        return (isGood ? ExitCode.OK : ExitCode.FAILED).code();
    }

    /** Whether all is as it was written. */
    private boolean scrub(VolumeClient client, List<Listing> all, Table broken) throws IOException {
        long blocks = all.stream()
                .mapToLong(listing -> Geometry.blocks(listing.bytes()))
                .sum();
        Percent progress = new Percent(spec, "scrubbed");
        boolean isGood = true;
        long before = 0;
        long bytes = 0;
        for (Listing listing : all) {
            String called = called(listing, all);
            long end = Geometry.blocks(listing.bytes());
            for (long next = 0; next < end; ) {
                Looked part = client.scrub(listing, next, name == null);
                part.blocks().forEach(block -> broken.row(called, String.valueOf(block)));
                isGood &= part.blocks().isEmpty();
                bytes += part.bytes();
                next = part.next();
                progress.at(before + next, blocks);
            }
            before += end;
        }
        spec.commandLine().getErr().println(bytes + " bytes of " + all.size() + " volumes and snapshots were read");
        return isGood;
    }

    private static String called(Listing listing, List<Listing> all) {
        Optional<Listing> parent =
                all.stream().filter(other -> other.number() == listing.parent()).findFirst();
        return parent.map(volume -> volume.name() + ", snapshot " + listing.name())
                .orElse(listing.name().value());
    }
}
