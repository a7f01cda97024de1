package dev.retier.cli.volume;

import dev.retier.cli.ExitCode;
import dev.retier.cli.options.OutputOption;
import dev.retier.report.Table;
import dev.retier.volume.VolumeName;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code retier volume show}. */
@Command(
        name = "show",
        description = {
            "One volume and its snapshots: how much room each takes, who has it since when, who reads it, and by what"
                    + " number logs name it."
        })
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
        Table table = server.ask(
                ClusterServers.Wanted.existing(name), client -> Listings.shown(client.show(name), client.list()));
        output.print(spec, table);
        return ExitCode.OK.code();
    }
}
