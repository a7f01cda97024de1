package dev.retier.cli.operate;

import dev.retier.agent.command.Answer;
import dev.retier.agent.command.Command;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.control.ControlClient;
import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.options.ClusterFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Which agent of this machine is asked: by its control socket, or any that the cluster file names. */
final class ControlOptions {
    /** The agent itself says sooner that a move takes too long; this is for one that hangs. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    @ArgGroup(multiplicity = "1")
    private Where where = new Where();

    /** One of the two. */
    static final class Where {
        @Option(
                names = "--config",
                paramLabel = "FILE",
                description = "The cluster file; asks the first agent of this machine that answers.")
        private @Nullable Path config;

        @Option(names = "--socket", paramLabel = "FILE", description = "The control socket of the agent to ask.")
        private @Nullable Path socket;
    }

    /**
     * What the agent answers.
     *
     * @param node whose agent is to be asked where the cluster file is given; empty for any
     * @throws CommandFailure when none does, or it does not understand
     */
    Answer ask(Command command, String node) {
        List<Path> sockets = sockets(node);
        IOException last = null;
        for (Path path : sockets) {
            try {
                Answer answer = ControlClient.ask(path, command, PATIENCE);
                if (answer.outcome() == Answer.Outcome.BAD_REQUEST) {
                    throw new CommandFailure(
                            ExitCode.USAGE, answer.body().path("detail").asString("the agent does not understand"));
                }
                return answer;
            } catch (IOException e) {
                last = e;
            }
        }
        String tried = sockets.isEmpty()
                ? "there is no control socket "
                        + (node.isEmpty() ? "" : "of " + node + " ")
                        + "below the journal-directory of the cluster file"
                : "no agent answers at " + sockets.getLast();
        String why = last == null ? "" : " (" + last.getMessage() + ")";
        throw new CommandFailure(
                ExitCode.FAILED,
                tried + why + "; ask on a machine where an agent runs, as a user who may open its socket",
                last == null ? new IOException(tried) : last);
    }

    private List<Path> sockets(String node) {
        Path socket = where.socket;
        Path config = where.config;
        if (socket != null || config == null) {
            return socket == null ? List.of() : List.of(socket);
        }
        ClusterConfig cluster = ClusterFile.read(config);
        List<NodeConfig> asked =
                node.isEmpty() ? cluster.nodes() : List.of(ClusterFile.node(cluster, "node", node, config));
        return asked.stream()
                .map(NodeConfig::id)
                .map(id -> new AgentConfig(cluster, id).controlSocket())
                .filter(Files::exists)
                .toList();
    }

    /** The exit code that stands for what became of a command. */
    static ExitCode exitCode(Answer answer) {
        return switch (answer.outcome()) {
            case DONE -> ExitCode.OK;
            case CHANGES -> ExitCode.CHANGES;
            case REFUSED -> ExitCode.REFUSED;
            case NO_LOCK -> ExitCode.NO_LOCK;
            case ROLLED_BACK -> ExitCode.ROLLED_BACK;
            case TIMED_OUT -> ExitCode.TIMED_OUT;
            case BAD_REQUEST -> ExitCode.USAGE;
            case FAILED -> ExitCode.FAILED;
        };
    }
}
