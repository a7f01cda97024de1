package dev.retier.cli.lab.plan;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The control groups of one node, and what they may take.
 *
 * @param server the group of its server
 * @param agent the group of its agent; empty when that is none of the node's
 * @param ofServer the limits that hold from the start
 * @param ofAgent the limits that hold once the agent is ready. A virtual machine takes seconds of processor time to
 *     start, which within a thirtieth of a processor is minutes
 */
public record NodeGroups(String server, String agent, List<Limit> ofServer, List<Limit> ofAgent) {
    /** What an agent may take of one processor. */
    private static final int AGENT_PERCENT = 3;

    /** Kernels refuse quotas below 1 ms. */
    private static final Duration AGENT_PERIOD = Duration.ofMillis(50);

    /** A group may take {@code percent} of one processor in each {@code period}. */
    public record Limit(String group, int percent, Duration period) {}

    /** The groups of a node; with its agent inside, one that holds those of the server and of the agent. */
    public static NodeGroups of(LabHost host, LabSettings settings) {
        String node = host.name();
        Limit whole = new Limit(node, settings.quotaPercent(), settings.period());
        if (!settings.placement().isInside()) {
            return new NodeGroups(node, "", List.of(whole), List.of());
        }
        String server = node + "/server";
        String agent = node + "/agent";
        return new NodeGroups(
                server,
                agent,
                List.of(new Limit(server, settings.quotaPercent() - AGENT_PERCENT, settings.period())),
                List.of(whole, new Limit(agent, AGENT_PERCENT, AGENT_PERIOD)));
    }

    /** The least percentage of a node that leaves its server something. */
    static int leastPercent(Placement placement) {
        return placement.isInside() ? AGENT_PERCENT + 1 : 1;
    }

    /** All groups. */
    public List<String> names() {
        return Stream.concat(ofServer.stream(), ofAgent.stream())
                .map(Limit::group)
                .toList();
    }
}
