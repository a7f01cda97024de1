package dev.retier.agent.decide;

import dev.retier.agent.config.ServerKind;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.view.NodeView;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Who may give a node to one tier of the site that may take, as far as the rails say that do not count members. Nearest
 * first: spares, the own site, other sites with the lowest priority first.
 */
record Options(Tier to, List<Giver> givers) {
    /**
     * Spares, or a tier.
     *
     * @param donor empty for spares
     * @param nodes that may go, in the order of {@link Candidates}
     */
    record Giver(Optional<Donor> donor, List<NodeView.Known> nodes) {
        Role role() {
            return donor.map(Donor::role).orElse(Role.SPARE);
        }
    }

    static Options of(Case facts, Tier to) {
        Options options = new Options(to, new ArrayList<>());
        options.addSpare(facts);
        Stream.concat(Stream.of(facts.site()), others(facts))
                .flatMap(site -> Stream.of(Tier.values())
                        .filter(tier ->
                                tier != to || !site.id().equals(facts.site().id()))
                        .map(tier -> new Donor(site, tier)))
                .forEach(donor -> options.add(facts, donor));
        return options;
    }

    /** A tier that may give. */
    record Donor(SiteConfig site, Tier tier) {
        Role role() {
            return Case.role(site, tier);
        }
    }

    private static Stream<SiteConfig> others(Case facts) {
        return facts.policy().sites().reversed().stream()
                .filter(site -> !site.id().equals(facts.site().id()));
    }

    private void addSpare(Case facts) {
        List<NodeView.Known> spares = able(facts, Role.SPARE);
        if (!spares.isEmpty() && !isHigherPriorityWaiting(facts, spares)) {
            givers.add(new Giver(Optional.empty(), spares));
        }
    }

    /** A site that goes first would take one of the spare nodes as well, if its own rails let it take any. */
    private static boolean isHigherPriorityWaiting(Case facts, List<NodeView.Known> spares) {
        return facts.policy().sites().stream()
                .filter(site -> site.priority() < facts.site().priority())
                .filter(site -> facts.rail(site).isEmpty())
                .anyMatch(site -> Stream.of(Tier.values())
                        .filter(tier -> facts.isSure(site, tier))
                        .anyMatch(tier -> Candidates.isRoomFor(facts, site, tier, spares)));
    }

    private void add(Case facts, Donor donor) {
        List<NodeView.Known> able = able(facts, donor.role());
        if (!able.isEmpty() && mayGive(facts, donor)) {
            givers.add(new Giver(Optional.of(donor), able));
        }
    }

    private List<NodeView.Known> able(Case facts, Role role) {
        return Candidates.rested(facts, Candidates.able(facts, to, role)).stream()
                .sorted(Candidates.order(facts, to))
                .toList();
    }

    private static boolean mayGive(Case facts, Donor donor) {
        boolean isOwnSite = donor.site.id().equals(facts.site().id());
        boolean isUnmanaged = donor.tier == Tier.APP && facts.hasUnmanagedProxy(donor.site);
        return (isOwnSite || facts.rail(donor.site).isEmpty())
                && facts.trend(donor.site, donor.tier).isFresh()
                && !facts.view().isHeldByAnEdge(donor.role())
                && !isUnmanaged;
    }

    /** The step that gives that node. */
    Option option(Case facts, Giver giver, NodeView.Known node) {
        double given = giver.donor()
                .map(donor -> facts.trend(donor.site, donor.tier).weights().getOrDefault(node.id(), 0.0))
                .orElse(0.0);
        return new Option(
                giver.role(),
                giver.donor().map(Donor::site),
                to,
                node,
                given,
                facts.units(node, facts.trend(facts.site(), to)),
                seconds(facts, node));
    }

    /** As moves of its kind have taken of late, for each time that it takes to succeed. */
    private static double seconds(Case facts, NodeView.Known node) {
        ServerKind kind = facts.policy().kinds().get(node.id());
        double once = kind == null ? 0 : facts.history().moveSeconds(kind);
        return once * (1 + facts.undoneInARow(node.id()));
    }
}
