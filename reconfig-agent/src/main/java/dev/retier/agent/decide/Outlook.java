package dev.retier.agent.decide;

import dev.retier.agent.config.SiteConfig;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What another capacity of its tiers is worth to one site: by the load that it has, by how long that may last, and by
 * what comes next.
 * It is made once for all the changes of one decision that are looked at.
 */
final class Outlook {
    /** No change answers more than so many times as much, as far as anybody can know. */
    private static final double MOST = 64;

    /**
     * What is won or lost.
     *
     * @param promised share of the promised requests
     * @param requests share of all requests
     */
    record Worth(double promised, double requests) {
        static final Worth NONE = new Worth(0, 0);

        boolean isLoss() {
            return promised < -TierSample.ROUNDING || requests < -TierSample.ROUNDING;
        }

        Worth plus(Worth other) {
            return new Worth(promised + other.promised, requests + other.requests);
        }

        Worth times(double factor) {
            return new Worth(promised * factor, requests * factor);
        }
    }

    /** How capacity changes: a node that moves serves nobody meanwhile. */
    record Change(Capacity during, Capacity after) {}

    private final SiteConfig site;
    private final Spells spells;
    private final double threshold;
    private final List<Spells.Spell> next;
    private final double left;
    private final Capacity present;
    private final Map<Limit, Now> now = new EnumMap<>(Limit.class);

    /** What a kind of load comes to with the present capacity. */
    private record Now(Load load, double answered, double kept) {}

    /**
     * Of a site after a look.
     *
     * @param spells how its loads have followed each other
     * @param present capacity of its tiers
     * @param threshold the share of itself that a tier should be used up to, at most
     */
    Outlook(SiteConfig site, Spells spells, Capacity present, double threshold, long nowNanos) {
        this.site = site;
        this.present = present;
        this.spells = spells;
        this.threshold = threshold;
        this.next = spells.next();
        this.left = spells.left(nowNanos);
        for (Limit kind : Limit.values()) {
            Load load = spells.load(kind);
            now.put(kind, new Now(load, load.answered(present, threshold), kept(load, present)));
        }
    }

    /** Whether enough is known to tell how the kinds of load share the time. */
    boolean isRhythmKnown() {
        return spells.isRhythmKnown();
    }

    /** Requests per second that it answers now, to weigh sites by. */
    double rate() {
        return of(spells.kind()).answered;
    }

    /** Whether other loads are remembered, and none of them would be worse off. */
    boolean isHarmless(Change change) {
        return !next.isEmpty()
                && next.stream()
                        .noneMatch(spell -> at(spell.kind(), change.after).isLoss());
    }

    /** For how many seconds a change may stand: until the load changes. */
    double left() {
        return left;
    }

    /**
     * In seconds of the whole, when the change is taken back once the load has changed: so much of {@code stands} as
     * the move leaves is better, and the next load is worse off until it has asked for its node back, or is over
     * itself.
     *
     * @param stands how long the change may stand, in seconds
     * @param move how long it takes, in seconds
     * @param back how long it takes to be undone, in seconds
     */
    Worth returning(Change change, double stands, double move, double back) {
        Worth meanwhile = now(change.during).times(Math.min(move, stands));
        Worth then = now(change.after).times(Math.max(0, stands - move));
        Worth later = Worth.NONE;
        for (Spells.Spell spell : next) {
            later = later.plus(at(spell.kind(), change.after).times(Math.min(spell.seconds(), back) / next.size()));
        }
        return meanwhile.plus(then).plus(later);
    }

    /**
     * As shares of the whole, when the change stays: all that is remembered would have taken less time, or more. A
     * spell that lasts longer than it takes to ask for another split, and to get it, goes on with the better one. The
     * move is made once, and counts for nothing in the long run.
     *
     * @param back how long it takes to be undone, in seconds
     */
    Worth forGood(Change change, double back) {
        double before = 0;
        double after = 0;
        double promised = 0;
        double seconds = 0;
        for (Spells.Spell spell : spells.past()) {
            double slow = secondsFor(spell, present);
            double fast = secondsFor(spell, change.after);
            double stuck = Math.min(spell.seconds(), back);
            if (slow > 0 && fast > 0 && stuck > 0) {
                double first = stuck / spell.seconds();
                double rest = (1 - first) * Math.min(slow, fast);
                before += first * slow + rest;
                after += first * fast + rest;
            }
            promised += at(spell.kind(), change.after).promised * stuck;
            seconds += spell.seconds();
        }
        return new Worth(seconds > 0 ? promised / seconds : 0, before > 0 ? relative(1 / before, 1 / after) : 0);
    }

    /**
     * How long what was done in a spell would take: as long as its scarcer tier is busy up to the threshold, but no
     * less than it takes to ask for it. What both tiers did meanwhile counts as such: bursts that are shorter than what
     * waits overlap.
     */
    private double secondsFor(Spells.Spell spell, Capacity capacity) {
        Spells.Work done = spell.done();
        double asked = of(spell.kind()).load.asked().value();
        double busy = Math.max(part(done.proxyUnits(), capacity.proxy()), part(done.appUnits(), capacity.app()));
        return Math.max(asked > 0 ? done.requests() / asked : 0, busy / threshold);
    }

    private static double part(double units, double capacity) {
        return capacity > 0 ? units / capacity : units > 0 ? Double.POSITIVE_INFINITY : 0;
    }

    /** While the present load lasts. */
    Worth now(Capacity then) {
        return at(spells.kind(), then);
    }

    private Worth at(Limit kind, Capacity then) {
        Now known = of(kind);
        if (!known.load.isKnown()) {
            return Worth.NONE;
        }
        double after = known.load.answered(then, threshold);
        return new Worth(kept(known.load, then) - known.kept, relative(known.answered, after));
    }

    private Now of(Limit kind) {
        return Objects.requireNonNull(now.get(kind));
    }

    /** Share of the promise that is kept by tiers that are all used. */
    private double kept(Load load, Capacity capacity) {
        Double promise = site.guaranteeRequestsPerSecond();
        return promise == null || promise <= 0 ? 0 : Math.min(1, load.answered(capacity, 1) / promise);
    }

    /**
     * The share of the requests that is lost, or the share that is expected to be won: who waits for answers wants more
     * than there are, and x times as many is as likely as 1/x, so the expectation is the logarithm.
     */
    private static double relative(double before, double after) {
        if (before == after) {
            return 0;
        }
        return after > before ? Math.log(after / Math.max(before, after / MOST)) : after / before - 1;
    }
}
