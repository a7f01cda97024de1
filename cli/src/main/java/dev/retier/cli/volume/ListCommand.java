package dev.retier.cli.volume;

import dev.retier.cli.ExitCode;
import dev.retier.cli.options.OutputOption;
import dev.retier.report.Table;
import dev.retier.volume.connect.VolumeClient;
import dev.retier.volume.wire.Listing;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code retier volume list}. */
@Command(name = "list", description = "What volumes a server has, and who has them attached.")
final class ListCommand implements Callable<Integer> {
    @Mixin
    private ServerOption server = new ServerOption();

    @Mixin
    private OutputOption output = new OutputOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        Table table = new Table("name", "bytes", "attached_by", "epoch");
        for (Listing volume : server.ask(VolumeClient::list)) {
            table.row(
                    volume.name().value(),
                    volume.bytes(),
                    volume.client() == 0 ? "" : "client " + volume.client(),
                    Integer.toUnsignedString(volume.epoch()));
        }
        output.print(spec, table);
        return ExitCode.OK.code();
    }
}
