package dev.retier.cli.node;

import dev.retier.agent.ReconfigException;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.EdgeConfig;
import dev.retier.agent.edge.Edge;
import dev.retier.agent.files.ConfigFile;
import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.Logging;
import dev.retier.cli.TerminationSignal;
import dev.retier.cli.options.AgentAccessOptions;
import dev.retier.config.ConfigException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code retier edge}. */
@Command(
        name = "edge",
        description = "Keep what stands before the proxies of a site at the current proxies.",
        footer =
                "It follows any agent that answers; when none does, or this command ends, the last list stays. It tells"
                        + " all agents what runs: while it does not, no proxy of its site leaves.")
public final class EdgeCommand implements Callable<Integer> {
    @Option(names = "--config", paramLabel = "FILE", required = true, description = "The cluster file (YAML).")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Option(names = "--edge", paramLabel = "NAME", required = true, description = "Which edge of the cluster this is.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String name;

    @Mixin
    private AgentAccessOptions access = new AgentAccessOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        try {
            ClusterConfig cluster = ConfigFile.read(file);
            EdgeConfig edge = cluster.edgeNamed(name).orElseThrow(() -> unknownEdge(cluster));
            Edge running = Edge.start(cluster, edge, access.credentials(cluster));
            Logging.begun(spec, "edge " + name + " follows the agents");
            CompletableFuture<Boolean> ended = new CompletableFuture<>();
            OwnThreads.whenOneEnds(ended::completeExceptionally);
            TerminationSignal.onTermination(() -> {
                running.close();
                ended.complete(true);
            });
            ended.get();
            return ExitCode.OK.code();
        } catch (ExecutionException e) {
            throw new CommandFailure(ExitCode.FAILED, "edge " + name + ": a thread has ended: " + e.getCause(), e);
        } catch (ConfigException e) {
            throw new CommandFailure(ExitCode.CONFIG, String.valueOf(e.getMessage()), e);
        } catch (ReconfigException e) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        }
    }

    private CommandFailure unknownEdge(ClusterConfig cluster) {
        String known = cluster.edges().stream().map(EdgeConfig::name).collect(Collectors.joining(", "));
        return new CommandFailure(ExitCode.USAGE, "--edge " + name + " is not in " + file + ", which has " + known);
    }
}
