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

    /** The period of every quota that nobody says another for, in systemd and in the kernel. */
    private static final Duration AGENT_PERIOD = Duration.ofMillis(100);

    /**
     * A group may take {@code percent} of one processor in each {@code period}, and in one of them {@code burst}
     * percent more of what it left in those before. What an agent needs comes at once, a look with its page and with
     * the looks of others: without bursts a group that takes half of its quota is held up in every tenth period.
     */
    public record Limit(String group, int percent, int burst, Duration period) {}

    /** The groups of a node; with its agent inside, one that holds those of the server and of the agent. */
    public static NodeGroups of(LabHost host, LabSettings settings) {
        String node = host.name();
        if (!settings.placement().isInside()) {
            return new NodeGroups(
                    node, "", List.of(new Limit(node, settings.quotaPercent(), 0, settings.period())), List.of());
        }
        String server = node + "/server";
        String agent = node + "/agent";
        return new NodeGroups(
                server,
                agent,
                List.of(new Limit(server, settings.quotaPercent() - AGENT_PERCENT, 0, settings.period())),
                List.of(
                        new Limit(node, settings.quotaPercent(), settings.quotaPercent(), settings.period()),
                        new Limit(agent, AGENT_PERCENT, AGENT_PERCENT, AGENT_PERIOD)));
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
