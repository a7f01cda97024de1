package dev.retier.cli.node;

import dev.retier.agent.ReconfigException;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ConfigChange;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.event.AgentListener;
import dev.retier.agent.files.ConfigFile;
import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.Logging;
import dev.retier.cli.ProcessSignal;
import dev.retier.cli.TerminationSignal;
import dev.retier.cli.options.ClusterFile;
import dev.retier.cli.options.PcapOption;
import dev.retier.config.ConfigException;
import dev.retier.link.StateException;
import dev.retier.link.TransportException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code retier agent}. */
@Command(
        name = "agent",
        description = "Run the agent of one node beside its server.",
        footer = {
            "On SIGTERM or SIGINT it finishes or undoes its move and leaves the server alone.",
            "On SIGHUP it reads the cluster file again: all of it is taken over, or nothing."
        })
public final class AgentCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");

    @Option(names = "--config", paramLabel = "FILE", required = true, description = "The cluster file (YAML).")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Option(names = "--node", paramLabel = "NAME", required = true, description = "Which node of the cluster this is.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String name;

    @Option(
            names = "--shadow",
            description = {
                "Order no move by its own decision, whatever the file says, and tell in `retier explain` where the"
                        + " others decide otherwise. It follows and obeys as ever. To try a version, or other decision"
                        + " keys, on one node of a cell."
            })
    private boolean isShadow;

    @Mixin
    private PcapOption pcap = new PcapOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        CompletableFuture<RunningAgent> serving = new CompletableFuture<>();
        // Before anything is read: a signal that comes meanwhile would else end the process, or be lost.
        ProcessSignal.on("HUP", () -> readAgain(serving.join()));
        try {
            ClusterConfig cluster = ConfigFile.read(file);
            NodeConfig node = ClusterFile.node(cluster, "--node", name, file);
            pcap.apply();
            RunningAgent running =
                    RunningAgent.start(new AgentConfig(cluster, node.id(), isShadow), AgentListener.NONE);
            Logging.begun(
                    spec, "agent of " + name + " serves on " + running.agent().adminAddress());
            serving.complete(running);
            OwnThreads.whenOneEnds(running.agent()::fail);
            TerminationSignal.onTermination(running::close);
            running.agent().awaitEnd();
            return ExitCode.OK.code();
        } catch (ConfigException e) {
            throw new CommandFailure(ExitCode.CONFIG, String.valueOf(e.getMessage()), e);
        } catch (TransportException e) {
            throw new CommandFailure(ExitCode.CONFIG, String.valueOf(e.getMessage()), e);
        } catch (StateException | ReconfigException e) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        }
    }

    /** The configuration that is in force stays unless all of the new one can be taken over. */
    private void readAgain(RunningAgent running) {
        try {
            ConfigChange change = running.agent().reconfigure(ConfigFile.read(file));
            if (change.restart().isEmpty()) {
                LOG.info("{}: {} read again; changed: {}", name, file, change.live());
            } else {
                LOG.error(
                        "{}: {} read again, and nothing of it taken over: restart the agent for {}",
                        name,
                        file,
                        String.join(", ", change.restart()));
            }
        } catch (ConfigException e) {
            LOG.error("{}: {} read again, and nothing of it taken over: {}", name, file, e.getMessage());
        }
    }
}
