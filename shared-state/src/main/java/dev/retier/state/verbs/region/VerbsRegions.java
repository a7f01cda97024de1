package dev.retier.state.verbs.region;

import dev.retier.state.NodeId;
import dev.retier.state.StateMetric;
import dev.retier.state.region.Permissions;
import dev.retier.state.region.Region;
import dev.retier.state.region.RegionException;
import dev.retier.state.region.RegionFailure;
import dev.retier.state.region.RegionName;
import dev.retier.state.region.RegionSpec;
import dev.retier.state.region.Regions;
import dev.retier.state.region.directory.Answer;
import dev.retier.state.region.directory.Effect;
import dev.retier.state.region.directory.ExtentKey;
import dev.retier.state.region.directory.Names;
import dev.retier.state.region.directory.RegionRecord;
import dev.retier.state.region.directory.Request;
import dev.retier.state.region.directory.Shape;
import dev.retier.state.verbs.Counters;
import dev.retier.state.verbs.Transport;
import dev.retier.state.verbs.rpc.Fabric;
import dev.retier.state.verbs.rpc.PeerLink;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The named regions of a cell over a fabric. Every node of the fabric opens one. One thread per node beside those of
 * the fabric; short-lived virtual ones for what waits.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what is chained handles every outcome itself
public final class VerbsRegions implements Regions {
    private static final Logger LOG = LoggerFactory.getLogger(VerbsRegions.class);

    /** From which lives count: 31 bits of seconds last until 2094. */
    private static final Instant FIRST_LIFE = Instant.parse("2026-01-01T00:00:00Z");

    private static final long FIRST_WAIT_NANOS = 2_000_000L;
    private static final long LONGEST_WAIT_NANOS = 50_000_000L;
    private static final int LIFE_SHIFT = 32;

    private final Fabric fabric;
    private final RegionsConfig config;
    private final Names names;
    private final Counters counters = new Counters(StateMetric.ofRegions());
    private final PartMemory memory;
    private final Control control;
    private final Cores cores;
    private final Mapping.Ways ways;
    private final Upkeep upkeep;
    private final Absences absences;
    private final SecureRandom random = new SecureRandom();
    private final AtomicLong lastHandle;
    private final Map<Long, MappedRegion> mapped = new ConcurrentHashMap<>();
    private final Map<PeerLink, Staging> stagings = new ConcurrentHashMap<>();
    private final ScheduledThreadPoolExecutor clock;
    private final Deadlines deadlines;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** What all handles share. */
    private final class SharedWays implements Mapping.Ways {
        @Override
        public NodeId self() {
            return fabric.self();
        }

        @Override
        public Cores cores() {
            return cores;
        }

        @Override
        public Counters counters() {
            return counters;
        }

        @Override
        public Optional<PeerLink> link(NodeId node) {
            return fabric.link(node);
        }

        @Override
        public boolean isLongAway(NodeId node) {
            return absences.isLong(node, System.nanoTime());
        }

        @Override
        public Optional<Staging> staging(PeerLink link) {
            return VerbsRegions.this.staging(link);
        }

        @Override
        public boolean sharesWords() {
            return config.transport() == Transport.IWARP;
        }

        @Override
        public int chunkBytes() {
            return config.chunkBytes();
        }

        @Override
        public Optional<MemorySegment> ownMemory(long address) {
            return memory.ownMemory(address);
        }
    }

    private VerbsRegions(Fabric fabric, RegionsConfig config, int life) {
        this.fabric = fabric;
        this.config = config;
        this.names = new Names(fabric.nodes());
        this.lastHandle = new AtomicLong((long) life << LIFE_SHIFT);
        this.memory = new PartMemory(fabric.self(), config.backing());
        Bounds bounds = Bounds.of(config.drainBound());
        this.control = new Control(fabric, counters, bounds.call());
        Copier copier = new Copier(fabric, memory);
        this.cores = new Cores(fabric.self(), names, life, memory, new Cores.Effects() {
            @Override
            public CompletableFuture<Answer> call(NodeId to, Request request) {
                return control.ask(to, request, bounds.of(request));
            }

            @Override
            public Answer copy(NodeId from, List<Effect.Piece> pieces) {
                return copier.copy(from, pieces);
            }

            @Override
            public CompletableFuture<Answer> drain(long handle, RegionFailure why) {
                return VerbsRegions.this.drain(handle, why);
            }
        });
        this.ways = new SharedWays();
        this.clock = new ScheduledThreadPoolExecutor(
                1,
                task -> Thread.ofPlatform()
                        .name("regions-" + fabric.self())
                        .daemon()
                        .unstarted(task));
        this.deadlines = new Deadlines(clock);
        this.absences = new Absences(config.absenceBound());
        this.upkeep = new Upkeep(new Upkeep.Parts(fabric, control, cores, absences), bounds, config.gatherBound());
    }

    /**
     * Offers what this node holds, and begins to ask around. Waits for nobody.
     *
     * @param fabric open, and not used for regions by anybody else; its owner closes it, after this
     * @throws IllegalArgumentException if the fabric cannot carry the messages
     */
    public static VerbsRegions open(Fabric fabric, RegionsConfig config) {
        long life = Duration.between(FIRST_LIFE, Instant.now()).toSeconds();
        if (2 * config.chunks() > fabric.limits().oneSided()) {
            throw new IllegalArgumentException("regions: " + config.chunks() + " chunks need twice as many operations,"
                    + " but the fabric carries " + fabric.limits().oneSided() + " to a peer");
        }
        VerbsRegions regions = new VerbsRegions(fabric, config, Math.toIntExact(life));
        regions.control.serve(regions.cores::answer);
        regions.clock.scheduleWithFixedDelay(regions.upkeep::turn, 0, Upkeep.TURN.toNanos(), TimeUnit.NANOSECONDS);
        return regions;
    }

    @Override
    public Region create(RegionName name, RegionSpec spec, Duration deadline) {
        Shape shape = Shape.over(spec.lengthBytes(), spec.nodes().size());
        List<NodeId> placement = IntStream.range(0, shape.extents())
                .mapToObj(part -> spec.nodes().get(part % spec.nodes().size()))
                .toList();
        RegionRecord.Rights rights = new RegionRecord.Rights(spec.others(), Map.of());
        long[] id = {random.nextLong()};
        return retry(deadline, left -> {
            RegionRecord wanted = new RegionRecord(name, id[0], 0, shape, placement, rights);
            Answer answer = ask(names.keeperOf(name), new Request.Create(wanted), left);
            if (answer.isRefusal(RegionFailure.FREED)) {
                id[0] = random.nextLong();
                throw new RegionException(RegionFailure.NOT_READY, "the last try was undone");
            }
            refuse(answer);
            return map(name, Permissions.ALL, left);
        });
    }

    @Override
    public Region map(RegionName name, Permissions wanted, Duration deadline) {
        return retry(deadline, left -> mapOnce(name, wanted, left));
    }

    @Override
    public Map<StateMetric, Long> metrics() {
        Map<StateMetric, Long> metrics = fabric.metrics();
        metrics.putAll(counters.counted());
        metrics.put(StateMetric.REGIONS_FORCED, cores.forced());
        metrics.put(StateMetric.REGIONS_FORBIDDEN, cores.forbidden());
        metrics.put(StateMetric.REGIONS_ORPHANS, cores.orphans());
        return metrics;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            clock.shutdownNow();
            mapped.values().forEach(region -> {
                CompletableFuture<Answer> drained = region.drain(RegionFailure.CLOSED);
                drained.completeOnTimeout(new Answer.Done(), config.drainBound().toNanos(), TimeUnit.NANOSECONDS)
                        .join();
            });
            cores.close();
        }
    }

    /** Gives a handle up, whether or not it was taken away before. */
    void unmap(MappedRegion region) {
        cores.unmap(region.handle()).join();
    }

    /** Asks the node that keeps the name until {@code deadline}; throws what it refuses. */
    void askKeeper(RegionName name, Request.ToDirectory request, Duration deadline) {
        retry(deadline, left -> {
            refuse(ask(names.keeperOf(name), request, left));
            return true;
        });
    }

    /** Where operations are watched until their deadlines. */
    Deadlines deadlines() {
        return deadlines;
    }

    private Region mapOnce(RegionName name, Permissions wanted, Duration left) {
        long handle = lastHandle.incrementAndGet();
        Map<NodeId, Optional<PeerLink>> before = new HashMap<>();
        names.nodes().forEach(node -> before.put(node, fabric.link(node)));
        Answer none = new Answer.Refused(RegionFailure.TIMED_OUT, "the deadline passed");
        Answer answer = cores.map(name, wanted, handle)
                .completeOnTimeout(none, left.toNanos(), TimeUnit.NANOSECONDS)
                .join();
        if (!(answer instanceof Answer.Mapped(RegionRecord region, List<ExtentKey> keys))) {
            refuse(answer);
            throw new IllegalStateException("mapped, but by " + answer);
        }
        MappedRegion made = new MappedRegion(this, ways, region, wanted, handle);
        for (NodeId holder : region.holders()) {
            Optional<PeerLink> link = Optional.ofNullable(before.get(holder)).flatMap(known -> known);
            if (holder.equals(fabric.self()) || link.equals(fabric.link(holder))) {
                made.learn(holder, link, keys);
            }
        }
        mapped.put(handle, made);
        return made;
    }

    private static void refuse(Answer answer) {
        if (answer instanceof Answer.Refused(RegionFailure failure, String detail)) {
            throw new RegionException(failure, detail);
        }
    }

    private interface Attempt<T> {
        T within(Duration left);
    }

    /** Tries again what is passing, until the deadline. */
    private <T> T retry(Duration deadline, Attempt<T> attempt) {
        long endNanos = System.nanoTime() + deadline.toNanos();
        long wait = FIRST_WAIT_NANOS;
        while (true) {
            if (closed.get()) {
                throw new RegionException(RegionFailure.CLOSED, "the regions of " + fabric.self() + " are closed");
            }
            try {
                return attempt.within(Duration.ofNanos(Math.max(1, endNanos - System.nanoTime())));
            } catch (RegionException refused) {
                if (!refused.failure().isPassing() || endNanos - System.nanoTime() < wait) {
                    throw refused;
                }
                LOG.debug("{} tries again: {}", fabric.self(), refused.getMessage());
            }
            LockSupport.parkNanos(this, wait);
            wait = Math.min(2 * wait, LONGEST_WAIT_NANOS);
        }
    }

    private Answer ask(NodeId node, Request request, Duration bound) {
        Answer none = new Answer.Refused(RegionFailure.TIMED_OUT, "the deadline passed");
        return (node.equals(fabric.self()) ? cores.answer(request) : control.ask(node, request, bound))
                .completeOnTimeout(none, bound.toNanos(), TimeUnit.NANOSECONDS)
                .join();
    }

    private Optional<Staging> staging(PeerLink link) {
        stagings.keySet().removeIf(old -> !old.isOpen());
        return Optional.ofNullable(stagings.computeIfAbsent(link, this::newStaging));
    }

    private @Nullable Staging newStaging(PeerLink link) {
        try {
            return new Staging(link, config.chunkBytes(), config.chunks());
        } catch (IOException over) {
            LOG.debug("no memory for operations on {}: {}", link.node(), over.toString());
            return null;
        }
    }

    /** What the cores have done. */
    private CompletableFuture<Answer> drain(long handle, RegionFailure why) {
        MappedRegion region = mapped.remove(handle);
        if (region == null) {
            return CompletableFuture.completedFuture(new Answer.Done());
        }
        Answer late = new Answer.Refused(RegionFailure.TIMED_OUT, "operations are under way still");
        return region.drain(why).completeOnTimeout(late, config.drainBound().toNanos(), TimeUnit.NANOSECONDS);
    }
}
