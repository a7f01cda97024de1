package dev.retier.agent.move;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.EdgeConfig;
import dev.retier.agent.render.EdgeWord;
import dev.retier.agent.view.Batches;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.Stamps;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.Tier;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Who may still send requests to a node because of the role that it is to leave.
 *
 * @param nodes proxies that have not applied a file without it, when it leaves the app tier
 * @param edges edges of the site that have not said since the order that they send nothing to it, when it leaves the
 *     proxy tier
 * @param isBatchSeen whether all orders have been seen that were given together with its own; before that it can make
 *     no file that leaves out all of their nodes
 */
public record Senders(List<NodeId> nodes, List<Sender> edges, boolean isBatchSeen) {
    /** An edge, and what it has said last; null for nothing. */
    public record Sender(EdgeConfig edge, @Nullable EdgeWord word) {}

    /** Keeps its own copies of the lists. */
    public Senders {
        nodes = List.copyOf(nodes);
        edges = List.copyOf(edges);
    }

    /**
     * Those who have not let go of the node that {@code order} moves.
     *
     * @param words what edges have told this node last, by name: the newest word counts, not the highest stamp, as an
     *     edge that was started again may run an older list
     */
    public static Senders of(ClusterConfig config, ClusterView view, Map<String, EdgeWord> words, RoleWord order) {
        Batches batches = Batches.of(view, config.epochs());
        return new Senders(
                Upstream.unproven(view, batches, order), edges(config, words, order), batches.isWhole(order));
    }

    private static List<Sender> edges(ClusterConfig config, Map<String, EdgeWord> words, RoleWord order) {
        if (!(order.from() instanceof Role.Serving(var site, Tier tier)) || tier != Tier.PROXY) {
            return List.of();
        }
        long stamp = Stamps.ordered(order.epoch());
        return config.edges().stream()
                .filter(edge -> edge.site().equals(site))
                .map(edge -> new Sender(edge, words.get(edge.name())))
                .filter(sender -> sender.word() == null || !sender.word().hasLetGo(stamp))
                .toList();
    }

    /** Whether all have let go. */
    public boolean isEmpty() {
        return nodes.isEmpty() && edges.isEmpty() && isBatchSeen;
    }

    /** Who they are and what to do, for people. */
    public String text(ClusterConfig config, NodeId self) {
        return Stream.of(
                        isBatchSeen
                                ? Stream.<String>empty()
                                : Stream.of("not all orders have been seen that were given together with its own"),
                        nodes.stream().map(node -> config.node(node).name() + " has not left it out"),
                        edges.stream().map(sender -> text(sender, config, self)))
                .flatMap(each -> each)
                .collect(Collectors.joining("; "));
    }

    private static String text(Sender sender, ClusterConfig config, NodeId self) {
        String name = sender.edge().name();
        EdgeWord word = sender.word();
        String said = word == null || word.stamp() == 0
                ? " has not said what it runs"
                : word.isSending()
                        ? " still sends to it by stamp " + word.stamp()
                        : " still runs stamp " + word.stamp();
        return "edge " + name + said + "; is `./retier edge --edge " + name
                + "` running, does it reach this agent at " + config.node(self).agentAdmin() + ", and does "
                + (sender.edge().server() == null ? "its file" : "its server") + " take the newest targets?";
    }
}
