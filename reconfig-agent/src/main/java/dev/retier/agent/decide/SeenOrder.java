package dev.retier.agent.decide;

import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;
import dev.retier.state.SiteId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An order that a role word has shown.
 *
 * @param node the one that is to move
 * @param before its word before
 * @param to the role that it was ordered to take
 * @param epoch of the order
 */
public record SeenOrder(NodeId node, RoleWord before, Role to, long epoch) {
    /** The role that it leaves. */
    Role from() {
        return before.to();
    }

    /**
     * The orders that came between two looks, in order of node. One that was undone before anybody looked is not among
     * them, as its word no longer says where to.
     */
    public static List<SeenOrder> between(ClusterView before, ClusterView now) {
        List<SeenOrder> orders = new ArrayList<>();
        now.known()
                .forEach(node -> before.word(node.id())
                        .flatMap(word -> order(node, word))
                        .ifPresent(orders::add));
        return orders;
    }

    private static Optional<SeenOrder> order(NodeView.Known node, RoleWord before) {
        RoleWord now = node.word();
        boolean isNew = now.epoch() > before.epoch() && before.phase() == Phase.ACTIVE;
        return isNew && !now.to().equals(before.to())
                ? Optional.of(new SeenOrder(node.id(), before, now.to(), now.epoch()))
                : Optional.empty();
    }

    /** The move that was ordered. */
    Valuation.Step step() {
        return new Valuation.Step(node, from(), to);
    }

    /** The site that takes the node, of an order that may have been decided. */
    SiteId taker() {
        return ((Role.Serving) to).site();
    }

    /** The sites of which it changes a tier. */
    Set<SiteId> sites() {
        return Stream.of(from(), to)
                .filter(Role.Serving.class::isInstance)
                .map(role -> ((Role.Serving) role).site())
                .collect(Collectors.toSet());
    }

    /** Whether decisions make such moves: what is drained, brought back or made spare is so by hand. */
    public boolean mayBeDecided() {
        return to instanceof Role.Serving && !from().equals(Role.DRAINED);
    }
}
