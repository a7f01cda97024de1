package dev.retier.agent.config;

import dev.retier.config.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The deadlines of a move against the servers that it moves. One rule: a step may take as long as the servers' own
 * limits let it, as a shorter deadline undoes what was about to succeed. A deadline that is not given is so long; one
 * that is given and shorter is told. A failure does not wait for a deadline: a server's refusal ends the step at once.
 * Stateless.
 */
final class MoveDeadlines {
    private MoveDeadlines() {}

    /** What suits these nodes: the usual rules, with the deadlines that their servers need. */
    static MoveRules usual(List<NodeConfig> nodes) {
        MoveRules least = MoveRules.DEFAULTS;
        return new MoveRules(
                longest(nodes, ServerConfig::longestChange, least.upstreamDeadline()),
                least.drainDeadline(),
                least.quietTime(),
                longest(nodes, ServerConfig::longestSwitch, least.switchDeadline()),
                least.proveDeadline(),
                least.slowStart());
    }

    private static Duration longest(List<NodeConfig> nodes, Function<ServerConfig, Duration> step, Duration least) {
        return nodes.stream().map(node -> step.apply(node.server())).reduce(least, MoveDeadlines::longer);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    /** What is to be said of the deadlines that were given. */
    static List<String> warnings(MoveRules given, List<NodeConfig> nodes) {
        return Stream.of(
                        warning(
                                "move.switch-deadline",
                                given.switchDeadline(),
                                nodes,
                                ServerConfig::longestSwitch,
                                "to switch"),
                        warning(
                                "move.upstream-deadline",
                                given.upstreamDeadline(),
                                nodes,
                                ServerConfig::longestChange,
                                "to leave a node out"))
                .flatMap(List::stream)
                .toList();
    }

    private static List<String> warning(
            String key, Duration given, List<NodeConfig> nodes, Function<ServerConfig, Duration> step, String what) {
        return nodes.stream()
                .filter(node -> step.apply(node.server()).compareTo(given) > 0)
                .max((one, other) -> step.apply(one.server()).compareTo(step.apply(other.server())))
                .map(node -> key + " of " + DurationText.print(given) + " is shorter than the "
                        + DurationText.print(step.apply(node.server())) + " that " + node.name() + " ("
                        + node.server().kind().word() + ") may take " + what
                        + " by its reload-interval, check-deadline and converge-deadline, so moves that were about to"
                        + " succeed are undone; leave " + key + " out, or lower those")
                .stream()
                .toList();
    }
}
