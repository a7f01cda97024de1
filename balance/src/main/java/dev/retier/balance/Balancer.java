package dev.retier.balance;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the app for each request of one proxy. The figures of the shared state are up to two looks old and the same
 * at all proxies, so who sent to the least loaded app by them would be one of a herd: all would send there, until the
 * next figures show another one. Hence the figures only say how many of the requests until the next figures each app
 * should get: its share by weight and speed of all that come, and a part of what it now has too few or too many for
 * that share.
 *
 * <p>A proxy deals its requests out by these shares, in turn: each request adds its share to the credit of each app,
 * and takes 1 from the one that gets it. What the proxy itself has in flight there beyond the share counts against the
 * credit, twice and at once, and while it has, the app saves nothing up: that is the only figure that is never old, and
 * all it takes to leave an app that stands still. Proxies begin with credits by chance, so that they do not deal in
 * step.
 *
 * <p>Without figures the app with the fewest own requests in flight for its weight is chosen. Not thread-safe; a choice
 * allocates nothing.
 */
public final class Balancer {
    /**
     * How much of what an app has too many or too few is made good until the next figures. These may not show it yet,
     * as they were published before: making good all of it would be done twice, and the loads would swing.
     */
    private static final double MADE_GOOD = 0.5;

    /** Most requests that an app which gets none saves up; dealing alone needs no more. */
    private static final double MOST_SAVED = 1;

    /** What a request in flight beyond the share weighs against the credit: more than the most that is saved up. */
    private static final double EXCESS = 2;

    private static final double NANOS_PER_SECOND = 1e9;

    private final List<Member> members;
    private final @Nullable AppLoad[] figures;
    private final double[] powers;
    private final double[] shares;
    private final double[] credits;
    private final Speeds speeds;
    /** Of the choice that is made: other threads change them meanwhile, and a choice must see each once. */
    private final Standing[] standings;

    private boolean isTold;

    /**
     * An app that may be chosen.
     *
     * @param node its name
     * @param weight how much it is given besides what it can do, at least 1; 100 is usual
     */
    public record Member(String node, int weight) {}

    /** The apps at the time of a choice, in the order of the members. */
    public interface Apps {
        /** Requests that this proxy has there now, 0 or more. */
        int inFlight(int index);

        /** Whether it may be chosen; asked once in a choice, so it may change at any time. */
        Standing standing(int index);
    }

    /** Whether an app may be chosen. */
    public enum Standing {
        /** As good as any. */
        IN_PLAY,
        /** Only when there is no other: it failed a moment ago, and a suspicion is better than a sure failure. */
        BENCHED,
        /** Never: this request was there already, or it is known to be down. */
        OUT
    }

    /**
     * For these apps, without figures.
     *
     * @param members at most {@link Loads#MAX_APPS}, with distinct names
     * @param random for the credits at first
     */
    public Balancer(List<Member> members, RandomGenerator random) {
        this.members = List.copyOf(members);
        int count = members.size();
        this.figures = new AppLoad[count];
        this.powers = new double[count];
        this.shares = new double[count];
        this.credits = new double[count];
        this.speeds = new Speeds(count);
        this.standings = new Standing[count];
        for (int index = 0; index < count; index++) {
            credits[index] = random.nextDouble() - 0.5;
        }
    }

    /**
     * A balancer for other apps or weights, which goes on with what is known of those that stay; still without figures.
     */
    public Balancer successor(List<Member> next, RandomGenerator random) {
        Balancer successor = new Balancer(next, random);
        Map<String, Integer> before = new HashMap<>();
        for (int index = 0; index < members.size(); index++) {
            before.put(members.get(index).node(), index);
        }
        for (int index = 0; index < next.size(); index++) {
            Integer place = before.get(next.get(index).node());
            if (place != null) {
                successor.credits[index] = credits[place];
                successor.speeds.inherit(index, speeds, place);
            }
        }
        return successor;
    }

    /** Goes by these figures from now on; an app that is not among them is taken for one like the others. */
    public void tell(Loads loads) {
        Map<String, AppLoad> byName = new HashMap<>();
        loads.apps().forEach(app -> byName.put(app.node(), app));
        isTold = false;
        for (int index = 0; index < figures.length; index++) {
            AppLoad app = byName.get(members.get(index).node());
            figures[index] = app != null && app.capacity() > 0 ? app : null;
            isTold |= figures[index] != null;
        }
        if (isTold) {
            speeds.learn(figures);
            share(loads.periodNanos() / NANOS_PER_SECOND);
        }
    }

    /** There are no figures, or none that could be believed. */
    public void forget() {
        isTold = false;
    }

    /** Whether it goes by figures. */
    public boolean isTold() {
        return isTold;
    }

    /** How many requests each app should get until the next figures, as shares of all of them. */
    private void share(double seconds) {
        double requests = 0;
        double held = 0;
        for (AppLoad app : figures) {
            requests += app == null ? 0 : app.requestsPerSecond() * seconds;
            held += app == null ? 0 : app.inService();
        }
        double known = weigh();
        double sum = 0;
        for (int index = 0; index < shares.length; index++) {
            double part = powers[index] / known;
            AppLoad app = figures[index];
            double missing = app == null ? 0 : held * part - app.inService();
            shares[index] = Math.max(0, requests * part + MADE_GOOD * missing);
            sum += shares[index];
        }
        boolean isAny = sum > 0;
        double whole = isAny ? sum : Arrays.stream(powers).sum();
        Arrays.setAll(shares, index -> (isAny ? shares[index] : powers[index]) / whole);
    }

    /** What each app can do, by its weight; returns the sum of those that have figures. */
    private double weigh() {
        double capacity = 0;
        int count = 0;
        for (int index = 0; index < figures.length; index++) {
            AppLoad app = figures[index];
            capacity += app == null ? 0 : app.capacity() * speeds.of(index);
            count += app == null ? 0 : 1;
        }
        double known = 0;
        for (int index = 0; index < figures.length; index++) {
            AppLoad app = figures[index];
            double own = app == null ? capacity / count : app.capacity() * speeds.of(index);
            powers[index] = own * members.get(index).weight();
            known += app == null ? 0 : powers[index];
        }
        return known;
    }

    /**
     * The index of the app for a request, or -1 when none may be chosen.
     *
     * @param turn any number that changes from call to call: spreads equal apps while there are no figures
     */
    public int pick(Apps apps, int turn) {
        Standing standing = best(apps);
        if (standing == Standing.OUT) {
            return -1;
        }
        return isTold ? deal(apps, standing) : fewest(apps, standing, turn);
    }

    private Standing best(Apps apps) {
        Standing best = Standing.OUT;
        for (int index = 0; index < standings.length; index++) {
            Standing standing = apps.standing(index);
            standings[index] = standing;
            best = standing.compareTo(best) < 0 ? standing : best;
        }
        return best;
    }

    private int fewest(Apps apps, Standing standing, int turn) {
        int best = -1;
        for (int step = 0; step < shares.length; step++) {
            int index = Math.floorMod(turn + step, shares.length);
            if (standings[index] == standing && (best < 0 || isLessBusy(apps, index, best))) {
                best = index;
            }
        }
        return best;
    }

    private boolean isLessBusy(Apps apps, int left, int right) {
        return (apps.inFlight(left) + 1L) * members.get(right).weight()
                < (apps.inFlight(right) + 1L) * members.get(left).weight();
    }

    private int deal(Apps apps, Standing standing) {
        long inFlight = 0;
        for (int index = 0; index < shares.length; index++) {
            inFlight += apps.inFlight(index);
        }
        int best = -1;
        double most = 0;
        double spare = 0;
        for (int index = 0; index < shares.length; index++) {
            double excess = apps.inFlight(index) - inFlight * shares[index];
            if (excess > 0 && credits[index] + shares[index] > 0) {
                double kept = Math.max(0, credits[index]);
                spare += credits[index] + shares[index] - kept;
                credits[index] = kept;
            } else {
                credits[index] += shares[index];
            }
            double credit = credits[index] - EXCESS * excess;
            if (standings[index] == standing && (best < 0 || credit > most)) {
                best = index;
                most = credit;
            }
        }
        credits[best] -= 1;
        spill(spare);
        return best;
    }

    /** What apps do not save up goes to the others, by their shares. */
    private void spill(double spare) {
        double beyond = spare;
        double open = 0;
        for (int index = 0; index < shares.length; index++) {
            if (credits[index] > MOST_SAVED) {
                beyond += credits[index] - MOST_SAVED;
                credits[index] = MOST_SAVED;
            }
            open += credits[index] < MOST_SAVED ? shares[index] : 0;
        }
        for (int index = 0; index < shares.length && beyond > 0 && open > 0; index++) {
            credits[index] += credits[index] < MOST_SAVED ? beyond * shares[index] / open : 0;
        }
    }
}
