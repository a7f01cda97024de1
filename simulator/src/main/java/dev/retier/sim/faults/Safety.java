package dev.retier.sim.faults;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.Mode;
import dev.retier.agent.decide.MoveReason;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.agent.view.RoleText;
import dev.retier.link.NodeId;
import dev.retier.sim.cluster.Cluster;
import dev.retier.sim.cluster.ClusterListener;
import dev.retier.sim.cluster.ServerTrouble.Page;
import dev.retier.sim.service.Plan;
import dev.retier.sim.service.Service;
import dev.retier.sim.service.Station;
import dev.retier.sim.time.VirtualTime;
import dev.retier.state.LoadRecord;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Watches a cluster from outside, by its true state and the true time, for what must never be, whatever fails
 * (design sections 4 to 7). Who holds the locks is for {@link LockSafety}.
 */
final class Safety implements ClusterListener {
    private static final long TRUTH_NANOS = 250_000_000L;
    private static final double IDLE = 0.05;
    private static final double BUSY = 0.6;
    /** Clocks run up to 5 % fast or slow. */
    static final double DRIFT = 1.06;

    private final ClusterConfig config;
    private final VirtualTime time;
    private final Cluster cluster;
    private final Service service;
    private final Verdict verdict;
    private final int nodes;
    private final ClusterView[] views;
    private final long[][] firstKnownNanos;
    private final long[] changedNanos;
    private final @Nullable RoleWord[] lastEnds;
    private final long[] orderedSinceNanos;
    private final long[] frozenSinceNanos;
    private final long[] troubledSinceNanos;
    private final Busy[] busy;
    private final OrdersSeen ordersSeen;
    private final BoundsOfOrders bounds;
    private final IntPredicate isForcing;
    private long orders;

    /** How busy a server truly was of late. */
    private static final class Busy {
        long fromNanos;
        double fromSeconds;
        double share;

        double present(long nowNanos, double seconds) {
            return nowNanos > fromNanos ? (seconds - fromSeconds) * 1e9 / (nowNanos - fromNanos) : share;
        }

        void sample(long nowNanos, double seconds) {
            if (nowNanos - fromNanos >= TRUTH_NANOS || seconds < fromSeconds) {
                share = seconds < fromSeconds ? 0 : (seconds - fromSeconds) * 1e9 / (nowNanos - fromNanos);
                fromNanos = nowNanos;
                fromSeconds = seconds;
            }
        }
    }

    /** What is watched. */
    record Parts(ClusterConfig config, VirtualTime time, Cluster cluster, Service service) {}

    /** Rests and budgets are not asked for while an operator {@code isForcing} a move by the mover. */
    Safety(Parts parts, IntPredicate isForcing, Verdict verdict) {
        this.isForcing = isForcing;
        this.config = parts.config;
        this.time = parts.time;
        this.cluster = parts.cluster;
        this.service = parts.service;
        this.verdict = verdict;
        this.nodes = config.nodes().size();
        this.views = new ClusterView[nodes];
        Arrays.fill(views, ClusterView.of(List.of()));
        this.firstKnownNanos = new long[nodes][nodes];
        this.changedNanos = new long[nodes];
        Arrays.fill(changedNanos, Long.MIN_VALUE / 2);
        this.lastEnds = new RoleWord[nodes];
        this.orderedSinceNanos = new long[nodes];
        this.frozenSinceNanos = new long[nodes];
        this.troubledSinceNanos = new long[nodes];
        this.busy = new Busy[nodes];
        Arrays.setAll(busy, _ -> new Busy());
        this.ordersSeen = new OrdersSeen(config);
        this.bounds = new BoundsOfOrders(config, cluster);
        forget();
    }

    private void forget() {
        for (int node = 0; node < nodes; node++) {
            forget(node);
        }
    }

    private void forget(int node) {
        Arrays.fill(firstKnownNanos[node], Long.MAX_VALUE);
        ordersSeen.forget(node);
    }

    /** Orders that have changed a role word. */
    long orders() {
        return orders;
    }

    /** Called every few milliseconds: what lasts too long, and what is true of servers. */
    void tick() {
        long now = time.nowNanos();
        for (int node = 0; node < nodes; node++) {
            Station station = service.station(node);
            busy[node].sample(now, station.busySeconds(now));
            boolean isSeen = cluster.isAgentUp(node) && !cluster.isPaused(node);
            boolean isFrozen = cluster.trouble(node).page() == Page.FROZEN && isSeen;
            frozenSinceNanos[node] = isFrozen ? Math.min(frozenSinceNanos[node], now) : Long.MAX_VALUE;
            boolean isTrue = cluster.trouble(node).page() == Page.TRUE;
            troubledSinceNanos[node] = isTrue ? Long.MAX_VALUE : Math.min(troubledSinceNanos[node], now);
            boolean isHalfMoved = cluster.isAgentUp(node) && cluster.word(node).phase() == Phase.ORDERED;
            if (!isHalfMoved || cluster.isPaused(node)) {
                orderedSinceNanos[node] = now;
            } else if (now - orderedSinceNanos[node] > longestMoveNanos()) {
                violated(
                        node,
                        "is still half moved after " + (now - orderedSinceNanos[node]) / 1_000_000 + " ms: "
                                + cluster.word(node));
            }
        }
    }

    private long longestMoveNanos() {
        return (long) (config.longestMove().toNanos() * DRIFT);
    }

    private void violated(int node, String what) {
        verdict.violated(config.nodes().get(node).name() + " " + what);
    }

    /** A drained node has the file of a spare one. */
    private static boolean isSameFile(Role one, Role other) {
        return one.equals(other) || (!(one instanceof Role.Serving) && !(other instanceof Role.Serving));
    }

    @Override
    public void looked(int node, ClusterView view) {
        views[node] = view;
        for (NodeView seen : view.nodes().values()) {
            int other = index(seen.id());
            if (seen instanceof NodeView.Known known) {
                ordersSeen.looked(node, other, known.word());
                firstKnownNanos[node][other] = Math.min(firstKnownNanos[node][other], time.nowNanos());
            }
        }
    }

    private int index(NodeId id) {
        return id.value() - 1;
    }

    @Override
    public void ordering(Order order) {
        boolean isWanted = order.move().reason() == MoveReason.OPERATOR;
        if (config.mode() != Mode.ACT && !(isWanted && config.mode() == Mode.RECOMMEND)) {
            violated(order.mover(), "orders in mode " + config.mode());
        }
        if (order.view().unknownShare() > config.decision().maxUnknownShare()) {
            violated(order.mover(), "orders though " + order.view().unknownShare() + " of the nodes are unknown");
        }
        checkVictim(order);
        bounds.check(order).ifPresent(broken -> violated(order.mover(), broken));
        boolean isForced = isWanted && isForcing.test(order.mover());
        if (!isForced) {
            checkRest(order);
        }
    }

    /** Only what is known may be moved, and known is not what repeats itself while an agent lives that can say so. */
    private void checkVictim(Order order) {
        NodeView victim =
                order.view().nodes().get(config.nodes().get(order.target()).id());
        if (!(victim instanceof NodeView.Known known) || known.load().serverHealth() != Health.UP) {
            violated(order.mover(), "moves a node that it does not know to work: " + victim);
        }
        long believedNanos = (long) ((config.timing().staleness().toNanos()
                        + config.timing().lease().toNanos()
                        + 2 * config.timing().publishInterval().toNanos())
                * DRIFT);
        order.view().known().forEach(seen -> {
            int node = index(seen.id());
            boolean isFrozen = cluster.trouble(node).page() == Page.FROZEN;
            boolean isLate = isFrozen && time.nowNanos() - frozenSinceNanos[node] > believedNanos;
            if (isLate && seen.load().serverHealth().isUp()) {
                violated(
                        order.mover(),
                        "orders and believes the load of "
                                + config.nodes().get(node).name()
                                + ", whose page has stood still for "
                                + (time.nowNanos() - frozenSinceNanos[node]) / 1_000_000 + " ms");
            }
        });
    }

    /**
     * Its rest after orders that were undone, budget of the sites, as far as this life of the
     * mover can know. An order that expects a word of before the change, as the look took its time, changes nothing.
     */
    private void checkRest(Order order) {
        long changed = changedNanos[order.target()];
        boolean isLate = !order.expected().equals(cluster.word(order.target()));
        boolean hasSeen = !isLate && firstKnownNanos[order.mover()][order.target()] < changed;
        if (hasSeen && ordersSeen.isTooSoon(order.mover(), order.target(), time.nowNanos())) {
            violated(
                    order.mover(),
                    "moves " + config.nodes().get(order.target()).name() + " again, whose last order was undone "
                            + (time.nowNanos() - changed) / 1_000_000 + " ms ago");
        }
        for (SiteId id : order.move().sites()) {
            if (ordersSeen.ordering(order.mover(), id) > config.decision().movesPerHour()) {
                violated(order.mover(), "orders more for " + RoleText.site(id, config) + " than an hour allows");
            }
        }
    }

    @Override
    public void ordered(Order order) {
        orders++;
        ordersSeen.ordered(order);
        for (int node = 0; node < nodes; node++) {
            RoleWord word = cluster.word(node);
            boolean isKnown = order.view().nodes().get(config.nodes().get(node).id()) instanceof NodeView.Known;
            boolean isOther = !order.isTogetherWith(config.nodes().get(node).id());
            boolean isOnItsWay = isOther && cluster.isAgentUp(node) && word.phase() == Phase.ORDERED;
            if (isOnItsWay && isKnown && OrdersSeen.isOfOneSite(word, order.move())) {
                violated(
                        order.target(),
                        "is ordered away while " + config.nodes().get(node).name()
                                + ", which the mover knows, is on its way for the same site");
            }
        }
    }

    @Override
    public void wordChanged(int node, RoleWord before, RoleWord now) {
        boolean isFence = before.phase() == Phase.ACTIVE && now.equals(before.fenced());
        boolean isOrder = before.phase() == Phase.ACTIVE
                && now.phase() == Phase.ORDERED
                && now.from().equals(before.to())
                && now.epoch() > before.epoch();
        boolean isEnd =
                before.phase() == Phase.ORDERED && (now.equals(before.completed()) || now.equals(before.rolledBack()));
        if (!isFence && !isOrder && !isEnd) {
            violated(node, "goes from " + before + " to " + now);
        }
        // A node whose journal was lost ends its move again: those who saw the first end see no change.
        boolean isNews = !isEnd || !now.isSameButFence(Objects.requireNonNullElse(lastEnds[node], before));
        if (!isFence && isNews) {
            changedNanos[node] = time.nowNanos();
        }
        if (isEnd && isNews) {
            lastEnds[node] = now;
            ordersSeen.ended(node, now.equals(before.completed()), time.nowNanos());
        }
        Station station = service.station(node);
        boolean isInForce = isSameFile(station.plan().role(), now.to());
        if (isEnd && now.equals(before.completed()) && station.isUp() && !isInForce) {
            violated(
                    node,
                    "counts as " + RoleText.of(now.to(), config) + " and runs "
                            + RoleText.of(station.plan().role(), config));
        }
    }

    /** Whether the node rests, as far as anybody can know, because orders of it were undone. */
    boolean isResting(int node) {
        return ordersSeen.mayRest(node, time.nowNanos());
    }

    @Override
    public void wordAtBoot(int node, RoleWord now) {
        forget(node);
        orderedSinceNanos[node] = time.nowNanos();
        troubledSinceNanos[node] = time.nowNanos();
        views[node] = ClusterView.of(List.of());
    }

    @Override
    public void reached(int node, MoveRecord entry) {
        if (entry.phase() == MovePhase.ACTIVE) {
            troubledSinceNanos[node] = time.nowNanos();
        }
        boolean isApp = entry.word().from() instanceof Role.Serving(var _, Tier tier) && tier == Tier.APP;
        if (entry.phase() != MovePhase.UPSTREAM_PROVEN || !isApp) {
            return;
        }
        for (int proxy = 0; proxy < nodes; proxy++) {
            Station station = service.station(proxy);
            NodeView seen = views[node].nodes().get(config.nodes().get(proxy).id());
            boolean isAsked = proxy != node && seen != null && isProxy(seen, entry.word()) && seen.isServing();
            if (isAsked && station.isUp() && station.plan().apps().contains(node)) {
                violated(
                        node,
                        "takes it for proven that nobody sends to it, and "
                                + config.nodes().get(proxy).name() + " does");
            }
        }
    }

    /** As far as the node that moves knows: a proxy that it has never seen as one is a limit, see the README. */
    private static boolean isProxy(NodeView seen, RoleWord order) {
        RoleWord word = switch (seen) {
            case NodeView.Known known -> known.word();
            case NodeView.Silent silent -> silent.lastWord();
            case NodeView.NeverSeen _ -> order;
        };
        Role proxy =
                order.from() instanceof Role.Serving(SiteId site, var _) ? Role.serving(site, Tier.PROXY) : Role.SPARE;
        return word.from().equals(proxy) || word.to().equals(proxy);
    }

    @Override
    public void published(int node, LoadRecord load) {
        // A record of before that may be of a few milliseconds since a change of role or the start of the agent.
        boolean isTroubled =
                cluster.trouble(node).page() != Page.TRUE && time.nowNanos() - troubledSinceNanos[node] > TRUTH_NANOS;
        Station station = service.station(node);
        double sharePresent = busy[node].present(time.nowNanos(), station.busySeconds(time.nowNanos()));
        boolean isTakenForIdle = load.serverHealth().isUp() && load.utilisation() < IDLE;
        if (isTroubled && isTakenForIdle && busy[node].share > BUSY && sharePresent > BUSY) {
            violated(node, "publishes no load, and its server has been busy " + busy[node].share + " of the time");
        }
    }

    @Override
    public void ran(int node, Plan plan) {
        boolean isProxy = plan.role() instanceof Role.Serving(var _, Tier tier) && tier == Tier.PROXY;
        if (isProxy && plan.apps().isEmpty()) {
            violated(node, "runs a proxy without any app node");
        }
    }
}
