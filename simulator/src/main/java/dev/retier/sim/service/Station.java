package dev.retier.sim.service;

import dev.retier.balance.Balancer;
import dev.retier.balance.Loads;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One node's server: a single queue that works at the node's capacity, as the web-node emulates it, a proxy's cache,
 * and the counters that its status page tells. Not thread-safe.
 */
public final class Station {
    /** As the web-node's default: beyond, a request is refused. */
    private static final int MAX_IN_FLIGHT = 1000;

    private static final double NANOS_PER_SECOND = 1e9;
    private static final int CACHED = Integer.MAX_VALUE;
    /** Of each app: the whole share. */
    private static final int WEIGHT = 100;

    private final double unitsPerSecond;
    private double speed = 1;
    private int mostInFlight = MAX_IN_FLIGHT;
    private Plan plan = new Plan(0, Role.SPARE, List.of());
    private boolean isProxy;
    private boolean isWarm;
    private int[] apps = new int[0];
    private int[] inFlightAt = new int[0];
    private int[] cells = new int[0];
    private boolean isUp = true;
    private int life;
    private long busyUntilNanos;
    private long orderedNanos;
    private int inFlight;
    private int backEndInFlight;
    private long requests;
    private long hits;
    private long misses;
    private long lastClientNanos;
    private boolean hadClient;
    private int turn;
    private final SplittableRandom random;
    private Balancer balancer;
    private long staleNanos;
    private Station[] around = new Station[0];
    private final Balancer.Apps choice = new Balancer.Apps() {
        @Override
        public int inFlight(int place) {
            return inFlightAt[apps[place]];
        }

        @Override
        public Balancer.Standing standing(int place) {
            return around[apps[place]].isUp ? Balancer.Standing.IN_PLAY : Balancer.Standing.OUT;
        }
    };

    /** An idle spare of that capacity, above 0; {@code seed} is for what it decides by chance. */
    Station(double unitsPerSecond, long seed) {
        this.unitsPerSecond = unitsPerSecond;
        this.random = new SplittableRandom(seed);
        this.balancer = new Balancer(List.of(), random);
    }

    /** What it runs. */
    public Plan plan() {
        return plan;
    }

    /**
     * Takes a new file. Its cache is kept only from proxy to proxy of one site. What came to a proxy that is none any
     * more is answered as if it still were, as servers do.
     */
    public void run(Plan next) {
        boolean keepsCache = next.role().equals(plan.role());
        plan = next;
        isProxy = next.role() instanceof Role.Serving(var _, Tier tier) && tier == Tier.PROXY;
        if (isProxy) {
            forwardTo(next.apps());
        }
        if (!keepsCache) {
            cells = new int[0];
        }
    }

    private void forwardTo(List<Integer> next) {
        int[] before = apps;
        apps = next.stream().mapToInt(Integer::intValue).toArray();
        if (!Arrays.equals(before, apps)) {
            List<Balancer.Member> members = next.stream()
                    .map(app -> new Balancer.Member(label(app), WEIGHT))
                    .toList();
            balancer = balancer.successor(members, random);
        }
    }

    /** From now on every static request finds its object in the cache. */
    public void warm() {
        isWarm = true;
    }

    /** What is let in from now on takes this share of its speed: 1 for all of it. */
    public void slow(double share) {
        speed = share;
    }

    /** Lets in so many at a time from now on. */
    public void limit(int inFlightAtMost) {
        mostInFlight = inFlightAtMost;
    }

    boolean isProxy() {
        return isProxy;
    }

    /** Whether the machine works. */
    public boolean isUp() {
        return isUp;
    }

    /** The machine ends; what is in it is lost. */
    public void crash() {
        isUp = false;
        life++;
        inFlight = 0;
        backEndInFlight = 0;
        Arrays.fill(inFlightAt, 0);
        cells = new int[0];
    }

    /** The machine starts again, with nothing in it and its counters at zero. */
    public void restart(long nowNanos) {
        isUp = true;
        busyUntilNanos = nowNanos;
        orderedNanos = 0;
        requests = 0;
        hits = 0;
        misses = 0;
        hadClient = false;
        plan = new Plan(0, Role.SPARE, List.of());
        isProxy = false;
    }

    /** Changes with each crash. */
    int life() {
        return life;
    }

    /** Lets a request in, unless the machine is down or full. */
    boolean enter(boolean isFromClient, long nowNanos) {
        if (!isUp || inFlight >= mostInFlight) {
            return false;
        }
        inFlight++;
        requests++;
        if (isFromClient) {
            lastClientNanos = nowNanos;
            hadClient = true;
        }
        return true;
    }

    void leave(int lifeThen) {
        if (lifeThen == life) {
            inFlight--;
        }
    }

    /** Adds work behind all that was added before; when it will be done. */
    public long admit(long nowNanos, double units) {
        long serviceNanos = Math.round(units / (unitsPerSecond * speed) * NANOS_PER_SECOND);
        busyUntilNanos = Math.max(busyUntilNanos, nowNanos) + serviceNanos;
        orderedNanos += serviceNanos;
        return busyUntilNanos;
    }

    /** The cell of an object: 0 when it is not there, {@link #isCached}, else what {@link #fetching} put there. */
    int cell(int object, int objects) {
        if (isWarm) {
            return CACHED;
        }
        if (cells.length == 0) {
            cells = new int[objects];
        }
        return cells[object];
    }

    static boolean isCached(int cell) {
        return cell == CACHED;
    }

    void hit() {
        hits++;
    }

    void fetching(int object, int mark) {
        misses++;
        cells[object] = mark;
    }

    /** The fetch is over: the object is kept if it was fetched, and forgotten if not. */
    void fetched(int object, int mark, boolean isGood) {
        if (cells.length > 0 && cells[object] == mark) {
            cells[object] = isGood ? CACHED : 0;
        }
    }

    /** The agent has told how busy the apps are; they go by {@link #label}. */
    public void hear(Loads loads, long nowNanos) {
        balancer.tell(loads);
        staleNanos = nowNanos + loads.stalenessNanos();
    }

    /** What a server is called in loads. */
    public static String label(int index) {
        return Integer.toString(index);
    }

    /** The app node that a web-node would choose, of those that work; -1 if there is none. */
    int chooseApp(Station[] stations, long nowNanos) {
        if (inFlightAt.length == 0) {
            inFlightAt = new int[stations.length];
        }
        if (nowNanos >= staleNanos) {
            balancer.forget();
        }
        around = stations;
        int place = balancer.pick(choice, turn++);
        if (place < 0) {
            return -1;
        }
        inFlightAt[apps[place]]++;
        backEndInFlight++;
        return apps[place];
    }

    void answeredBy(int app, int lifeThen) {
        if (lifeThen == life) {
            inFlightAt[app]--;
            backEndInFlight--;
        }
    }

    /** Requests in the node. */
    public int inFlight() {
        return inFlight;
    }

    /** Units per second. */
    public double unitsPerSecond() {
        return unitsPerSecond;
    }

    /** Time spent working so far, without the backlog. */
    public double busySeconds(long nowNanos) {
        return (orderedNanos - Math.max(0, busyUntilNanos - nowNanos)) / NANOS_PER_SECOND;
    }

    /** What the status page tells besides the plan. */
    public record Counters(
            int inFlight, int backEndInFlight, double lastClientAgeSeconds, long requests, long hits, long misses) {}

    /** The counters now; the age is negative when there was no request from a client. */
    public Counters counters(long nowNanos) {
        double age = hadClient ? (nowNanos - lastClientNanos) / NANOS_PER_SECOND : -1;
        return new Counters(inFlight, backEndInFlight, age, requests, hits, misses);
    }
}
