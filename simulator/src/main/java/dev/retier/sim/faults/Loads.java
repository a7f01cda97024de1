package dev.retier.sim.faults;

import dev.retier.sim.model.Split;
import dev.retier.sim.service.Clients;
import dev.retier.sim.service.Demand;
import dev.retier.sim.service.Service;
import dev.retier.sim.service.Workload;
import dev.retier.sim.time.VirtualTime;
import dev.retier.traces.made.BodySizes;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Who asks for what in a world: bursts of one mix after the other on each site, and at last one that stays. */
final class Loads {
    private static final double[] MIXES = {0, 0.1, 0.25, 0.5, 0.75, 1};
    private static final int MOST_SITES = 3;
    private static final int REQUESTS = 1500;
    /** Of a made trace. */
    private static final int TRACE_PER_SECOND = 1000;

    private static final Catalogue FILES = new Catalogue(20, 0.8, new BodySizes.Fixed(4096), new BodySizes.Fixed(1024));
    private static final long SHORTEST_BURST_NANOS = 500_000_000L;
    private static final long LONGEST_BURST_NANOS = 6_000_000_000L;

    /** Immutable, so all worlds share them: by site, then by mix. */
    private static final List<List<Workload>> WORKLOADS = IntStream.range(0, MOST_SITES)
            .mapToObj(site -> IntStream.range(0, MIXES.length)
                    .mapToObj(mix -> Workload.read(
                            GeneratedTrace.mixed(REQUESTS, MIXES[mix], FILES, mix + 1L), site, Long.MAX_VALUE))
                    .toList())
            .toList();

    private final List<Demand> demands = new ArrayList<>();
    private final List<Burst> bursts = new ArrayList<>();

    private record Burst(long atNanos, int site, int demand) {}

    /** Bursts until {@code untilNanos}, then the last load of each site. */
    Loads(MadeWorld world, SplittableRandom random, long untilNanos) {
        int sites = world.config().sites().size();
        for (int site = 0; site < sites; site++) {
            long atNanos = random.nextLong(SHORTEST_BURST_NANOS);
            while (atNanos < untilNanos) {
                add(world, random, site, atNanos);
                atNanos += random.nextLong(SHORTEST_BURST_NANOS, LONGEST_BURST_NANOS);
            }
            add(world, random, site, untilNanos);
        }
    }

    private void add(MadeWorld world, SplittableRandom random, int site, long atNanos) {
        int nodes = world.config().nodes().size();
        int sites = world.config().sites().size();
        int mix = random.nextInt(MIXES.length);
        boolean isClosed = random.nextInt(3) > 0;
        bursts.add(new Burst(atNanos, site, demands.size()));
        Workload workload = WORKLOADS.get(site).get(mix);
        if (isClosed) {
            int clients = random.nextInt(1, 8 * nodes / sites);
            demands.add(new Demand(workload, Clients.closed(clients)));
            return;
        }
        int share = Math.max(2, nodes / sites);
        double best = Split.bestRigid(share, world.costs(), List.of(new Split.Stretch(1, MIXES[mix])))
                .seconds(world.costs(), List.of(new Split.Stretch(1, MIXES[mix])));
        double rate = random.nextDouble(0.1, 0.8) / best;
        demands.add(new Demand(workload, Clients.open(rate / TRACE_PER_SECOND)));
    }

    List<Demand> demands() {
        return demands;
    }

    /** Those that stay, by site. */
    List<Demand> last() {
        List<Demand> last = new ArrayList<>();
        for (Burst burst : bursts) {
            if (burst.site == last.size()) {
                last.add(demands.get(burst.demand));
            }
            last.set(burst.site, demands.get(burst.demand));
        }
        return last;
    }

    /** Each burst ends the one before it on its site. */
    void start(VirtualTime time, Service service, Timeline timeline) {
        int[] playing = new int[MOST_SITES];
        java.util.Arrays.fill(playing, -1);
        for (Burst burst : bursts) {
            time.after(burst.atNanos - time.nowNanos(), () -> {
                if (playing[burst.site] >= 0) {
                    service.end(playing[burst.site]);
                }
                playing[burst.site] = burst.demand;
                service.repeat(burst.demand);
                Demand demand = demands.get(burst.demand);
                timeline.note(
                        "site-" + (burst.site + 1),
                        () -> "asked for " + demand.workload().name() + " by "
                                + (demand.clients().count() > 0
                                        ? demand.clients().count() + " clients"
                                        : Math.round(demand.clients().speed() * TRACE_PER_SECOND) + " requests/s"));
            });
        }
    }
}
