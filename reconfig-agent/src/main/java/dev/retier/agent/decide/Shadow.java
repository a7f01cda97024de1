package dev.retier.agent.decide;

import dev.retier.state.SiteId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What an agent that orders nothing would have done, held against what the others did. Moves count as the same when
 * they leave the same role for the same role: which of equal nodes goes hangs on loads that two agents have read at
 * different times. A value.
 *
 * <p>What it wants and nobody orders is a difference once it has wanted something for its site without a break for
 * {@link Pace#missed}: as long as it takes to notice a load anew (T and the settling, as in {@link Objective}), and two
 * looks, on which an order rests. What others order is held against what is left of the change with which they began,
 * then against what it would decide had nobody ordered, then against what it wanted before.
 */
public final class Shadow {
    /** So many of the newest differences are kept. */
    public static final int KEPT = 64;

    private final Map<Kind, Long> counts;
    private final List<Comparison> differences;
    private final Map<SiteId, Want> wants;
    /** What is left of a change of which others have ordered a part. */
    private final Follow follow;

    /** How a comparison came out. */
    public enum Kind {
        /** Others ordered what it would have. */
        AGREED("the others ordered it, and so would this agent have"),
        /** It would have made a change that nobody ordered. */
        NOT_ORDERED("this agent would have ordered it, and nobody did"),
        /** As above, and nobody but this agent was there to order it. */
        LEFT_TO_IT("nobody but this agent, which orders nothing, was there to order it"),
        /** Others ordered what it would not have. */
        NOT_WANTED("the others ordered it, and this agent would not have");

        private final String sentence;

        Kind(String sentence) {
            this.sentence = sentence;
        }

        /** For people. */
        public String sentence() {
            return sentence;
        }

        /** For programs. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * One comparison.
     *
     * @param site that takes
     * @param moves that were ordered, or were not
     * @param own what this agent decided; a change, or why not
     * @param value what {@code moves} were worth by its rules, if it has valued such
     * @param wantedNanos for how long it had wanted them; 0 for what others ordered
     * @param atNanos when, monotonic
     */
    public record Comparison(
            Kind kind,
            SiteId site,
            List<Valuation.Step> moves,
            Decision own,
            Optional<Valuation.Change> value,
            long wantedNanos,
            long atNanos) {
        /** Keeps its own copy. */
        public Comparison {
            moves = List.copyOf(moves);
        }
    }

    /**
     * For how long what.
     *
     * @param missed for so long it wants something until that counts as not ordered
     * @param following after the last look with a node on its way, the next nodes of the same change are ordered
     */
    public record Pace(Duration missed, Duration following) {
        /** What follows from the rules, and from how often agents look. */
        public static Pace of(Policy policy, Duration sensitivity) {
            Duration twoLooks = sensitivity.multipliedBy(2);
            Duration following = policy.settling().plus(twoLooks);
            return new Pace(policy.rules().takeHistory().plus(following), following);
        }
    }

    /** What has come of a look, and what is new in it. */
    public record Outcome(Shadow shadow, List<Comparison> found) {}

    /**
     * What this agent thinks of a site.
     *
     * @param decision what it would do: a change, or why not
     * @param values of the changes that are worth most
     */
    public record Opinion(Decision decision, List<Valuation.Change> values) {
        /** Keeps its own copy. */
        public Opinion {
            values = List.copyOf(values);
        }

        private Optional<Valuation.Change> valueOf(List<Valuation.Step> moves) {
            return values.stream()
                    .filter(change -> moves.stream()
                            .allMatch(move -> change.steps().stream().anyMatch(step -> isAlike(step, move))))
                    .findFirst();
        }
    }

    private record Want(Decision.Change change, long sinceNanos, boolean isTold) {}

    private record Follow(List<Valuation.Step> left, long untilNanos) {
        static final Follow NOTHING = new Follow(List.of(), 0);
    }

    private Shadow(Map<Kind, Long> counts, List<Comparison> differences, Map<SiteId, Want> wants, Follow follow) {
        this.counts = counts;
        this.differences = differences;
        this.wants = wants;
        this.follow = follow;
    }

    /** Nothing compared yet. */
    public static Shadow none() {
        return new Shadow(Map.of(), List.of(), Map.of(), Follow.NOTHING);
    }

    /** How many moves of nodes came out so. */
    public long count(Kind kind) {
        return counts.getOrDefault(kind, 0L);
    }

    /** The newest differences, the oldest first; agreements are counted alone. */
    public List<Comparison> differences() {
        return Collections.unmodifiableList(differences);
    }

    /** While nobody decides nothing is compared, and what was wanted is forgotten. */
    public Shadow paused() {
        return new Shadow(counts, differences, Map.of(), Follow.NOTHING);
    }

    /** What is wanted for sites that are changed by {@code order} cannot be ordered meanwhile, whoever gave it. */
    public Shadow without(SeenOrder order) {
        Map<SiteId, Want> left = new HashMap<>(wants);
        left.keySet().removeAll(order.sites());
        return new Shadow(counts, differences, left, follow);
    }

    /** Nodes are on their way: the next ones of their change come after them. */
    public Shadow moving(Pace pace, long nowNanos) {
        return follow.left.isEmpty()
                ? this
                : new Shadow(counts, differences, wants, new Follow(follow.left, nowNanos + pace.following.toNanos()));
    }

    /**
     * After one look has shown orders of others.
     *
     * @param counted orders of the same moment that earlier looks have shown: their swaps land one by one
     * @param fresh orders that decisions may have made
     * @param opinions of this agent, of each site, had nobody ordered any of them
     */
    public Outcome ordered(
            List<SeenOrder> counted, List<SeenOrder> fresh, Map<SiteId, Opinion> opinions, Pace pace, long nowNanos) {
        Answers answers = new Answers(opinions, nowNanos);
        counted.forEach(order -> takeAlike(answers.wanted, order.step()));
        fresh.forEach(answers::take);
        Shadow next = new Shadow(
                counts, differences, wants, new Follow(List.copyOf(answers.left), nowNanos + pace.following.toNanos()));
        for (SeenOrder order : fresh) {
            next = next.without(order);
        }
        return next.with(answers.comparisons());
    }

    /** What is left of each of the three things that orders may agree with. */
    private final class Answers {
        private final Map<SiteId, Opinion> opinions;
        private final long nowNanos;
        private final List<Valuation.Step> planned = new ArrayList<>();
        private final List<Valuation.Step> wanted = new ArrayList<>();
        private final List<Valuation.Step> before = new ArrayList<>();
        private final Map<Kind, Map<SiteId, List<Valuation.Step>>> found = new EnumMap<>(Kind.class);
        /** With which of the three the orders go on. */
        private List<Valuation.Step> left;

        Answers(Map<SiteId, Opinion> opinions, long nowNanos) {
            this.opinions = opinions;
            this.nowNanos = nowNanos;
            planned.addAll(nowNanos - follow.untilNanos <= 0 ? follow.left : List.of());
            opinions.values().forEach(opinion -> wanted.addAll(steps(opinion.decision)));
            wants.values().forEach(want -> before.addAll(steps(want.change)));
            left = planned;
        }

        void take(SeenOrder order) {
            boolean isPlanned = takeAlike(planned, order.step());
            boolean isWanted = takeAlike(wanted, order.step());
            boolean wasWanted = takeAlike(before, order.step());
            if (!isPlanned && (isWanted || wasWanted)) {
                left = isWanted ? wanted : before;
            }
            Kind kind = isPlanned || isWanted || wasWanted ? Kind.AGREED : Kind.NOT_WANTED;
            found.computeIfAbsent(kind, _ -> new TreeMap<>())
                    .computeIfAbsent(order.taker(), _ -> new ArrayList<>())
                    .add(order.step());
        }

        /** Nothing of a site that this agent does not know. */
        List<Comparison> comparisons() {
            List<Comparison> all = new ArrayList<>();
            found.forEach((kind, sites) -> sites.forEach((site, moves) -> {
                Opinion opinion = opinions.get(site);
                if (opinion != null) {
                    all.add(new Comparison(kind, site, moves, opinion.decision, opinion.valueOf(moves), 0, nowNanos));
                }
            }));
            return all;
        }
    }

    /**
     * After it has decided for a site, with no order of others to obey.
     *
     * @param isLeftToIt whether nobody else is there to order what it wants
     */
    public Outcome decided(Opinion opinion, boolean isLeftToIt, Pace pace, long nowNanos) {
        Map<SiteId, Want> next = new HashMap<>(wants);
        SiteId site = opinion.decision.site();
        Want before = next.remove(site);
        if (!(opinion.decision instanceof Decision.Change change)) {
            return new Outcome(new Shadow(counts, differences, next, follow), List.of());
        }
        long sinceNanos = before == null ? nowNanos : before.sinceNanos;
        boolean isMissed = nowNanos - sinceNanos >= pace.missed.toNanos();
        boolean wasTold = before != null && before.isTold;
        next.put(site, new Want(change, sinceNanos, isMissed));
        Shadow wanting = new Shadow(counts, differences, next, follow);
        if (!isMissed || wasTold) {
            return new Outcome(wanting, List.of());
        }
        Kind kind = isLeftToIt ? Kind.LEFT_TO_IT : Kind.NOT_ORDERED;
        List<Valuation.Step> moves = steps(change);
        return wanting.with(List.of(
                new Comparison(kind, site, moves, change, opinion.valueOf(moves), nowNanos - sinceNanos, nowNanos)));
    }

    private Outcome with(List<Comparison> found) {
        Map<Kind, Long> counted = new EnumMap<>(Kind.class);
        counted.putAll(counts);
        List<Comparison> kept = new ArrayList<>(differences);
        for (Comparison comparison : found) {
            counted.merge(comparison.kind, (long) comparison.moves.size(), Long::sum);
            if (comparison.kind != Kind.AGREED) {
                kept.add(comparison);
            }
        }
        List<Comparison> newest = kept.subList(Math.max(0, kept.size() - KEPT), kept.size());
        return new Outcome(new Shadow(counted, List.copyOf(newest), wants, follow), List.copyOf(found));
    }

    private static List<Valuation.Step> steps(Decision decision) {
        return decision instanceof Decision.Change change ? Valuation.steps(change) : List.of();
    }

    private static boolean takeAlike(List<Valuation.Step> from, Valuation.Step wanted) {
        Optional<Valuation.Step> found =
                from.stream().filter(step -> isAlike(step, wanted)).findFirst();
        found.ifPresent(from::remove);
        return found.isPresent();
    }

    private static boolean isAlike(Valuation.Step one, Valuation.Step other) {
        return one.from().equals(other.from()) && one.to().equals(other.to());
    }
}
