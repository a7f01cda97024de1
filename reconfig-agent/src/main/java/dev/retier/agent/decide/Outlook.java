package dev.retier.agent.decide;

import dev.retier.agent.config.SiteConfig;
import java.util.List;

/**
 * What another capacity of its tiers is worth to one site: by the load that it has, by how long that may last, and by
 * what comes next.
 *
 * @param spells how its loads have followed each other
 * @param present capacity of its tiers
 * @param threshold share of itself that a tier should be used up to, at most
 * @param spare share of itself that a tier which gives keeps above what its promise takes
 */
record Outlook(SiteConfig site, Spells spells, Capacity present, double threshold, double spare, long nowNanos) {
    /**
     * What is won or lost.
     *
     * @param promised share of the promised requests
     * @param requests share of all requests
     */
    record Worth(double promised, double requests) {
        static final Worth NONE = new Worth(0, 0);

        boolean isLoss() {
            return promised < 0 || requests < 0;
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

    /** Requests per second that it answers now, to weigh sites by. */
    double rate() {
        return spells.load(spells.kind()).answered(present, threshold);
    }

    /**
     * For how many seconds the change may stand: until the load changes, or for {@code longest}, where no other load
     * that is remembered would be worse off.
     */
    double left(Change change, double longest) {
        List<Spells.Spell> next = spells.next();
        boolean isHarmless = !next.isEmpty()
                && next.stream().map(spell -> at(spell.kind(), change.after)).noneMatch(Worth::isLoss);
        double left = spells.left(nowNanos);
        return isHarmless ? Math.max(left, longest) : left;
    }

    /**
     * In seconds of the whole, when the change is taken back once the load has changed: so much of {@code left} as the
     * move leaves is better, and the next load is worse off until it has asked for its node back, or is over itself.
     *
     * @param left how long the change may stand, in seconds
     * @param move how long it takes, in seconds
     * @param back how long it takes to be undone, in seconds
     */
    Worth returning(Change change, double left, double move, double back) {
        Worth meanwhile = at(spells.kind(), change.during).times(Math.min(move, left));
        Worth then = at(spells.kind(), change.after).times(Math.max(0, left - move));
        List<Spells.Spell> next = spells.next();
        Worth later = Worth.NONE;
        for (Spells.Spell spell : next) {
            later = later.plus(at(spell.kind(), change.after).times(Math.min(spell.seconds(), back) / next.size()));
        }
        return meanwhile.plus(then).plus(later);
    }

    /**
     * As shares of the whole, when the change stays: all that is remembered would have taken less time, or more.
     *
     * @param move how long it takes, in seconds
     * @param horizon over which it must have paid for itself, in seconds
     */
    Worth forGood(Change change, double move, double horizon) {
        double before = 0;
        double after = 0;
        double promised = 0;
        double seconds = 0;
        for (Spells.Spell spell : spells.all(nowNanos)) {
            Load load = spells.load(spell.kind());
            double slow = load.answered(present, threshold);
            double fast = load.answered(change.after, threshold);
            if (slow > 0 && fast > 0) {
                before += spell.requests() / slow;
                after += spell.requests() / fast;
            }
            promised += at(spell.kind(), change.after).promised * spell.seconds();
            seconds += spell.seconds();
        }
        Worth always =
                new Worth(seconds > 0 ? promised / seconds : 0, before > 0 ? relative(1 / before, 1 / after) : 0);
        return always.plus(at(spells.kind(), change.during).times(move / horizon));
    }

    /** While a load of that kind lasts. */
    Worth at(Limit kind, Capacity then) {
        Load load = spells.load(kind);
        if (!load.isKnown()) {
            return Worth.NONE;
        }
        double before = load.answered(present, threshold);
        double after = load.answered(then, threshold);
        double most = after < before ? 1 - spare : 1;
        double promised = kept(load, then, most) - kept(load, present, most);
        return new Worth(promised, relative(before, after));
    }

    /** Share of the promise that tiers used up to {@code most} of themselves keep; what is spared is for errors. */
    private double kept(Load load, Capacity capacity, double most) {
        Double promise = site.guaranteeRequestsPerSecond();
        return promise == null || promise <= 0 ? 0 : Math.min(1, load.answered(capacity, most) / promise);
    }

    /** In (-1,1): the share of time that a fixed piece of work takes less, or the share of it that is lost. */
    private static double relative(double before, double after) {
        if (before == after) {
            return 0;
        }
        return after > before ? 1 - before / after : after / before - 1;
    }
}
