package dev.retier.sim.herd;

import dev.retier.balance.AppLoad;
import dev.retier.balance.Balancer;
import dev.retier.balance.Balancer.Member;
import dev.retier.balance.Balancer.Standing;
import dev.retier.balance.Loads;
import dev.retier.sim.time.VirtualTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One run of one scene by one rule. Each app is a queue that is served in order; it publishes every 100 ms, over the
 * last 200, and each proxy looks every 200 ms, all at moments of their own: figures are 0 to 300 ms old. The network
 * takes no time. Used once; not thread-safe.
 */
public final class Herd {
    private static final int COMES = 0;
    private static final int ENDS = 1;
    private static final int PUBLISHES = 2;
    private static final int LOOKS = 3;

    private static final long PUBLISH_NANOS = 100_000_000;
    private static final long LOOK_NANOS = 200_000_000;
    private static final long STALENESS_NANOS = 1_000_000_000;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final int WEIGHT = 100;
    /** Long enough for the speeds that a balancer learns. */
    private static final long WARM_NANOS = 10_000_000_000L;

    private final Scene scene;
    private final Rule rule;
    private final SplittableRandom random;
    private final VirtualTime time = new VirtualTime();
    private final App[] apps;
    private final Proxy[] proxies;
    private final double toldCapacity;
    private long[] waits = new long[1 << 16];
    private int waited;
    private long answered;

    /**
     * What became of the requests.
     *
     * @param throughput answered, as a share of what all apps can do
     * @param meanMillis mean time that requests wait for an app to begin with them
     * @param p50Millis half wait no longer
     * @param p99Millis 99 of 100 wait no longer
     */
    public record Waits(double throughput, double meanMillis, double p50Millis, double p99Millis) {}

    private static final class App {
        final String name;
        final Scene.App kind;
        int inService;
        long requests;
        long busyUntilNanos;
        long orderedNanos;
        /** Of the last two publications, the older one first: requests and busy time so far. */
        final long[] requestsThen = new long[2];

        final long[] busyThen = new long[2];
        AppLoad published;

        App(int index, Scene.App kind) {
            this.name = "app-" + index;
            this.kind = kind;
            this.published = new AppLoad(name, 0, 0, 0, kind.toldCapacity());
        }
    }

    /** One proxy: what it has in flight, and what it last saw. */
    private static final class Proxy implements Balancer.Apps {
        final int[] inFlight;
        final Balancer balancer;
        /** How long each has waited for its turn, in capacities. */
        final double[] turns;

        List<AppLoad> seen = List.of();

        Proxy(App[] apps, SplittableRandom random) {
            this.inFlight = new int[apps.length];
            this.turns = random.doubles(apps.length).toArray();
            List<Member> members =
                    Arrays.stream(apps).map(app -> new Member(app.name, WEIGHT)).toList();
            this.balancer = new Balancer(members, random);
        }

        @Override
        public int inFlight(int index) {
            return inFlight[index];
        }

        @Override
        public Standing standing(int index) {
            return Standing.IN_PLAY;
        }
    }

    private Herd(Scene scene, Rule rule, long seed) {
        this.scene = scene;
        this.rule = rule;
        this.random = new SplittableRandom(seed);
        this.apps = new App[scene.apps().size()];
        Arrays.setAll(apps, index -> new App(index, scene.apps().get(index)));
        this.toldCapacity =
                scene.apps().stream().mapToDouble(Scene.App::toldCapacity).sum();
        this.proxies = new Proxy[scene.proxies()];
        Arrays.setAll(proxies, _ -> new Proxy(apps, random));
    }

    /** Runs it for so long after ten seconds that do not count. */
    public static Waits run(Scene scene, Rule rule, long seed, double seconds) {
        Herd herd = new Herd(scene, rule, seed);
        herd.begin();
        long untilNanos = WARM_NANOS + (long) (seconds * NANOS_PER_SECOND);
        boolean isMore = true;
        while (isMore) {
            isMore = herd.time.step(untilNanos, herd::on);
        }
        return herd.waits(seconds);
    }

    private void begin() {
        for (int app = 0; app < apps.length; app++) {
            time.add(random.nextLong(PUBLISH_NANOS), PUBLISHES, app);
        }
        for (int proxy = 0; proxy < proxies.length; proxy++) {
            time.add(random.nextLong(LOOK_NANOS), LOOKS, proxy);
        }
        if (scene.clients() == 0) {
            time.add(0, COMES, 0);
        }
        for (int client = 0; client < scene.clients(); client++) {
            time.add(random.nextLong(PUBLISH_NANOS), COMES, client % proxies.length);
        }
    }

    private void on(int kind, int subject) {
        switch (kind) {
            case COMES -> comes(subject);
            case ENDS -> ends(proxies[subject / apps.length], subject / apps.length, subject % apps.length);
            case PUBLISHES -> publishes(subject);
            case LOOKS -> looks(subject);
            default -> throw new IllegalStateException("an event of kind " + kind);
        }
    }

    private void comes(int proxy) {
        if (scene.clients() > 0) {
            send(proxy);
            return;
        }
        send(random.nextInt(proxies.length));
        double perSecond = scene.load() * scene.capacity() / Scene.UNITS;
        double gapSeconds = -Math.log(1 - random.nextDouble()) / perSecond;
        time.add(time.nowNanos() + (long) (gapSeconds * NANOS_PER_SECOND), COMES, 0);
    }

    private void send(int proxy) {
        int index = choose(proxies[proxy]);
        App app = apps[index];
        double units = Scene.UNITS + (random.nextBoolean() ? Scene.SPREAD_UNITS : -Scene.SPREAD_UNITS);
        long serviceNanos = (long) (units / app.kind.capacity() * NANOS_PER_SECOND);
        long waitNanos = Math.max(0, app.busyUntilNanos - time.nowNanos());
        app.busyUntilNanos = time.nowNanos() + waitNanos + serviceNanos;
        app.orderedNanos += serviceNanos;
        app.inService++;
        app.requests++;
        proxies[proxy].inFlight[index]++;
        time.add(app.busyUntilNanos, ENDS, proxy * apps.length + index);
        if (time.nowNanos() >= WARM_NANOS) {
            if (waited == waits.length) {
                waits = Arrays.copyOf(waits, 2 * waited);
            }
            waits[waited++] = waitNanos;
        }
    }

    private void ends(Proxy proxy, int index, int app) {
        proxy.inFlight[app]--;
        apps[app].inService--;
        answered += time.nowNanos() >= WARM_NANOS ? 1 : 0;
        if (scene.clients() > 0) {
            send(index);
        }
    }

    private void publishes(int index) {
        App app = apps[index];
        long busyNanos = app.orderedNanos - Math.max(0, app.busyUntilNanos - time.nowNanos());
        double windowNanos = 2.0 * PUBLISH_NANOS;
        app.published = new AppLoad(
                app.name,
                app.inService,
                Math.min(1, (busyNanos - app.busyThen[0]) / windowNanos),
                (app.requests - app.requestsThen[0]) / windowNanos * NANOS_PER_SECOND,
                app.kind.toldCapacity());
        app.busyThen[0] = app.busyThen[1];
        app.busyThen[1] = busyNanos;
        app.requestsThen[0] = app.requestsThen[1];
        app.requestsThen[1] = app.requests;
        time.add(time.nowNanos() + PUBLISH_NANOS, PUBLISHES, index);
    }

    private void looks(int index) {
        List<AppLoad> seen = new ArrayList<>(apps.length);
        for (App app : apps) {
            seen.add(app.published);
        }
        proxies[index].seen = seen;
        if (rule == Rule.SHARES) {
            proxies[index].balancer.tell(new Loads(time.nowNanos(), LOOK_NANOS, STALENESS_NANOS, seen));
        }
        time.add(time.nowNanos() + LOOK_NANOS, LOOKS, index);
    }

    private int choose(Proxy proxy) {
        int turn = random.nextInt(Integer.MAX_VALUE);
        return switch (rule) {
            case OWN, SHARES -> proxy.balancer.pick(proxy, turn);
            case WEIGHTED -> leastConn(proxy, turn);
            case TWO -> ofTwo(proxy);
            case TURNS -> inTurn(proxy, false);
            case WEIGHTED_TURNS -> inTurn(proxy, true);
            case NAIVE -> proxy.seen.isEmpty() ? turn % apps.length : leastSeen(proxy.seen, turn);
            case IDEAL -> least(turn);
        };
    }

    /** As HAProxy does it (2.6), to which all that have nothing are equal. */
    private int leastConn(Proxy proxy, int turn) {
        int best = turn % apps.length;
        for (int step = 1; step < apps.length; step++) {
            int index = (turn + step) % apps.length;
            best = key(proxy, index) < key(proxy, best) ? index : best;
        }
        return best;
    }

    /** As HAProxy does it (2.6). */
    private int ofTwo(Proxy proxy) {
        int first = drawn();
        int second = drawn();
        return (proxy.inFlight[second] + 1) * apps[first].kind.toldCapacity()
                        < (proxy.inFlight[first] + 1) * apps[second].kind.toldCapacity()
                ? second
                : first;
    }

    private int drawn() {
        double left = random.nextDouble() * toldCapacity;
        int index = 0;
        while (index < apps.length - 1 && left >= apps[index].kind.toldCapacity()) {
            left -= apps[index++].kind.toldCapacity();
        }
        return index;
    }

    private double key(Proxy proxy, int index) {
        int held = proxy.inFlight[index];
        return held == 0 ? 0 : (held + 1) / apps[index].kind.toldCapacity();
    }

    /** As mod_lbmethod_bybusyness does it (2.4). */
    private int inTurn(Proxy proxy, boolean isWeighted) {
        int best = 0;
        double sum = 0;
        for (int index = 0; index < apps.length; index++) {
            double factor = isWeighted ? apps[index].kind.toldCapacity() : WEIGHT;
            proxy.turns[index] += factor;
            sum += factor;
            int more = Integer.compare(proxy.inFlight[index], proxy.inFlight[best]);
            best = more < 0 || (more == 0 && proxy.turns[index] > proxy.turns[best]) ? index : best;
        }
        proxy.turns[best] -= sum;
        return best;
    }

    private int leastSeen(List<AppLoad> seen, int turn) {
        int best = turn % apps.length;
        for (int step = 1; step < apps.length; step++) {
            int index = (turn + step) % apps.length;
            AppLoad app = seen.get(index);
            AppLoad than = seen.get(best);
            best = app.inService() * than.capacity() < than.inService() * app.capacity() ? index : best;
        }
        return best;
    }

    private int least(int turn) {
        int best = turn % apps.length;
        for (int step = 1; step < apps.length; step++) {
            int index = (turn + step) % apps.length;
            double own = (apps[index].inService + 1) / apps[index].kind.capacity();
            double than = (apps[best].inService + 1) / apps[best].kind.capacity();
            best = own < than ? index : best;
        }
        return best;
    }

    private Waits waits(double seconds) {
        long[] sorted = Arrays.copyOf(waits, waited);
        Arrays.sort(sorted);
        double mean = Arrays.stream(sorted).average().orElse(0);
        return new Waits(
                answered / seconds * Scene.UNITS / scene.capacity(),
                mean / NANOS_PER_MILLI,
                at(sorted, 0.5),
                at(sorted, 0.99));
    }

    private static double at(long[] sorted, double share) {
        return sorted.length == 0 ? 0 : sorted[(int) (share * (sorted.length - 1))] / NANOS_PER_MILLI;
    }
}
