package dev.retier.cli.volume;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.Logging;
import dev.retier.cli.options.OutputOption;
import dev.retier.volume.connect.TableReader.Outcome;
import dev.retier.volume.connect.VolumeClient;
import dev.retier.volume.wire.Listing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code retier volume list}. */
@Command(
        name = "list",
        description = "What volumes and snapshots a server has, or all servers of a cluster, and who writes to them.")
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
        Map<String, List<Listing>> told = new TreeMap<>();
        List<String> unread = new ArrayList<>();
        Optional<ClusterServers> servers = server.servers();
        if (servers.isPresent()) {
            Logging.errorsOnly();
            ask(servers.get(), told, unread);
        } else {
            List<Listing> all = server.ask(VolumeClient::list);
            told.put(server.address(), all);
        }
        output.print(spec, Listings.table(told));
        if (!unread.isEmpty()) {
            throw new CommandFailure(ExitCode.FAILED, String.join("\n", unread));
        }
        return ExitCode.OK.code();
    }

    /** Those whose tables can be read, so that all that are away are waited for together. */
    private void ask(ClusterServers servers, Map<String, List<Listing>> told, List<String> unread)
            throws InterruptedException {
        for (Map.Entry<String, Outcome> each : servers.tables().entrySet()) {
            String why = "";
            if (each.getValue() instanceof Outcome.Unread(String known)) {
                why = known;
            } else {
                try {
                    told.put(each.getKey(), server.ask(servers.of(each.getKey()), VolumeClient::list));
                } catch (CommandFailure failed) {
                    why = String.valueOf(failed.getMessage());
                }
            }
            if (!why.isEmpty()) {
                unread.add("the volume server of " + each.getKey() + " could not be read: " + why);
            }
        }
    }
}
