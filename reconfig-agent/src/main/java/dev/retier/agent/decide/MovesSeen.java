package dev.retier.agent.decide;

import dev.retier.agent.config.DecisionRules;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.view.ClusterView;
import dev.retier.state.NodeId;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;
import dev.retier.state.SiteId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The moves that this agent has seen in role words. A value. */
final class MovesSeen {
    private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();
    /** Twice the largest budget: a bound on memory that the budget itself never reaches. */
    private static final int MAX_MOVES = 2 * DecisionRules.MAX_MOVES_PER_HOUR;

    private final Map<NodeId, RoleWord> words;
    private final Map<NodeId, Long> nodeChangedNanos;
    private final Map<SiteId, Long> siteChangedNanos;
    private final List<Ordered> ordered;
    private final Map<ServerKind, RecentMedian> seconds;
    private final Optional<CompletedMove> newest;

    private record Ordered(Set<SiteId> sites, long atNanos) {}

    @SuppressWarnings("checkstyle:parameternumber") // as many as there are fields
    private MovesSeen(
            Map<NodeId, RoleWord> words,
            Map<NodeId, Long> nodeChangedNanos,
            Map<SiteId, Long> siteChangedNanos,
            List<Ordered> ordered,
            Map<ServerKind, RecentMedian> seconds,
            Optional<CompletedMove> newest) {
        this.words = words;
        this.nodeChangedNanos = nodeChangedNanos;
        this.siteChangedNanos = siteChangedNanos;
        this.ordered = ordered;
        this.seconds = seconds;
        this.newest = newest;
    }

    static MovesSeen none() {
        return new MovesSeen(Map.of(), Map.of(), Map.of(), List.of(), Map.of(), Optional.empty());
    }

    MovesSeen after(ClusterView view, Map<NodeId, ServerKind> kinds, long nowNanos) {
        Map<NodeId, RoleWord> nextWords = new HashMap<>(words);
        Map<NodeId, Long> nextNodes = new HashMap<>(nodeChangedNanos);
        Map<SiteId, Long> nextSites = new HashMap<>(siteChangedNanos);
        List<Ordered> nextOrdered = new ArrayList<>(ordered);
        Map<ServerKind, RecentMedian> nextSeconds = new HashMap<>(seconds);
        List<CompletedMove> completed = new ArrayList<>(newest.stream().toList());
        view.known().forEach(node -> {
            RoleWord before = nextWords.put(node.id(), node.word());
            if (before != null && isChange(before, node.word())) {
                completed(node.id(), before, node.word()).ifPresent(completed::add);
                ServerKind kind = kinds.get(node.id());
                if (kind != null && hasArrived(before, node.word())) {
                    double took = (nowNanos - nodeChangedNanos.getOrDefault(node.id(), nowNanos)) / 1e9;
                    nextSeconds.merge(kind, RecentMedian.none().with(took), (all, _) -> all.with(took));
                }
                Set<SiteId> sites = sites(before, node.word());
                nextNodes.put(node.id(), nowNanos);
                sites.forEach(site -> nextSites.put(site, nowNanos));
                if (node.word().epoch() > before.epoch()) {
                    nextOrdered.add(new Ordered(sites, nowNanos));
                }
            }
        });
        nextOrdered.removeIf(move -> nowNanos - move.atNanos >= HOUR_NANOS);
        int surplus = Math.max(0, nextOrdered.size() - MAX_MOVES);
        return new MovesSeen(
                nextWords,
                nextNodes,
                nextSites,
                nextOrdered.subList(surplus, nextOrdered.size()),
                nextSeconds,
                completed.stream().max(Comparator.comparingLong(CompletedMove::epoch)));
    }

    /** A fence alone, which each holder of the move lock sets on all nodes of the site, moves none of them. */
    private static boolean isChange(RoleWord before, RoleWord now) {
        return !now.equals(new RoleWord(before.epoch(), now.fence(), before.from(), before.to(), before.phase()));
    }

    /** The order itself may have come and gone between two looks. */
    private static Optional<CompletedMove> completed(NodeId node, RoleWord before, RoleWord now) {
        Role left = before.phase() == Phase.ORDERED && before.epoch() == now.epoch() ? before.from() : before.to();
        return now.phase() == Phase.ACTIVE && !now.to().equals(left)
                ? Optional.of(new CompletedMove(node, left, now.to(), now.epoch()))
                : Optional.empty();
    }

    Optional<CompletedMove> newest() {
        return newest;
    }

    /** Whether the move that {@code before} ordered is complete in {@code now}. */
    private static boolean hasArrived(RoleWord before, RoleWord now) {
        return before.phase() == Phase.ORDERED && now.serves(before.to()) && now.epoch() == before.epoch();
    }

    double seconds(ServerKind kind) {
        return seconds.getOrDefault(kind, RecentMedian.none()).value();
    }

    private static Set<SiteId> sites(RoleWord... words) {
        Set<SiteId> sites = new HashSet<>();
        for (RoleWord word : words) {
            for (Role role : List.of(word.from(), word.to())) {
                if (role instanceof Role.Serving(SiteId site, var _)) {
                    sites.add(site);
                }
            }
        }
        return sites;
    }

    boolean isResting(NodeId node, long restNanos, long nowNanos) {
        Long changed = nodeChangedNanos.get(node);
        return changed != null && nowNanos - changed < restNanos;
    }

    boolean isResting(SiteId site, long restNanos, long nowNanos) {
        Long changed = siteChangedNanos.get(site);
        return changed != null && nowNanos - changed < restNanos;
    }

    int lastHour(SiteId site, long nowNanos) {
        return (int) ordered.stream()
                .filter(move -> move.sites.contains(site) && nowNanos - move.atNanos < HOUR_NANOS)
                .count();
    }
}
