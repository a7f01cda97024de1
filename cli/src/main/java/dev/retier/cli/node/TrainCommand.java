package dev.retier.cli.node;

import dev.retier.agent.Agent;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.event.AgentListener;
import dev.retier.agent.files.ConfigFile;
import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.Main;
import dev.retier.link.ReservedPorts;
import dev.retier.webnode.WebNode;
import dev.retier.webnode.config.WebNodeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/**
 * {@code retier train}: does once what agents and operators' commands do, so that a virtual machine that records
 * (JEP 514) knows which classes they need. Two nodes on this machine's loopback, for a few
 * seconds.
 */
@Command(name = "train", hidden = true, description = "Use once what a node uses, for the cache of classes.")
public final class TrainCommand implements Callable<Integer> {
    private static final int NODES = 2;
    private static final int PORTS_PER_NODE = 4;
    private static final long START_DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long LOOK_EVERY_NANOS = 20_000_000;

    @Override
    public Integer call() throws IOException {
        Path folder = Files.createTempDirectory("retier-train");
        try (ReservedPorts ports = new ReservedPorts(NODES * PORTS_PER_NODE)) {
            Path file = folder.resolve("cluster.yaml");
            if (Main.run("secret", "new", folder.resolve("secret").toString()) != 0) {
                throw new IOException(folder + " cannot be written");
            }
            Files.writeString(file, clusterFile(folder, ports.numbers()));
            run(ConfigFile.read(file), file.toString());
            return ExitCode.OK.code();
        } finally {
            delete(folder);
        }
    }

    private static void run(ClusterConfig cluster, String file) {
        List<WebNode> webNodes = new ArrayList<>();
        List<RunningAgent> agents = new ArrayList<>();
        try {
            for (NodeConfig node : cluster.nodes()) {
                AgentConfig config = new AgentConfig(cluster, node.id());
                Agent.writeFirstRoleFile(config);
                webNodes.add(WebNode.start(WebNodeSettings.of(
                        node.name(),
                        node.server().address(),
                        node.server().admin(),
                        node.server().roleFile(),
                        1)));
                agents.add(RunningAgent.start(config, AgentListener.NONE));
            }
            awaitReady(agents);
            Main.run("validate", file);
            Main.run("status", "--config", file);
            Main.run("status", "--config", file, "-o", "json");
            Main.run("plan", "--config", file);
            Main.run(
                    "explain",
                    "--agent",
                    agents.getFirst().agent().adminAddress().toString());
        } finally {
            agents.forEach(RunningAgent::close);
            webNodes.forEach(WebNode::close);
        }
    }

    private static void awaitReady(List<RunningAgent> agents) {
        long beginNanos = System.nanoTime();
        while (!agents.stream().allMatch(running -> running.agent().isReady())) {
            if (System.nanoTime() - beginNanos > START_DEADLINE_NANOS) {
                throw new CommandFailure(ExitCode.FAILED, "two agents on loopback have not found each other");
            }
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
    }

    private static String clusterFile(Path folder, List<Integer> ports) {
        StringBuilder text = new StringBuilder("""
                name: train
                mode: observe
                secret-file: %1$s/secret
                journal-directory: %1$s/journal
                witnesses: [node-1]
                sites:
                  - id: 1
                    name: shop
                    hosts: [shop.example]
                    proxy: {min: 1, max: 1}
                    app: {min: 1, max: 1}
                    proxy-hold: 0s
                nodes:
                """.formatted(folder));
        for (int number = 1; number <= NODES; number++) {
            List<Integer> own = ports.subList((number - 1) * PORTS_PER_NODE, number * PORTS_PER_NODE);
            text.append("""
                      - id: %1$d
                        name: node-%1$d
                        rdma: 127.0.0.1:%2$d
                        agent: 127.0.0.1:%3$d
                        role: shop/%6$s
                        server:
                          kind: web-node
                          address: 127.0.0.1:%4$d
                          admin: 127.0.0.1:%5$d
                          role-file: %7$s/node-%1$d.json
                    """.formatted(
                    number, own.get(0), own.get(1), own.get(2), own.get(3), number == 1 ? "proxy" : "app", folder));
        }
        return text.toString();
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
