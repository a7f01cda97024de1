package dev.retier.cli.volume;

import dev.retier.cli.ExitCode;
import dev.retier.cli.options.OutputOption;
import dev.retier.volume.VolumeName;
import dev.retier.volume.connect.VolumeClient;
import dev.retier.volume.wire.Listing;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code retier volume show}. */
@Command(name = "show", description = "One volume and its snapshots, and how much room each takes.")
final class ShowCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", converter = NameParameter.class, description = "What the volume is called.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private VolumeName name;

    @Mixin
    private ServerOption server = new ServerOption();

    @Mixin
    private OutputOption output = new OutputOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        List<Listing> all = server.ask(ClusterServers.Wanted.existing(name), VolumeClient::list);
        output.print(spec, Listings.table(Listings.ofVolume(all, name)));
        return ExitCode.OK.code();
    }
}
