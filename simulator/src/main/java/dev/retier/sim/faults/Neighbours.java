package dev.retier.sim.faults;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.config.TierBounds;
import dev.retier.agent.view.RoleText;
import dev.retier.sim.run.Simulation;
import dev.retier.sim.service.Ledger;
import dev.retier.sim.service.Service;
import dev.retier.sim.time.VirtualTime;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Whether clients would be answered better by another split of the same nodes, found by trying: each that is one move
 * away, or two, serves the same load on servers of its own. It knows nothing of what agents think of a split. Better is
 * what keeps promises better, by priority; then what answers more. What fails requests, to answer cheaper ones, is not,
 * nor what presses the tier of a site that wins nothing, or is for one that is not pressed. What a site with a promise
 * keeps for it depends on what it was asked for before, so that it gives nothing is no fault. Not thread-safe.
 */
final class Neighbours {
    /** Enough to see which splits are worth the time. */
    private static final long BRIEF_NANOS = 3_000_000_000L;

    private static final long LONG_NANOS = 30_000_000_000L;
    private static final long WARM_NANOS = 1_000_000_000L;
    /** On top of the tolerance. */
    private static final double MARGIN = 0.1;
    /** What is worse by less is noise. */
    private static final double NOISE = 0.02;

    private final ClusterConfig config;
    private final Service.Parts parts;
    private final int mostInFlight;

    /**
     * Of a cluster under a constant load.
     *
     * @param parts with one load for each site
     * @param mostInFlight as many requests does a server let in
     */
    Neighbours(ClusterConfig config, Service.Parts parts, int mostInFlight) {
        this.config = config;
        this.parts = parts;
        this.mostInFlight = mostInFlight;
    }

    /**
     * What a split came to, by site.
     *
     * @param answered requests per second
     * @param failed the same
     * @param used utilisation of its tiers, in order
     */
    private record Tried(List<Double> answered, double failed, List<List<Double>> used) {}

    /** One node that gets another role. */
    private record Step(int node, Role to) {}

    /**
     * The first split found that is clearly better than {@code roles}.
     *
     * @param mayMove the nodes that may move at all
     * @param steps 1, or 2 for pairs of moves as well
     */
    Optional<String> better(List<Role> roles, IntPredicate mayMove, int steps) {
        Tried now = tried(roles, BRIEF_NANOS);
        if (now.used.stream().flatMap(List::stream).noneMatch(this::isPressed)) {
            return Optional.empty();
        }
        Search search = new Search(roles, mayMove);
        search.from(List.of(), steps);
        return search.found.stream()
                .filter(change -> isBetter(now, tried(after(roles, change), BRIEF_NANOS), MARGIN / 2))
                .filter(change -> isBetter(tried(roles, LONG_NANOS), tried(after(roles, change), LONG_NANOS), MARGIN))
                .findFirst()
                .map(change -> text(roles, change));
    }

    /** Finds the changes that lead to splits which are not alike. */
    private final class Search {
        private final List<Role> roles;
        private final IntPredicate mayMove;
        private final List<List<Step>> found = new ArrayList<>();
        private final Set<List<String>> known = new HashSet<>();

        Search(List<Role> roles, IntPredicate mayMove) {
            this.roles = roles;
            this.mayMove = mayMove;
            known.add(kindred(roles));
        }

        void from(List<Step> before, int steps) {
            List<Role> present = after(roles, before);
            for (int node = 0; node < roles.size(); node++) {
                int moving = node;
                if (mayMove.test(node)
                        && before.stream().noneMatch(step -> step.node == moving)
                        && mayLeave(present, present.get(node))) {
                    goOn(before, present, node, steps);
                }
            }
        }

        private void goOn(List<Step> before, List<Role> present, int node, int steps) {
            for (SiteConfig site : config.sites()) {
                for (Tier tier : Tier.values()) {
                    if (mayTake(present, node, site, tier)) {
                        List<Step> next = new ArrayList<>(before);
                        next.add(new Step(node, Role.serving(site.id(), tier)));
                        if (known.add(kindred(after(roles, next)))) {
                            found.add(next);
                        }
                        if (steps > 1) {
                            from(next, steps - 1);
                        }
                    }
                }
            }
        }
    }

    private boolean mayLeave(List<Role> roles, Role role) {
        return switch (role) {
            case Role.Drained _ -> false;
            case Role.Spare _ -> true;
            case Role.Serving(var id, Tier tier) -> {
                SiteConfig site = config.site(id).orElseThrow();
                yield site.guaranteeRequestsPerSecond() == null
                        && Collections.frequency(roles, role)
                                > bounds(site, tier).min();
            }
        };
    }

    private boolean mayTake(List<Role> roles, int node, SiteConfig site, Tier tier) {
        Role to = Role.serving(site.id(), tier);
        NodeConfig one = config.nodes().get(node);
        return !roles.get(node).equals(to)
                && one.canServe(to)
                && Collections.frequency(roles, to) < bounds(site, tier).max();
    }

    private static TierBounds bounds(SiteConfig site, Tier tier) {
        return site.bounds(tier);
    }

    private static List<Role> after(List<Role> roles, List<Step> change) {
        List<Role> after = new ArrayList<>(roles);
        change.forEach(step -> after.set(step.node, step.to));
        return after;
    }

    /** Splits of which only equal nodes have changed places are one. */
    private List<String> kindred(List<Role> roles) {
        return IntStream.range(0, roles.size())
                .mapToObj(node -> roles.get(node) + " " + parts.unitsPerSecond().get(node) + " "
                        + config.nodes().get(node).server().kind())
                .sorted()
                .toList();
    }

    private Tried tried(List<Role> roles, long spanNanos) {
        VirtualTime time = new VirtualTime();
        Service service = new Service(time, parts);
        for (int node = 0; node < roles.size(); node++) {
            service.station(node).limit(mostInFlight);
            service.station(node).warm();
        }
        Simulation.assign(config.sites().stream().map(SiteConfig::id).toList(), service, roles);
        for (int site = 0; site < config.sites().size(); site++) {
            service.repeat(site);
        }
        while (time.step(WARM_NANOS, service::on)) {
            // Each step is one event.
        }
        double[] before = busy(service, roles.size(), WARM_NANOS);
        while (time.step(WARM_NANOS + spanNanos, service::on)) {
            // Each step is one event.
        }
        double[] after = busy(service, roles.size(), WARM_NANOS + spanNanos);
        double seconds = spanNanos / 1e9;
        int first = (int) (WARM_NANOS / Ledger.BUCKET_NANOS);
        int count = (int) (spanNanos / Ledger.BUCKET_NANOS);
        List<Double> answered = new ArrayList<>();
        List<List<Double>> used = new ArrayList<>();
        double failed = 0;
        for (int site = 0; site < config.sites().size(); site++) {
            answered.add(service.ledger(site).done(first, count) / seconds);
            failed += service.ledger(site).failed(first, count) / seconds;
            int index = site;
            used.add(Stream.of(Tier.values())
                    .map(tier -> Role.serving(config.sites().get(index).id(), tier))
                    .map(role -> IntStream.range(0, roles.size())
                            .filter(node -> roles.get(node).equals(role))
                            .mapToDouble(node -> (after[node] - before[node]) / seconds)
                            .average()
                            .orElse(0))
                    .toList());
        }
        return new Tried(answered, failed, used);
    }

    private static double[] busy(Service service, int nodes, long nowNanos) {
        return IntStream.range(0, nodes)
                .mapToDouble(node -> service.station(node).busySeconds(nowNanos))
                .toArray();
    }

    private boolean isBetter(Tried now, Tried then, double margin) {
        double asked = config.decision().tolerance() + margin;
        if (then.failed
                > now.failed
                        + NOISE
                                * then.answered.stream()
                                        .mapToDouble(Double::doubleValue)
                                        .sum()) {
            return false;
        }
        double all = 0;
        double sum = 0;
        for (int site = 0; site < now.answered.size(); site++) {
            Double promise = config.sites().get(site).guaranteeRequestsPerSecond();
            double gain = then.answered.get(site) - now.answered.get(site);
            if (promise != null) {
                double kept =
                        Math.min(1, then.answered.get(site) / promise) - Math.min(1, now.answered.get(site) / promise);
                if (kept > asked || kept < -NOISE) {
                    return kept > 0;
                }
            }
            if (gain < asked * now.answered.get(site)
                    ? isTight(now.used.get(site), then.used.get(site))
                    : now.used.get(site).stream().noneMatch(this::isPressed)) {
                return false;
            }
            all += gain;
            sum += now.answered.get(site);
        }
        return all > asked * sum;
    }

    /** Whether a tier would be pressed more than it is. */
    private boolean isTight(List<Double> now, List<Double> then) {
        return IntStream.range(0, now.size())
                .anyMatch(tier -> then.get(tier) > now.get(tier) + NOISE
                        && isPressed(then.get(tier) * (1 + config.decision().tolerance())));
    }

    private boolean isPressed(double used) {
        return used > config.decision().takeThreshold() + NOISE;
    }

    private String text(List<Role> roles, List<Step> change) {
        StringBuilder text = new StringBuilder("rests though more would be answered with");
        for (Step step : change) {
            text.append(' ')
                    .append(config.nodes().get(step.node).name())
                    .append(" as ")
                    .append(RoleText.of(step.to, config))
                    .append(" instead of ")
                    .append(RoleText.of(roles.get(step.node), config))
                    .append(',');
        }
        return text + " by site " + tried(after(roles, change), LONG_NANOS).answered + " instead of "
                + tried(roles, LONG_NANOS).answered + " requests/s";
    }
}
