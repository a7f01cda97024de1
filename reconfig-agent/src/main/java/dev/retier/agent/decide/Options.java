package dev.retier.agent.decide;

import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.view.NodeView;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Who may give a node to one tier, as far as the rails say that do not count members, and who may not. Nearest first:
 * spares, the site itself, other sites with the lowest priority first.
 */
final class Options {
    /** Utilisations closer than this are equal: the choice must not hang on noise. */
    private static final double EQUAL_LOAD = 0.05;

    private final Case facts;
    private final SiteConfig taker;
    private final Tier to;
    private final ToDoubleFunction<NodeView.Known> unitsTaken;
    private final List<Giver> givers = new ArrayList<>();
    private final List<Refusal> refusals = new ArrayList<>();

    /**
     * Spares, or a tier.
     *
     * @param site whose tier it is, empty for spares
     * @param role of the nodes
     * @param nodes that may go, the best first
     */
    record Giver(Optional<SiteConfig> site, Role role, List<NodeView.Known> nodes) {
        String name() {
            return site.map(of -> Options.name(of, role)).orElse("spare");
        }
    }

    /** Who gives nothing, and why. */
    record Refusal(String giver, StayReason reason) {}

    Options(Case facts, SiteConfig taker, Tier to) {
        this.facts = facts;
        this.taker = taker;
        this.to = to;
        this.unitsTaken = Case.units(facts.trend(taker, to));
        addSpares();
        Stream.concat(Stream.of(taker), others())
                .forEach(site -> Stream.of(Tier.values())
                        .filter(tier -> tier != to || !site.id().equals(taker.id()))
                        .forEach(tier -> add(site, tier)));
    }

    private static String name(SiteConfig site, Role role) {
        boolean isProxy = role instanceof Role.Serving(var _, Tier tier) && tier == Tier.PROXY;
        return site.name() + "/" + (isProxy ? "proxy" : "app");
    }

    Tier to() {
        return to;
    }

    List<Giver> givers() {
        return givers;
    }

    List<Refusal> refusals() {
        return refusals;
    }

    private Stream<SiteConfig> others() {
        return facts.policy().sites().reversed().stream()
                .filter(site -> !site.id().equals(taker.id()));
    }

    private void addSpares() {
        List<NodeView.Known> spares = rested(able(Role.SPARE));
        if (!spares.isEmpty()) {
            givers.add(new Giver(Optional.empty(), Role.SPARE, spares));
        }
    }

    private void add(SiteConfig site, Tier tier) {
        Role role = Case.role(site, tier);
        List<NodeView.Known> able = able(role);
        List<NodeView.Known> rested = rested(able);
        refusal(site, tier, able, rested)
                .ifPresentOrElse(
                        reason -> refusals.add(new Refusal(name(site, role), reason)),
                        () -> givers.add(new Giver(Optional.of(site), role, rested)));
    }

    private Optional<StayReason> refusal(
            SiteConfig site, Tier tier, List<NodeView.Known> able, List<NodeView.Known> rested) {
        boolean isOwn = site.id().equals(taker.id());
        StayReason noneAble = facts.isAtMinimum(site, tier) ? StayReason.DONOR_AT_MINIMUM : StayReason.NO_DONOR_KNOWN;
        return Stream.of(
                        isOwn ? Stream.<StayReason>empty() : Rails.ofSite(facts, site, facts.lacking(taker, to)),
                        Rails.when(!facts.trend(site, tier).isFresh(), StayReason.SETTLING),
                        Rails.when(able.isEmpty(), noneAble),
                        Rails.when(able.stream().allMatch(this::holdsVolumes), StayReason.HOLDS_VOLUMES),
                        Rails.ofLeaving(facts, site, tier),
                        Rails.when(rested.isEmpty(), StayReason.NODE_RESTS))
                .flatMap(reasons -> reasons)
                .findFirst();
    }

    /** The nodes of {@code role} that could do the work, whether they rest or not. */
    private List<NodeView.Known> able(Role role) {
        Role wanted = Case.role(taker, to);
        return facts.able(role).stream()
                .filter(node -> facts.policy().mayMove(node.id(), wanted))
                .toList();
    }

    private boolean holdsVolumes(NodeView.Known node) {
        return facts.holdsVolumes(node.id());
    }

    /** Those that hold nothing and do not rest. */
    private List<NodeView.Known> rested(List<NodeView.Known> nodes) {
        return nodes.stream()
                .filter(node -> !holdsVolumes(node))
                .filter(node -> facts.restLeftNanos(node.id()) <= 0)
                .sorted(order())
                .toList();
    }

    /**
     * The least loaded first, then the lowest id.
     */
    private static Comparator<NodeView.Known> order() {
        return Comparator.<NodeView.Known>comparingLong(
                        node -> Math.round(node.load().utilisation() / EQUAL_LOAD))
                .thenComparing(NodeView.Known::id, Comparator.<NodeId>naturalOrder());
    }

    /** The step that gives that node. */
    Option option(Giver giver, NodeView.Known node) {
        double given = giver.site().isPresent() && giver.role() instanceof Role.Serving(var _, Tier tier)
                ? facts.trend(giver.site().get(), tier).weights().getOrDefault(node.id(), 0.0)
                : 0;
        return new Option(
                giver.role(),
                giver.site(),
                taker,
                to,
                node,
                given,
                unitsTaken.applyAsDouble(node),
                facts.moveSeconds(node));
    }
}
