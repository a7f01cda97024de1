package dev.retier.sim.faults;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.TierBounds;
import dev.retier.agent.decide.Decision;
import dev.retier.agent.view.NodeView;
import dev.retier.agent.view.RoleText;
import dev.retier.sim.cluster.Cluster;
import dev.retier.sim.cluster.ClusterListener.Order;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Whether orders leave every tier its minimum and its maximum, whether or not those that are given together arrive, and
 * take no more of a tier at once than may be in transit. By the true words of the nodes that the mover knows, and the
 * last ones that it has seen of the others. Not thread-safe.
 */
final class BoundsOfOrders {
    private final ClusterConfig config;
    private final Cluster cluster;

    BoundsOfOrders(ClusterConfig config, Cluster cluster) {
        this.config = config;
        this.cluster = cluster;
    }

    /** What is wrong with {@code order}; empty when nothing is. */
    Optional<String> check(Order order) {
        return leaving(order).or(() -> coming(order));
    }

    private Optional<String> leaving(Order order) {
        Role from = order.move().from();
        if (!(from instanceof Role.Serving serving)) {
            return Optional.empty();
        }
        long left = counted(order, from, false);
        if (left < bounds(serving).min()) {
            return Optional.of("leaves " + left + " nodes to " + RoleText.of(from, config));
        }
        long leaving = count(order, other -> other.from().equals(from));
        double most = order.view().serving(from).size() * config.decision().maxInTransitShare();
        return leaving > Math.max(1, most)
                ? Optional.of("orders " + leaving + " nodes at once away from " + RoleText.of(from, config))
                : Optional.empty();
    }

    private Optional<String> coming(Order order) {
        Role to = order.move().to();
        if (!(to instanceof Role.Serving serving)) {
            return Optional.empty();
        }
        long there = counted(order, to, true)
                + count(order, other -> other.to().equals(to) || other.from().equals(to));
        return there > bounds(serving).max()
                ? Optional.of("gives " + there + " nodes to " + RoleText.of(to, config))
                : Optional.empty();
    }

    private static long count(Order order, Predicate<Decision.Move> which) {
        return order.together().stream().filter(which).count();
    }

    private TierBounds bounds(Role.Serving role) {
        return config.site(role.site()).orElseThrow().bounds(role.tier());
    }

    /** Without those that are ordered together. */
    private long counted(Order order, Role role, boolean withOrdered) {
        long count = 0;
        for (NodeView seen : order.view().nodes().values()) {
            RoleWord word = seen instanceof NodeView.Silent silent
                    ? silent.lastWord()
                    : cluster.word(seen.id().value() - 1);
            boolean isComing =
                    withOrdered && word.phase() == Phase.ORDERED && word.to().equals(role);
            boolean isOne = word.serves(role) || isComing;
            boolean isCounted = withOrdered ? seen instanceof NodeView.Known && seen.isServing() : seen.isServing();
            count += !order.isTogetherWith(seen.id()) && isOne && isCounted ? 1 : 0;
        }
        return count;
    }
}
