package dev.retier.cli.fabric;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code retier fabric}. */
@Command(
        name = "fabric",
        description = "Share memory between processes on several nodes by RDMA: a counter, a queue, a barrier.",
        footer = {
            "",
            "Start the same sub-command once for each node that takes part, in any order:",
            "  retier fabric counter --config cluster.yaml --node node-1 --members node-1,node-2,node-3",
            "  retier fabric counter --config cluster.yaml --node node-2 --members node-1,node-2,node-3",
            "  retier fabric counter --config cluster.yaml --node node-3 --members node-1,node-2,node-3",
            "One node, the home, has the memory. Any other may be killed at any time: nothing is lost or done twice.",
            "When the home is killed the others are told LOST."
        },
        subcommands = {FabricCounterCommand.class, FabricQueueCommand.class, FabricBarrierCommand.class})
public final class FabricCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say what to share: counter, queue or barrier");
    }
}
