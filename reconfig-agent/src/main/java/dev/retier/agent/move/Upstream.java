package dev.retier.agent.move;

import dev.retier.agent.view.Batches;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.agent.view.Stamps;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.util.List;
import java.util.Optional;

/** Which nodes send requests to a node because of its role, and whether they have stopped. Stateless. */
public final class Upstream {
    private Upstream() {}

    /**
     * The nodes that have not yet proven that they leave the node out: those proxies of the site, dead ones left out,
     * whose applied stamp is older than the order. Empty when the old role is that of a proxy or a spare: no node sends
     * requests to those; of edges, see {@link Senders}.
     *
     * <p>A stamp proves nothing while another order carries the same epoch, or one of the same site a later one, as the
     * file may have been written for that one by a proxy that has not seen this one. That takes an order that was sent
     * under a lock since lost and lands on a node that the next holder's fence did not reach, or a node that nobody
     * heard when the next one was ordered; the move then runs into its deadline and is undone. The later orders of its
     * own batch do not count: no file has their stamp that was made before all of the batch was seen.
     *
     * <p>A node that becomes a proxy by the same batch has no file of one yet, and does not make one before it has seen
     * the whole batch.
     */
    public static List<NodeId> unproven(ClusterView view, Batches batches, RoleWord order) {
        if (!(order.from() instanceof Role.Serving(var site, Tier tier)) || tier == Tier.PROXY) {
            return List.of();
        }
        Role proxy = Role.serving(site, Tier.PROXY);
        long stamp = Stamps.ordered(order.epoch());
        boolean isShared = view.nodes().keySet().stream()
                .flatMap(node -> view.word(node).stream())
                .anyMatch(word -> !word.equals(order)
                        && mayHaveStamped(word, order, site)
                        && !(word.epoch() != order.epoch() && batches.areTogether(word, order)));
        return view.nodes().values().stream()
                .filter(NodeView::isServing)
                .filter(node -> mayForward(batches, view.word(node.id()), proxy, order))
                .filter(node -> isShared
                        || !(node instanceof NodeView.Known known
                                && known.load().appliedEpoch() >= stamp))
                .map(NodeView::id)
                .toList();
    }

    private static boolean mayHaveStamped(RoleWord word, RoleWord order, SiteId site) {
        return word.epoch() == order.epoch()
                || (word.epoch() > order.epoch() && (isOf(word.from(), site) || isOf(word.to(), site)));
    }

    private static boolean isOf(Role role, SiteId site) {
        return role instanceof Role.Serving(SiteId of, Tier _) && of.equals(site);
    }

    /** A node on its way to or from the proxies may forward; the one that obeys this very order does not, to itself. */
    private static boolean mayForward(Batches batches, Optional<RoleWord> word, Role proxy, RoleWord order) {
        return word.filter(seen -> !seen.equals(order))
                .filter(seen ->
                        seen.from().equals(proxy) || (seen.to().equals(proxy) && !isToBecome(batches, seen, order)))
                .isPresent();
    }

    private static boolean isToBecome(Batches batches, RoleWord seen, RoleWord order) {
        return seen.phase() == Phase.ORDERED && batches.areTogether(seen, order);
    }
}
