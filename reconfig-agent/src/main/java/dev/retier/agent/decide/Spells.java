package dev.retier.agent.decide;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * How the kinds of load of one site have followed each other: what the present one asks for, how long it may last, and
 * what comes next. A value, as large as a few numbers.
 *
 * @param kind of the present spell
 * @param units of capacity that the tier which limits it had when it began
 * @param sinceNanos when it began
 * @param done what has been done in it until now
 * @param lookNanos of the newest look
 * @param past the newest spells that are over, the newest last
 * @param loads what each kind asks for
 * @param learntNanos when that was learnt last
 * @param isUpset whether the other tier than the one that limits the kind has been pressed ever since members changed,
 *     so that it may be the change that presses it: caches of nodes that have become proxies are empty
 */
record Spells(
        Limit kind,
        double units,
        long sinceNanos,
        Work done,
        long lookNanos,
        List<Spell> past,
        Map<Limit, Load> loads,
        long learntNanos,
        boolean isUpset) {
    /** Of each of two kinds that take turns this is four. */
    private static final int MAX_PAST = 8;
    /** Before that many are over, what comes next is not known. */
    private static final int LEAST_PAST = 4;

    /** A spell that is over. */
    record Spell(Limit kind, double seconds, Work done) {}

    /**
     * What a site has done in some time.
     *
     * @param requests that were answered
     * @param proxyUnits of proxy capacity that were used
     * @param appUnits of app capacity that were used
     */
    record Work(double requests, double proxyUnits, double appUnits) {
        static final Work NONE = new Work(0, 0, 0);

        private Work plus(Load.Look look, double seconds) {
            return new Work(
                    requests + look.answered() * seconds,
                    proxyUnits + look.proxyUnits() * seconds,
                    appUnits + look.appUnits() * seconds);
        }
    }

    private static final double NANOS_PER_SECOND = 1e9;

    /** Keeps its own copies. */
    Spells {
        past = List.copyOf(past);
        loads = Map.copyOf(loads);
    }

    /** Before the first look, at {@code nowNanos}. */
    static Spells none(long nowNanos) {
        return new Spells(Limit.NEITHER, 0, nowNanos, Work.NONE, nowNanos, List.of(), Map.of(), nowNanos, false);
    }

    /** After a look that says nothing, as members have just changed. */
    Spells blind(long nowNanos) {
        return new Spells(kind, units, sinceNanos, done, nowNanos, past, loads, learntNanos, true);
    }

    /**
     * What one look that says something of the load shows.
     *
     * @param kind of the load
     * @param capacity of the tier that limits it, in units
     * @param figures what it asks for
     * @param isOtherPressed whether the other tier is pressed
     */
    record Seen(Limit kind, double capacity, Load.Look figures, boolean isOtherPressed) {}

    /**
     * After such a look. From looks that follow each other sooner than {@code freshNanos} nothing is learnt of what the
     * load asks for: they show figures of one time.
     */
    Spells after(Seen seen, long freshNanos, long nowNanos) {
        Work work = done.plus(seen.figures, (nowNanos - lookNanos) / NANOS_PER_SECOND);
        boolean isFresh = loads.isEmpty() || nowNanos - learntNanos >= freshNanos;
        Map<Limit, Load> learnt = new EnumMap<>(Limit.class);
        learnt.putAll(loads);
        if (isFresh) {
            learnt.put(seen.kind, load(seen.kind).with(seen.figures));
        }
        long when = isFresh ? nowNanos : learntNanos;
        if (seen.kind == kind) {
            boolean isStillUpset = isUpset && seen.isOtherPressed;
            return new Spells(kind, units, sinceNanos, work, nowNanos, past, learnt, when, isStillUpset);
        }
        Spell over = new Spell(kind, elapsed(nowNanos), work);
        List<Spell> all = over.seconds > 0 ? Newest.with(past, over, MAX_PAST) : past;
        return new Spells(seen.kind, seen.capacity, nowNanos, Work.NONE, nowNanos, all, learnt, when, false);
    }

    Load load(Limit of) {
        return loads.getOrDefault(of, Load.none());
    }

    /** How long the present spell has lasted, in seconds. */
    double elapsed(long nowNanos) {
        return (nowNanos - sinceNanos) / NANOS_PER_SECOND;
    }

    /**
     * How many seconds it may still last: as those of its kind that lasted longer than it has by now; as long again
     * when it has outlasted all that are known.
     */
    double left(long nowNanos) {
        double elapsed = elapsed(nowNanos);
        return past.stream()
                        .filter(spell -> spell.kind == kind && spell.seconds > elapsed)
                        .mapToDouble(Spell::seconds)
                        .average()
                        .orElse(2 * elapsed)
                - elapsed;
    }

    /** What may come next: the spells of other kinds that are remembered, each as likely as another. */
    List<Spell> next() {
        return past.stream().filter(spell -> spell.kind != kind).toList();
    }

    /** Whether enough is over to tell how the kinds share the time. */
    boolean isRhythmKnown() {
        return past.size() >= LEAST_PAST;
    }

    /** Whether the present spell is of that kind, and every one of that kind so far has lasted that long. */
    boolean isBoundToLast(Limit wanted, double seconds) {
        return kind == wanted && past.stream().anyMatch(spell -> spell.kind == wanted) && isBound(wanted, seconds);
    }

    /** Whether every spell that is remembered, but for calm ones, has lasted that long. */
    boolean isEachBoundToLast(double seconds) {
        return isBound(Limit.PROXY, seconds) && isBound(Limit.APP, seconds);
    }

    private boolean isBound(Limit wanted, double seconds) {
        return isRhythmKnown()
                && past.stream().filter(spell -> spell.kind == wanted).allMatch(spell -> spell.seconds >= seconds);
    }
}
