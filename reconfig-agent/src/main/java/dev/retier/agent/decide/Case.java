package dev.retier.agent.decide;

import dev.retier.agent.config.DecisionRules;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.link.NodeId;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one decision looks at. What many changes ask for is found once. Not thread-safe.
 */
final class Case {
    private static final double NANOS_PER_SECOND = 1e9;

    private final ClusterView view;
    private final History history;
    private final Policy policy;
    private final SiteConfig site;
    private final long nowNanos;
    private final boolean areBatchesKnown;
    private final Map<Role, List<NodeView.Known>> ableByRole = new HashMap<>();
    private @Nullable List<NodeView.Known> able;
    private final Map<SiteId, Capacity> capacities = new HashMap<>();
    private final Map<SiteId, Outlook> outlooks = new HashMap<>();
    private final Map<SiteId, Boolean> areInFlight = new HashMap<>();
    private final Map<SiteId, Boolean> haveUnmanagedProxies = new HashMap<>();

    /** Of {@code site}, which may take nodes. */
    Case(ClusterView view, History history, Policy policy, SiteConfig site, long nowNanos) {
        this.view = view;
        this.history = history;
        this.policy = policy;
        this.site = site;
        this.nowNanos = nowNanos;
        this.areBatchesKnown = view.areBatchesKnown();
    }

    ClusterView view() {
        return view;
    }

    History history() {
        return history;
    }

    Policy policy() {
        return policy;
    }

    SiteConfig site() {
        return site;
    }

    long nowNanos() {
        return nowNanos;
    }

    /** The nodes under no orders with a server that is up, in order of id. */
    List<NodeView.Known> able() {
        List<NodeView.Known> known = able;
        if (known == null) {
            known = view.known()
                    .filter(node -> node.load().serverHealth() == Health.UP)
                    .filter(node -> node.word().serves(node.word().to()))
                    .toList();
            able = known;
        }
        return known;
    }

    /** Those of them that serve {@code role}. */
    List<NodeView.Known> able(Role role) {
        return ableByRole.computeIfAbsent(
                role,
                wanted -> able().stream()
                        .filter(node -> node.word().to().equals(wanted))
                        .toList());
    }

    boolean areBatchesKnown() {
        return areBatchesKnown;
    }

    /** Whether a node is under orders from or to a tier of that site. */
    boolean isMoveInFlight(SiteConfig of) {
        return areInFlight.computeIfAbsent(of.id(), id -> !view.ordered(id).isEmpty());
    }

    /** Whether there was a look at all. */
    boolean hasLooked() {
        return history.site(site.id()) != null;
    }

    DecisionRules rules() {
        return policy.rules();
    }

    TierTrend trend(SiteConfig of, Tier tier) {
        return Objects.requireNonNull(history.tier(of.id(), tier), "a site of the policy has trends after a look");
    }

    SiteTrend trend(SiteConfig of) {
        return Objects.requireNonNull(history.site(of.id()), "a site of the policy has a trend after a look");
    }

    Spells spells(SiteConfig of) {
        return Objects.requireNonNull(history.spells(of.id()), "a site of the policy has spells after a look");
    }

    /**
     * Whether what presses {@code tier} has lasted for T. As sure is a spell of a kind of which every one that is
     * remembered has lasted for T.
     */
    boolean isSure(SiteConfig of, Tier tier) {
        Duration history = rules().takeHistory();
        boolean isKnownToLast = trend(of, tier).isPressed() && spells(of).isBoundToLast(limit(tier), seconds(history));
        return isKnownToLast || trend(of, tier).isPressedFor(history.toNanos(), nowNanos);
    }

    /**
     * Whether it delivers less than it promises, and figures of two times in a row press {@code tier}, which has been
     * pressed for as long as an answer takes: before that, what is missing may be under way.
     */
    boolean breaksPromise(SiteConfig of, Tier tier) {
        return trend(of).isShort()
                && trend(of, tier).isPressedFor(policy.publishInterval().toNanos(), nowNanos)
                && trend(of, tier).isPressedFor((long) (trend(of).answerSeconds() * NANOS_PER_SECOND), nowNanos);
    }

    private static Limit limit(Tier tier) {
        return tier == Tier.PROXY ? Limit.PROXY : Limit.APP;
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / NANOS_PER_SECOND;
    }

    Capacity capacity(SiteConfig of) {
        return capacities.computeIfAbsent(
                of.id(),
                _ -> new Capacity(
                        trend(of, Tier.PROXY).capacity(), trend(of, Tier.APP).capacity()));
    }

    Outlook outlook(SiteConfig of) {
        return outlooks.computeIfAbsent(
                of.id(), _ -> new Outlook(of, spells(of), capacity(of), rules().takeThreshold(), nowNanos));
    }

    /** What a node can do in a tier: as it says; as much as the others on average where they do not all say. */
    static ToDoubleFunction<NodeView.Known> units(TierTrend taking) {
        boolean isToldOf =
                taking.known() == 0 || !taking.weights().values().stream().allMatch(weight -> weight == 1.0);
        double average = taking.known() == 0 ? 1 : taking.capacity() / taking.known();
        return node -> {
            double told = node.load().capacityUnitsPerSecond();
            return isToldOf && told > 0 ? told : average;
        };
    }

    static Role role(SiteConfig of, Tier tier) {
        return Role.serving(of.id(), tier);
    }

    /** Whether a tier has no node above its minimum. */
    boolean isAtMinimum(SiteConfig of, Tier tier) {
        return trend(of, tier).members().size() <= of.bounds(tier).min();
    }

    /** Whether a tier has as many nodes as it may have. */
    boolean isAtMaximum(SiteConfig of, Tier tier) {
        return trend(of, tier).members().size() >= of.bounds(tier).max();
    }

    /** How many members a tier has for T been without that it must have. */
    int lacking(SiteConfig of, Tier tier) {
        return isSure(of, tier) ? trend(of, tier).missing() : 0;
    }

    /** The same of the tier that {@code role} serves in; 0 of any other role. */
    int lacking(Role role) {
        return role instanceof Role.Serving serving
                ? policy.site(serving.site())
                        .map(of -> lacking(of, serving.tier()))
                        .orElse(0)
                : 0;
    }

    /** How long a move of that node may take, as those of its kind have taken of late. */
    double moveSeconds(NodeView.Known node) {
        return policy.kind(node.id()).map(history::moveSeconds).orElse(0.0);
    }

    /** Whether it serves a volume that somebody has attached, or may. */
    boolean holdsVolumes(NodeId node) {
        return view.holdingVolumes().contains(node);
    }

    /** How long {@code node} still rests because orders of it were undone; zero or less when it may move. */
    long restLeftNanos(NodeId node) {
        UndoneOrders undone = history.undone().get(node);
        return undone == null ? 0 : undone.leftNanos(policy, nowNanos);
    }

    /**
     * A proxy whose agent is gone keeps its file, so it could never prove that it left a node out. An agent that is
     * late drowns with its proxy, which is when that one needs help most, and proves it late.
     */
    boolean hasUnmanagedProxy(SiteConfig of) {
        return haveUnmanagedProxies.computeIfAbsent(
                of.id(),
                _ -> view.serving(role(of, Tier.PROXY)).stream()
                        .map(NodeView::standingLoad)
                        .anyMatch(load -> load == null || load.serverHealth() == Health.LEAVING));
    }

    Decision.Stay no(StayReason reason) {
        return Decision.stay(site.id(), reason, figures());
    }

    /** Built at every look, so without a formatter. */
    String figures() {
        String loads = "proxy " + figures(trend(site, Tier.PROXY)) + ", app " + figures(trend(site, Tier.APP));
        Double guarantee = site.guaranteeRequestsPerSecond();
        String delivered = guarantee == null
                ? ""
                : ", delivers " + Math.round(trend(site).deliveredPerSecond()) + " of " + Math.round(guarantee) + "/s";
        return loads + delivered + rests() + unknown() + unmovable() + differing() + holding();
    }

    /** Which nodes rest because orders of them were undone, and for how long still. */
    private String rests() {
        StringBuilder text = new StringBuilder();
        history.undone().forEach((node, undone) -> {
            long leftNanos = undone.leftNanos(policy, nowNanos);
            if (leftNanos > 0) {
                text.append("; ")
                        .append(policy.name(node))
                        .append(" rests for ")
                        .append((long) Math.ceil(leftNanos / NANOS_PER_SECOND));
                text.append(" s more, orders undone: ").append(undone.inARow());
            }
        });
        return text.toString();
    }

    private String unknown() {
        StringBuilder text = new StringBuilder();
        view.nodes().values().stream()
                .filter(node -> node.standingLoad() == null)
                .forEach(node ->
                        text.append(text.isEmpty() ? "; unknown: " : ", ").append(policy.name(node.id())));
        return text.toString();
    }

    private String unmovable() {
        StringBuilder text = new StringBuilder();
        view.known()
                .filter(node -> node.load().serverHealth() == Health.UNMOVABLE)
                .forEach(node -> text.append("; ")
                        .append(policy.name(node.id()))
                        .append(" cannot write its journal or its role file, so it takes no order"));
        return text.toString();
    }

    private String differing() {
        StringBuilder text = new StringBuilder();
        view.differing()
                .forEach(node -> text.append("; ").append(policy.name(node)).append(" has another cluster file"));
        return text.toString();
    }

    private String holding() {
        StringBuilder text = new StringBuilder();
        view.holdingVolumes()
                .forEach(node -> text.append("; ").append(policy.name(node)).append(" holds volumes, so it stays"));
        return text.toString();
    }

    private String figures(TierTrend trend) {
        String load = trend.known() == 0 ? "?" : hundredths(trend.pressure());
        double seconds = Math.round((nowNanos - trend.directionSinceNanos()) / 1e8) / 10.0;
        return load + " on " + trend.members().size() + " (" + word(trend.direction()) + " for " + seconds + " s)";
    }

    private static String hundredths(double value) {
        return String.valueOf(Math.round(value * 100) / 100.0);
    }

    private static String word(TierTrend.Direction direction) {
        return switch (direction) {
            case UNKNOWN -> "unknown";
            case CALM -> "calm";
            case PRESSED -> "pressed";
        };
    }
}
