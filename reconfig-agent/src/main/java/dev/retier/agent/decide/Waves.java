package dev.retier.agent.decide;

import dev.retier.agent.config.SiteConfig;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which moves of a change can be made at once: as many of the first as leave every tier its minimum and its maximum
 * whether or not any of them arrives, and take no more of a tier than may be in transit. The rest waits for those, and
 * is divided in the same way.
 */
final class Waves {
    private final Case facts;
    private final Map<Role, Integer> arrived = new HashMap<>();
    private final Map<Role, Integer> leaving = new HashMap<>();
    private final Map<Role, Integer> coming = new HashMap<>();

    private Waves(Case facts) {
        this.facts = facts;
    }

    /** A node that changes its role. */
    interface Step {
        /** The role that it leaves. */
        Role leaves();

        /** The role that it takes. */
        Role takes();
    }

    /** The waves of {@code steps}; empty if one of them cannot be made, or all are more than the budgets allow. */
    static <S extends Step> Optional<List<List<S>>> of(Case facts, List<S> steps) {
        return isWithinBudgets(facts, steps) ? new Waves(facts).split(steps) : Optional.empty();
    }

    /** What brings members that a tier must have is: see {@link Rails#ofSite}. */
    private static boolean isWithinBudgets(Case facts, List<? extends Step> steps) {
        Role taken = steps.getFirst().takes();
        if (steps.size() <= facts.lacking(taken)
                && steps.stream().allMatch(step -> step.takes().equals(taken))) {
            return true;
        }
        Map<SiteId, Integer> moves = new HashMap<>();
        for (Step step : steps) {
            SiteId giver = site(step.leaves());
            SiteId taker = site(step.takes());
            if (giver != null) {
                moves.merge(giver, 1, Integer::sum);
            }
            if (taker != null && !taker.equals(giver)) {
                moves.merge(taker, 1, Integer::sum);
            }
        }
        return moves.entrySet().stream()
                .allMatch(entry -> facts.history().movesLastHour(entry.getKey(), facts.nowNanos()) + entry.getValue()
                        <= facts.rules().movesPerHour());
    }

    private static @Nullable SiteId site(Role role) {
        return role instanceof Role.Serving(SiteId site, var _) ? site : null;
    }

    private <S extends Step> Optional<List<List<S>>> split(List<S> steps) {
        int most = facts.areBatchesKnown() ? steps.size() : 1;
        List<List<S>> waves = new ArrayList<>();
        List<S> wave = new ArrayList<>();
        for (S step : steps) {
            if (!wave.isEmpty() && (wave.size() == most || !hasRoom(step))) {
                waves.add(wave);
                wave = new ArrayList<>();
                arrive();
            }
            if (!hasRoom(step)) {
                return Optional.empty();
            }
            leaving.merge(step.leaves(), 1, Integer::sum);
            coming.merge(step.takes(), 1, Integer::sum);
            wave.add(step);
        }
        waves.add(wave);
        return Optional.of(waves);
    }

    private void arrive() {
        leaving.forEach((role, count) -> arrived.merge(role, -count, Integer::sum));
        coming.forEach((role, count) -> arrived.merge(role, count, Integer::sum));
        leaving.clear();
        coming.clear();
    }

    private boolean hasRoom(Step step) {
        return mayLeave(step.leaves()) && mayCome(step.takes());
    }

    private boolean mayLeave(Role role) {
        if (!(role instanceof Role.Serving serving)) {
            return true;
        }
        SiteConfig site = facts.policy().site(serving.site()).orElseThrow();
        int members = members(site, serving);
        int gone = leaving.getOrDefault(role, 0) + 1;
        int atOnce = Math.max(1, (int) (members * facts.rules().maxInTransitShare()));
        return gone <= atOnce && members - gone >= site.bounds(serving.tier()).min();
    }

    private boolean mayCome(Role role) {
        if (!(role instanceof Role.Serving serving)) {
            return true;
        }
        SiteConfig site = facts.policy().site(serving.site()).orElseThrow();
        return members(site, serving) + coming.getOrDefault(role, 0)
                < site.bounds(serving.tier()).max();
    }

    private int members(SiteConfig site, Role.Serving role) {
        return facts.trend(site, role.tier()).members().size() + arrived.getOrDefault(role, 0);
    }
}
