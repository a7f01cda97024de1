package dev.retier.agent.decide;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * How the kinds of load of one site have followed each other: what the present one asks for, how long it may last, and
 * what comes next. A value, as large as a few numbers.
 *
 * @param kind of the present spell
 * @param sinceNanos when it began
 * @param requests that were answered in it until now
 * @param lookNanos of the newest look
 * @param past the newest spells that are over, the newest last
 * @param loads what each kind asks for
 */
record Spells(Limit kind, long sinceNanos, double requests, long lookNanos, List<Spell> past, Map<Limit, Load> loads) {
    /** Of each of two kinds that take turns this is four. */
    private static final int MAX_PAST = 8;
    /** Before that many are over, what comes next is not known. */
    private static final int LEAST_PAST = 4;

    /** A spell that is over. */
    record Spell(Limit kind, double seconds, double requests) {}

    private static final double NANOS_PER_SECOND = 1e9;

    /** Keeps its own copies. */
    Spells {
        past = List.copyOf(past);
        loads = Map.copyOf(loads);
    }

    /** Before the first look, at {@code nowNanos}. */
    static Spells none(long nowNanos) {
        return new Spells(Limit.NEITHER, nowNanos, 0, nowNanos, List.of(), Map.of());
    }

    /** After a look that says nothing, as members have just changed. */
    Spells blind(long nowNanos) {
        return new Spells(kind, sinceNanos, requests, nowNanos, past, loads);
    }

    /** After a look that showed that kind. */
    Spells after(Limit now, Load.Look look, long nowNanos) {
        double answered = requests + look.answered() * (nowNanos - lookNanos) / NANOS_PER_SECOND;
        Map<Limit, Load> learnt = new EnumMap<>(Limit.class);
        learnt.putAll(loads);
        learnt.put(now, load(now).with(look));
        if (now == kind) {
            return new Spells(kind, sinceNanos, answered, nowNanos, past, learnt);
        }
        Spell over = new Spell(kind, elapsed(nowNanos), answered);
        return new Spells(
                now, nowNanos, 0, nowNanos, over.seconds > 0 ? Newest.with(past, over, MAX_PAST) : past, learnt);
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

    /** All that is remembered, with the present one as far as it has come. */
    List<Spell> all(long nowNanos) {
        List<Spell> all = new ArrayList<>(past);
        all.add(new Spell(kind, elapsed(nowNanos), requests));
        return all;
    }
}
