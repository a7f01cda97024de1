package dev.retier.bench.board;

import dev.retier.bench.board.Variant.Edit;
import dev.retier.bench.board.Variant.Kind;
import java.util.List;
import java.util.stream.Stream;

/** Each term of the objective, left out. Stateless. */
final class Terms {
    private static final String OBJECTIVE = "decide/Objective.java";
    private static final String PLANS = "decide/Plans.java";
    private static final String OUTLOOK = "decide/Outlook.java";

    private Terms() {}

    private static Variant without(String name, Edit... edits) {
        return new Variant(name, name, Kind.TERM, List.of(edits));
    }

    private static Variant without(String name, String file, String text, String replacement) {
        return without(name, new Edit(file, text, replacement));
    }

    static List<Variant> all() {
        return Stream.of(parts(), times(), sureness(), demand(), choices())
                .flatMap(List::stream)
                .toList();
    }

    /** What a change is worth. */
    private static List<Variant> parts() {
        return List.of(
                without("missing members", OBJECTIVE, "<= lacks ? 1 : 0;", "<= lacks ? 0 : 0;"),
                without("promises", OBJECTIVE, "+= worth.promised();", "+= 0;"),
                without(
                        "promises by priority",
                        OBJECTIVE,
                        "all[1 + Objects.requireNonNull(ranks.get(part.site.id()))] +=",
                        "all[1] +="),
                without("requests", OBJECTIVE, "all[sites + 1] += requests;", "all[sites + 1] += 0 * requests;"),
                without(
                        "sites weighed by what they answer",
                        OBJECTIVE,
                        "(taker > 0 ? part.outlook.rate() / taker : 1)",
                        "1"),
                without(
                        "tolerance",
                        OBJECTIVE,
                        "return facts.rules().tolerance();",
                        "return 0 * facts.rules().tolerance();"),
                without(
                        "chance, for ever",
                        OBJECTIVE,
                        "tolerance(seen(parts.getFirst()))",
                        "tolerance(1e12 + seen(parts.getFirst()))"));
    }

    /** For how long it is worth that. */
    private static List<Variant> times() {
        return List.of(
                without(
                        "cost of the move",
                        OUTLOOK,
                        "Worth meanwhile = now(change.during)",
                        "Worth meanwhile = now(change.after)"),
                without("return cost", OUTLOOK, "times(Math.min(spell.seconds(), back) / next.size())", "times(0)"),
                without(
                        "staying for good",
                        OBJECTIVE,
                        "Gains staying = isRhythmKnown && now",
                        "Gains staying = !isRhythmKnown && isRhythmKnown && now"),
                without("how long this spell lasts", OUTLOOK, "this.left = spells.left(nowNanos);", "this.left = 1e6;"),
                without(
                        "for ever where nobody is worse off",
                        OBJECTIVE,
                        "if (harmed.isEmpty() && !isChance) {",
                        "if (harmed.isEmpty() && !isChance && isChance) {"));
    }

    /** From when on it is believed. */
    private static List<Variant> sureness() {
        return List.of(
                without(
                        "T",
                        "decide/Case.java",
                        "isPressedFor(history.toNanos(), nowNanos)",
                        "isPressedFor(0, nowNanos)"),
                without(
                        "sure of a spell that is bound to last",
                        "decide/Case.java",
                        "spells(of).isBoundToLast(limit(tier), seconds(history))",
                        "seconds(history) < 0"),
                without(
                        "no T for broken promises",
                        PLANS,
                        "isSure || breaksPromise(pressed)",
                        "isSure || breaksPromise(pressed) && isSure"),
                without(
                        "two looks at a broken promise",
                        "decide/Case.java",
                        "isPressedFor(policy.publishInterval().toNanos(), nowNanos)",
                        "isPressedFor(0 * policy.publishInterval().toNanos(), nowNanos)"),
                without(
                        "as long as an answer takes",
                        "decide/Case.java",
                        "(long) (trend(of).answerSeconds() * NANOS_PER_SECOND)",
                        "(long) (0 * trend(of).answerSeconds() * NANOS_PER_SECOND)"),
                without(
                        "back sooner where all spells are bound to last",
                        OBJECTIVE,
                        "isEachBoundToLast(history()) ? settling : history() + settling",
                        "isEachBoundToLast(history()) ? history() + settling : history() + settling"),
                without(
                        "rest of nodes whose orders were undone",
                        "decide/Case.java",
                        "undone == null ? 0 : undone.leftNanos(policy, nowNanos)",
                        "0"));
    }

    /** What is asked for. */
    private static List<Variant> demand() {
        return List.of(
                without(
                        "logarithm",
                        OUTLOOK,
                        "Math.log(after / Math.max(before, after / MOST))",
                        "Math.min(MOST, after / Math.max(before, after / MOST)) - 1"),
                without(
                        "unseen demand",
                        "decide/Load.java",
                        "double most = 1 - Math.pow(pressure, STEEPNESS);",
                        "double most = 1 - 0 * STEEPNESS;"),
                without(
                        "kinds of load",
                        "decide/SiteTrend.java",
                        "Limit limit = limit(before, ofProxies, ofApps, threshold);",
                        "Limit limit = Limit.NEITHER;"),
                without(
                        "a kind lasts while its tier is pressed",
                        "decide/SiteTrend.java",
                        "if (isPressed || isMended) {",
                        "if ((isPressed || isMended) && isCalm) {"),
                without(
                        "a kind lasts while a move mends it",
                        "decide/SiteTrend.java",
                        "if (isPressed || isMended) {",
                        "if (isPressed) {"),
                without(
                        "what a move presses is no other load",
                        "decide/SiteTrend.java",
                        "before.isUpset() ? HELD_BACK * threshold : Double.POSITIVE_INFINITY;",
                        "Double.POSITIVE_INFINITY;"),
                without(
                        "figures of one time teach once",
                        "decide/Spells.java",
                        "nowNanos - learntNanos >= freshNanos",
                        "nowNanos - learntNanos >= 0 * freshNanos"),
                without(
                        "settling",
                        "decide/History.java",
                        "nowNanos - membersSince >= settlingNanos",
                        "nowNanos - membersSince >= 0 * settlingNanos"));
    }

    /** Which changes are looked at. */
    private static List<Variant> choices() {
        return List.of(
                without("pairs", PLANS, "takers.forEach(this::pairs);", "takers.forEach(_ -> {});"),
                without("several nodes in one change", PLANS, "count <= counted.most();", "count <= 1;"),
                without(
                        "several nodes at once",
                        "decide/Waves.java",
                        "facts.areBatchesKnown() ? steps.size() : 1",
                        "1"),
                without("one machine of each size", PLANS, ".limit(SIZES)", ".limit(SIZES / SIZES)"),
                without(
                        "the number by halves",
                        PLANS,
                        "best = refined(best, counted);",
                        "best = best.or(() -> Optional.empty());"),
                without(
                        "the least loaded first",
                        "decide/Options.java",
                        "Math.round(node.load().utilisation() / EQUAL_LOAD)",
                        "0 * Math.round(EQUAL_LOAD)"));
    }
}
