package dev.retier.agent.config;

import dev.retier.config.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The deadlines of a move against the servers that it moves, and those that have to let go of them. One rule: a step
 * may take as long as the servers' own limits let it, as a shorter deadline undoes what was about to succeed. A
 * deadline that is not given is so long; one that is given and shorter is told. A failure does not wait for a deadline:
 * a server's refusal ends the step at once. Stateless.
 */
final class MoveDeadlines {
    private MoveDeadlines() {}

    /** A server of a node or of an edge. */
    private record Named(String name, ServerConfig server) {}

    /** What suits these: the usual rules, with the deadlines that their servers need. */
    static MoveRules usual(List<NodeConfig> nodes, List<EdgeConfig> edges) {
        MoveRules least = MoveRules.DEFAULTS;
        return new MoveRules(
                longest(senders(nodes, edges), ServerConfig::longestChange, least.upstreamDeadline()),
                least.drainDeadline(),
                least.quietTime(),
                longest(servers(nodes), ServerConfig::longestSwitch, least.switchDeadline()),
                least.proveDeadline(),
                least.slowStart());
    }

    private static List<Named> servers(List<NodeConfig> nodes) {
        return nodes.stream()
                .flatMap(node -> node.servers().stream().map(server -> new Named(node.name(), server)))
                .toList();
    }

    private static List<Named> senders(List<NodeConfig> nodes, List<EdgeConfig> edges) {
        return Stream.concat(
                        servers(nodes).stream(),
                        edges.stream()
                                .flatMap(edge ->
                                        Stream.ofNullable(edge.server()).map(server -> new Named(edge.name(), server))))
                .toList();
    }

    private static Duration longest(List<Named> servers, Function<ServerConfig, Duration> step, Duration least) {
        return servers.stream().map(one -> step.apply(one.server())).reduce(least, MoveDeadlines::longer);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    /** What is to be said of the deadlines that were given. */
    static List<ConfigWarning> warnings(MoveRules given, List<NodeConfig> nodes, List<EdgeConfig> edges) {
        return Stream.of(
                        warning(
                                "move.switch-deadline",
                                given.switchDeadline(),
                                servers(nodes),
                                ServerConfig::longestSwitch,
                                "to switch"),
                        warning(
                                "move.upstream-deadline",
                                given.upstreamDeadline(),
                                senders(nodes, edges),
                                ServerConfig::longestChange,
                                "to leave a node out"))
                .flatMap(List::stream)
                .toList();
    }

    private static List<ConfigWarning> warning(
            String key, Duration given, List<Named> servers, Function<ServerConfig, Duration> step, String what) {
        return servers.stream()
                .filter(one -> step.apply(one.server()).compareTo(given) > 0)
                .max((one, other) -> step.apply(one.server()).compareTo(step.apply(other.server())))
                .map(one -> new ConfigWarning(
                        key,
                        key + " of " + DurationText.print(given) + " is shorter than the "
                                + DurationText.print(step.apply(one.server())) + " that " + one.name() + " ("
                                + one.server().kind().word() + ") may take " + what
                                + " by its reload-interval, check-deadline and converge-deadline, so moves that were"
                                + " about to succeed are undone; leave " + key + " out, or lower those"))
                .stream()
                .toList();
    }
}
