package dev.retier.cli.fabric;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.connect.NodeTls;
import dev.retier.agent.connect.SharedStates;
import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.options.ClusterFile;
import dev.retier.cli.options.DurationConverter;
import dev.retier.fabric.Fabric;
import dev.retier.fabric.FabricConfig;
import dev.retier.fabric.FabricLimits;
import dev.retier.link.NodeId;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** Which node a process of {@code retier fabric} is, who else takes part, and on which ports. */
final class FabricOptions {
    @Option(names = "--config", paramLabel = "FILE", required = true, description = "The cluster file (YAML).")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Option(names = "--node", paramLabel = "NAME", required = true, description = "Which node of the cluster this is.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String node;

    @Option(
            names = "--members",
            paramLabel = "NAME",
            split = ",",
            description = "The nodes that take part, the same list for each (default: all of the file).")
    private List<String> members = List.of();

    @Option(
            names = "--home",
            paramLabel = "NAME",
            description = "The member that has the memory, the same for each (default: the first member).")
    private Optional<String> home = Optional.empty();

    @Option(
            names = "--port-offset",
            paramLabel = "N",
            defaultValue = "1000",
            description = "The fabric listens so many ports above each node's rdma address, where its agent listens "
                    + "(default: ${DEFAULT-VALUE}).")
    private int portOffset;

    @Option(
            names = "--patience",
            paramLabel = "TIME",
            defaultValue = "30s",
            converter = DurationConverter.class,
            description = "How long to wait for members that are not there (default: ${DEFAULT-VALUE}).")
    private Duration patience = Duration.ofSeconds(30);

    @Option(
            names = "--pace",
            paramLabel = "TIME",
            defaultValue = "1ms",
            converter = DurationConverter.class,
            description = "How long to rest after each step (default: ${DEFAULT-VALUE}).")
    private Duration pace = Duration.ofMillis(1);

    @Option(
            names = "--log",
            paramLabel = "FILE",
            description = "Append a line for each step that this process knows to be done.")
    private Optional<Path> log = Optional.empty();

    /**
     * Who takes part.
     *
     * @param all in the order of {@code --members}
     * @param self this process's place in the list
     * @param home the home's
     */
    record Group(ClusterConfig cluster, List<NodeConfig> all, int self, int home) {
        NodeId selfId() {
            return all.get(self).id();
        }

        NodeId homeId() {
            return all.get(home).id();
        }

        boolean isHome() {
            return self == home;
        }
    }

    Duration patience() {
        return patience;
    }

    Duration pace() {
        return pace;
    }

    Optional<Path> log() {
        return log;
    }

    Group group() {
        ClusterConfig cluster = ClusterFile.read(file);
        List<NodeConfig> all = members.isEmpty()
                ? cluster.nodes()
                : members.stream()
                        .map(name -> ClusterFile.node(cluster, "--members", name, file))
                        .toList();
        all.stream()
                .map(NodeConfig::name)
                .filter(name ->
                        all.stream().filter(one -> one.name().equals(name)).count() > 1)
                .findFirst()
                .ifPresent(twice -> {
                    throw new CommandFailure(ExitCode.USAGE, "--members: " + twice + " is named twice");
                });
        return new Group(
                cluster,
                all,
                placeOf("--node", node, all),
                home.map(name -> placeOf("--home", name, all)).orElse(0));
    }

    Fabric open(Group group) {
        return Fabric.open(new FabricConfig(
                group.selfId(),
                address(group.all().get(group.self())),
                group.all().stream().collect(Collectors.toMap(NodeConfig::id, this::address)),
                SharedStates.secret(group.cluster().secret()),
                group.cluster().transport(),
                FabricLimits.defaults(),
                group.cluster().formerHandshake(),
                NodeTls.of(group.cluster(), group.all().get(group.self()))));
    }

    private InetSocketAddress address(NodeConfig of) {
        try {
            return new InetSocketAddress(of.rdma().host(), of.rdma().port() + portOffset);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(
                    ExitCode.USAGE, "--port-offset " + portOffset + ": no port of " + of.name() + " is so high", e);
        }
    }

    private static int placeOf(String option, String name, List<NodeConfig> all) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).name().equals(name)) {
                return i;
            }
        }
        String known = all.stream().map(NodeConfig::name).collect(Collectors.joining(", "));
        throw new CommandFailure(ExitCode.USAGE, option + " " + name + " is not a member; members are " + known);
    }
}
