package dev.retier.sim.faults;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.DecisionRules;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.config.TierBounds;
import dev.retier.agent.view.RoleText;
import dev.retier.sim.cluster.Cluster;
import dev.retier.sim.service.Service;
import dev.retier.sim.service.Station;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;
import dev.retier.state.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Judges a cluster that has come to rest under a constant load: whether all is in order, and whether its split is the
 * best that moves can reach. That is the case when no single move that the rails allow is a gain by the rule of the
 * decision (design section 6), computed from the true utilisation over the whole time of rest. Figures near a border
 * may fall on either side of it, so a move counts as missed only when it is a gain by {@link #MARGIN} more than asked
 * for.
 */
final class Rest {
    /** Noise of a utilisation over the agents' window, and the cost of a move as they measured it. */
    private static final double MARGIN = 0.15;

    private static final double NANOS_PER_SECOND = 1e9;

    private final ClusterConfig config;
    private final Cluster cluster;
    private final Service service;
    private final IntPredicate isResting;
    private final double[] busyAtFirst;
    private final long fromNanos;

    /** One tier of one site, as it truly was. */
    private record TierTruth(SiteConfig site, Tier tier, List<Integer> members, double utilisation) {}

    /** Begins now; a node that {@code isResting}, as orders of it were undone, is not missed. */
    Rest(ClusterConfig config, Cluster cluster, Service service, IntPredicate isResting, long nowNanos) {
        this.config = config;
        this.cluster = cluster;
        this.service = service;
        this.isResting = isResting;
        this.fromNanos = nowNanos;
        this.busyAtFirst = IntStream.range(0, config.nodes().size())
                .mapToDouble(node -> service.station(node).busySeconds(nowNanos))
                .toArray();
    }

    /**
     * A node that is not in one role, or whose server does not run it with the members that there are; an edge that
     * does not send to the proxies that there are.
     */
    Optional<String> disorder() {
        return IntStream.range(0, config.nodes().size())
                .mapToObj(this::disorder)
                .flatMap(Optional::stream)
                .findFirst()
                .or(() -> config.sites().stream()
                        .map(this::disorder)
                        .flatMap(Optional::stream)
                        .findFirst());
    }

    /** An empty list is never written, so that the last one stays. */
    private Optional<String> disorder(SiteConfig site) {
        List<Integer> proxies = members(Role.serving(site.id(), Tier.PROXY));
        List<Integer> sentTo = cluster.edge(site.id()).running();
        return proxies.isEmpty() || sentTo.equals(proxies)
                ? Optional.empty()
                : Optional.of("the edge of " + site.name() + " sends to " + sentTo + " instead of " + proxies);
    }

    private Optional<String> disorder(int node) {
        String name = config.nodes().get(node).name();
        RoleWord word = cluster.word(node);
        Station station = service.station(node);
        if (!cluster.isAgentUp(node) || !station.isUp() || word.phase() != Phase.ACTIVE) {
            return Optional.of(name + " is not at rest: " + word);
        }
        if (!station.plan().role().equals(word.to())) {
            return Optional.of(name + " is " + RoleText.of(word.to(), config) + " and runs "
                    + RoleText.of(station.plan().role(), config));
        }
        boolean isProxy = word.to() instanceof Role.Serving(var _, Tier tier) && tier == Tier.PROXY;
        List<Integer> apps = isProxy && word.to() instanceof Role.Serving(var site, var _)
                ? members(Role.serving(site, Tier.APP))
                : List.of();
        boolean isLast = isProxy && apps.isEmpty(); // an empty list is never written, so that the last one stays
        return isLast || station.plan().apps().equals(apps)
                ? Optional.empty()
                : Optional.of(name + " forwards to " + station.plan().apps() + " instead of " + apps);
    }

    private List<Integer> members(Role role) {
        return IntStream.range(0, config.nodes().size())
                .filter(node -> cluster.word(node).serves(role))
                .boxed()
                .toList();
    }

    /** A move that the rails allow and that is a clear gain. */
    Optional<String> missed(long nowNanos) {
        List<TierTruth> tiers = new ArrayList<>();
        for (SiteConfig site : config.sites()) {
            for (Tier tier : Tier.values()) {
                List<Integer> members = members(Role.serving(site.id(), tier));
                tiers.add(new TierTruth(site, tier, members, utilisation(members, nowNanos)));
            }
        }
        return tiers.stream()
                .filter(this::needsMore)
                .flatMap(taking -> missed(taking, tiers))
                .findFirst();
    }

    private boolean needsMore(TierTruth tier) {
        TierBounds bounds = tier.site.bounds(tier.tier);
        boolean isPressed = tier.utilisation >= config.decision().takeThreshold() + MARGIN;
        return tier.members.size() < bounds.min() || (isPressed && tier.members.size() < bounds.max());
    }

    private Stream<String> missed(TierTruth taking, List<TierTruth> tiers) {
        Stream<String> spares = members(Role.SPARE).stream()
                .filter(node -> mayServe(node, taking))
                .map(node -> config.nodes().get(node).name() + " stays spare while " + text(taking));
        Stream<String> others = tiers.stream()
                .filter(giving -> isMissed(taking, giving))
                .map(giving -> "rests though " + text(taking) + " and " + text(giving));
        return Stream.concat(spares, others);
    }

    private double utilisation(List<Integer> members, long nowNanos) {
        return members.stream()
                .mapToDouble(node -> (service.station(node).busySeconds(nowNanos) - busyAtFirst[node])
                        * NANOS_PER_SECOND
                        / (nowNanos - fromNanos))
                .average()
                .orElse(0);
    }

    private boolean mayServe(int node, TierTruth taking) {
        NodeConfig one = config.nodes().get(node);
        return !isResting.test(node) && one.server().kind().canServe(Role.serving(taking.site.id(), taking.tier));
    }

    private boolean isMissed(TierTruth taking, TierTruth giving) {
        boolean isOwn = giving.site.equals(taking.site);
        List<Integer> able =
                giving.members.stream().filter(node -> mayServe(node, taking)).toList();
        boolean isPossible = giving.tier != taking.tier || !isOwn;
        if (!isPossible
                || able.isEmpty()
                || giving.members.size() <= giving.site.bounds(giving.tier).min()) {
            return false;
        }
        // What a site with a guarantee keeps for it depends on what it was asked for before, so it is not judged.
        boolean isPromised = giving.site.guaranteeRequestsPerSecond() != null;
        return !isPromised && isFairGain(taking, giving, able, isOwn);
    }

    private boolean isFairGain(TierTruth taking, TierTruth giving, List<Integer> able, boolean isOwn) {
        DecisionRules rules = config.decision();
        double bound = isOwn ? taking.utilisation : Math.min(taking.utilisation, rules.takeThreshold());
        double whole = capacity(giving.members);
        double least = able.stream()
                .mapToDouble(node -> whole - capacity(List.of(node)))
                .min()
                .orElse(0);
        double predicted = least <= 0 ? Double.POSITIVE_INFINITY : giving.utilisation * whole / least;
        boolean isCalm = giving.utilisation < Math.min(rules.giveThreshold(), rules.takeThreshold()) - MARGIN;
        return isCalm && predicted * (1 + rules.tolerance()) < bound - MARGIN;
    }

    private double capacity(List<Integer> nodes) {
        return nodes.stream()
                .mapToDouble(node -> service.station(node).unitsPerSecond())
                .sum();
    }

    private static String text(TierTruth tier) {
        return tier.site.name() + "/" + (tier.tier == Tier.PROXY ? "proxy" : "app") + " is at "
                + Math.round(tier.utilisation * 100) + " % on " + tier.members.size();
    }
}
