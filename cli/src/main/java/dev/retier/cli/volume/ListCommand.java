package dev.retier.cli.volume;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.Logging;
import dev.retier.cli.options.OutputOption;
import dev.retier.report.Table;
import dev.retier.volume.connect.TableReader.Outcome;
import dev.retier.volume.connect.VolumeClient;
import dev.retier.volume.table.VolumeRow;
import dev.retier.volume.table.VolumeTable;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code retier volume list}. */
@Command(name = "list", description = "What volumes and snapshots a server has, and who has them attached.")
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
        Optional<ClusterServers> servers = server.servers();
        if (servers.isPresent()) {
            Logging.errorsOnly();
            return ofCluster(servers.get().tables());
        }
        output.print(spec, Listings.table(server.ask(VolumeClient::list)));
        return ExitCode.OK.code();
    }

    /** By what the servers' tables tell. */
    private int ofCluster(Map<String, Outcome> tables) {
        Table table = new Table("name", "bytes", "attached_by", "epoch", "server", "used_bytes");
        StringBuilder unread = new StringBuilder();
        tables.forEach((node, outcome) -> {
            switch (outcome) {
                case Outcome.Read(VolumeTable told) -> told.rows().forEach(volume -> row(table, node, volume));
                case Outcome.Unread(String why) ->
                    unread.append(unread.isEmpty() ? "" : "\n")
                            .append("the volume server of ")
                            .append(node)
                            .append(" could not be read: ")
                            .append(why);
            }
        });
        output.print(spec, table);
        if (!unread.isEmpty()) {
            throw new CommandFailure(ExitCode.FAILED, unread.toString());
        }
        return ExitCode.OK.code();
    }

    private static void row(Table table, String node, VolumeRow volume) {
        table.row(
                volume.name().value(),
                volume.bytes(),
                client(volume.client()),
                Integer.toUnsignedString(volume.epoch()),
                node,
                volume.room().usedBytes());
    }

    private static String client(long life) {
        return life == 0 ? "" : "client " + Long.toHexString(life);
    }
}
