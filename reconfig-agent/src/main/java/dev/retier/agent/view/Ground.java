package dev.retier.agent.view;

import dev.retier.link.NodeId;
import dev.retier.state.Epochs;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.Tier;
import java.util.List;

/**
 * All that a node's generated file depends on: while it is the same, so is the file.
 *
 * @param role what the file makes the server serve
 * @param stamp the number that it is to carry, see {@link Stamps}
 * @param appliedStamp the number of the file that the server runs
 * @param apps the app nodes of the role's site, in order of id; none for a spare
 */
public record Ground(Role role, long stamp, long appliedStamp, List<NodeId> apps) {
    /** Keeps its own copy of the list. */
    public Ground {
        apps = List.copyOf(apps);
    }

    /** The ground of a node whose word is {@code own}, as {@code view} shows the others. */
    public static Ground of(ClusterView view, Epochs epochs, RoleWord own, long appliedStamp) {
        long wanted = own.to() instanceof Role.Serving serving ? view.stamp(serving.site(), epochs) : 0;
        return new Ground(own.to(), Math.max(Stamps.of(own), wanted), appliedStamp, apps(view, own.to()));
    }

    /** The app nodes that serve the site of {@code role}, in order of id; none for a spare. */
    public static List<NodeId> apps(ClusterView view, Role role) {
        return role instanceof Role.Serving serving
                ? view.serving(Role.serving(serving.site(), Tier.APP)).stream()
                        .map(NodeView::id)
                        .toList()
                : List.of();
    }
}
