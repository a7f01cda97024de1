package dev.retier.fabric.regions;

import dev.retier.fabric.Callbacks;
import dev.retier.fabric.Fabric;
import dev.retier.fabric.PeerLink;
import dev.retier.fabric.directory.Names;
import dev.retier.fabric.directory.PartKey;
import dev.retier.fabric.directory.Permissions;
import dev.retier.fabric.directory.RegionAnswer;
import dev.retier.fabric.directory.RegionFailure;
import dev.retier.fabric.directory.RegionName;
import dev.retier.fabric.directory.RegionRecord;
import dev.retier.fabric.directory.RegionRequest;
import dev.retier.fabric.directory.RegionSpec;
import dev.retier.fabric.directory.Shape;
import dev.retier.link.Counters;
import dev.retier.link.Metric;
import dev.retier.link.NodeId;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The named regions of a cell, as one node of a fabric sees them; every node of the fabric opens one.
 *
 * <p>Safe for any thread; every call blocks until it is done or its deadline has passed, and then throws {@link
 * RegionException}. What is passing ({@link RegionFailure#isPassing}) is tried again until the deadline, but not by a
 * thread that is interrupted. No thread beside those of the fabric; short-lived virtual ones for what waits.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what is chained handles every outcome itself
public final class Regions implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Regions.class);

    /** From which lives count: 31 bits of seconds last until 2094. */
    private static final Instant FIRST_LIFE = Instant.parse("2026-01-01T00:00:00Z");

    private static final long FIRST_WAIT_NANOS = 2_000_000L;
    private static final long LONGEST_WAIT_NANOS = 50_000_000L;
    private static final int LIFE_SHIFT = 32;

    final Fabric fabric;
    final RegionsConfig config;
    private final Names names;
    final Counters counters = new Counters(List.of(RegionMetric.values()));
    final PartMemory memory;
    final DirectoryCalls calls;
    final DirectoryDriver cores;
    final Maintenance maintenance;
    private final SecureRandom random = new SecureRandom();
    private final AtomicLong lastHandle;
    private final Map<Long, MappedRegion> mapped = new ConcurrentHashMap<>();
    private final Map<PeerLink, ChunkPool> stagings = new ConcurrentHashMap<>();
    private Future<?> maintaining = CompletableFuture.completedFuture(null);
    private final AtomicBoolean closed = new AtomicBoolean();

    private Regions(Fabric fabric, RegionsConfig config, int life) {
        this.fabric = fabric;
        this.config = config;
        this.names = new Names(fabric.nodes());
        this.lastHandle = new AtomicLong((long) life << LIFE_SHIFT);
        this.memory = new PartMemory(fabric.self(), fabric.abilities().excludesProcessors(), config.backing());
        this.calls = new DirectoryCalls(fabric, counters, config.drainBound());
        this.cores = new DirectoryDriver(this, names, life, memory);
        this.maintenance = new Maintenance(this);
    }

    /**
     * Offers what this node holds, and begins to ask around. Waits for nobody.
     *
     * @param fabric open, and not used for regions by anybody else; its owner closes it, after this
     * @throws IllegalArgumentException if the fabric cannot carry the messages
     */
    public static Regions open(Fabric fabric, RegionsConfig config) {
        long life = Duration.between(FIRST_LIFE, Instant.now()).toSeconds();
        if (2 * config.chunks() > fabric.limits().oneSided()) {
            throw new IllegalArgumentException("regions: " + config.chunks() + " chunks need twice as many operations,"
                    + " but the fabric carries " + fabric.limits().oneSided() + " to a peer");
        }
        Regions regions = new Regions(fabric, config, Math.toIntExact(life));
        regions.calls.serve(regions.cores::answer);
        regions.maintaining = fabric.timers().every(Maintenance.TURN.toNanos(), regions.maintenance::turn);
        return regions;
    }

    /**
     * Makes a region of zeros and maps it for all that there is to do.
     *
     * @throws RegionException {@link RegionFailure#NAME_TAKEN}, {@link RegionFailure#NO_SPACE}, or the node that keeps
     *     the name or a node that shall hold a part cannot be reached
     */
    public Region create(RegionName name, RegionSpec spec, Duration deadline) {
        Shape shape = Shape.over(spec.lengthBytes(), spec.nodes().size());
        List<NodeId> placement = IntStream.range(0, shape.parts())
                .mapToObj(part -> spec.nodes().get(part % spec.nodes().size()))
                .toList();
        RegionRecord.Rights rights = new RegionRecord.Rights(spec.others(), Map.of());
        long[] id = {random.nextLong()};
        return retry(deadline, left -> {
            RegionRecord wanted = new RegionRecord(name, id[0], 0, shape, placement, rights);
            RegionAnswer answer = ask(names.keeperOf(name), new RegionRequest.Create(wanted), left);
            if (answer.isRefusal(RegionFailure.FREED)) {
                id[0] = random.nextLong();
                throw new RegionException(RegionFailure.NOT_READY, "the last try was undone");
            }
            refuse(answer);
            return map(name, Permissions.ALL, left);
        });
    }

    /**
     * Maps the region of this name for {@code wanted}.
     *
     * @throws RegionException {@link RegionFailure#NO_SUCH_REGION}, {@link RegionFailure#NOT_PERMITTED}, or nobody
     *     who knows the region can be reached
     */
    public Region map(RegionName name, Permissions wanted, Duration deadline) {
        return retry(deadline, left -> mapOnce(name, wanted, left));
    }

    /** What has been counted since the start about regions and the connections that they use. */
    public Map<Metric, Long> metrics() {
        Map<Metric, Long> metrics = fabric.metrics();
        metrics.putAll(counters.counted());
        metrics.putAll(cores.counted());
        return metrics;
    }

    /** Unmaps all; what this node holds for others is gone for them. Idempotent. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            maintaining.cancel(false);
            mapped.keySet()
                    .forEach(handle -> drain(handle, RegionFailure.CLOSED).join());
            cores.close();
        }
    }

    /** Gives a handle up, whether or not it was taken away before. */
    void unmap(MappedRegion region) {
        cores.map(mapper -> mapper.unmap(region.handle)).join();
    }

    /** Asks the node that keeps the name until {@code deadline}; throws what it refuses. */
    void askKeeper(RegionName name, RegionRequest.ToDirectory request, Duration deadline) {
        retry(deadline, left -> {
            refuse(ask(names.keeperOf(name), request, left));
            return true;
        });
    }

    /** Memory for operations on the connection, if it stands. */
    Optional<ChunkPool> staging(PeerLink link) {
        stagings.keySet().removeIf(old -> !old.isOpen());
        return Optional.ofNullable(stagings.computeIfAbsent(link, this::newStaging));
    }

    /** Lets nobody begin an operation on the handle any more, and waits for those under way. */
    CompletableFuture<RegionAnswer> drain(long handle, RegionFailure why) {
        MappedRegion region = mapped.remove(handle);
        if (region == null) {
            return CompletableFuture.completedFuture(new RegionAnswer.Done());
        }
        RegionAnswer late = new RegionAnswer.Refused(RegionFailure.TIMED_OUT, "operations are under way still");
        return region.drain(why).completeOnTimeout(late, config.drainBound().toNanos(), TimeUnit.NANOSECONDS);
    }

    private Region mapOnce(RegionName name, Permissions wanted, Duration left) {
        if (!memory.isDirect(fabric.self()) && fabric.link(fabric.self()).isEmpty()) {
            throw new RegionException(
                    RegionFailure.NODE_UNREACHABLE,
                    fabric.self()
                            + " is not connected to itself yet, as which it reaches its own parts on this device");
        }
        long handle = lastHandle.incrementAndGet();
        Map<NodeId, PeerLink> before = new HashMap<>();
        names.nodes().forEach(node -> fabric.link(node).ifPresent(link -> before.put(node, link)));
        CompletableFuture<RegionAnswer> mapping = cores.map(mapper -> mapper.map(name, wanted, handle));
        RegionAnswer answer = within(left, mapping.copy());
        if (!(answer instanceof RegionAnswer.Mapped(RegionRecord region, List<PartKey> keys))) {
            // It may be mapped yet, for nobody.
            Callbacks.run("a mapping", mapping, _ -> cores.map(mapper -> mapper.unmap(handle)));
            refuse(answer);
            throw new IllegalStateException("mapped, but by " + answer);
        }
        MappedRegion made = new MappedRegion(this, region, wanted, handle);
        for (NodeId holder : region.holders()) {
            Optional<PeerLink> link = Optional.ofNullable(before.get(holder));
            if (memory.isDirect(holder) || link.equals(fabric.link(holder))) {
                made.learn(holder, link, keys);
            }
        }
        mapped.put(handle, made);
        return made;
    }

    private static void refuse(RegionAnswer answer) {
        if (answer instanceof RegionAnswer.Refused(RegionFailure failure, String detail)) {
            throw new RegionException(failure, detail);
        }
    }

    /** Tries again what is passing, until the deadline. */
    <T> T retry(Duration deadline, Function<Duration, T> once) {
        long endNanos = System.nanoTime() + deadline.toNanos();
        long wait = FIRST_WAIT_NANOS;
        while (true) {
            if (closed.get()) {
                throw new RegionException(RegionFailure.CLOSED, "the regions of " + fabric.self() + " are closed");
            }
            try {
                return once.apply(Duration.ofNanos(Math.max(1, endNanos - System.nanoTime())));
            } catch (RegionException refused) {
                boolean givesUp = Thread.currentThread().isInterrupted() && !closed.get();
                if (!refused.failure().isPassing() || givesUp || endNanos - System.nanoTime() < wait) {
                    throw refused;
                }
                LOG.debug("{} tries again: {}", fabric.self(), refused.getMessage());
            }
            LockSupport.parkNanos(this, wait);
            wait = Math.min(2 * wait, LONGEST_WAIT_NANOS);
        }
    }

    private RegionAnswer ask(NodeId node, RegionRequest request, Duration bound) {
        return within(bound, node.equals(fabric.self()) ? cores.answer(request) : calls.ask(node, request, bound));
    }

    private static RegionAnswer within(Duration bound, CompletableFuture<RegionAnswer> answer) {
        RegionAnswer none = new RegionAnswer.Refused(RegionFailure.TIMED_OUT, "the deadline passed");
        return answer.completeOnTimeout(none, bound.toNanos(), TimeUnit.NANOSECONDS)
                .join();
    }

    private @Nullable ChunkPool newStaging(PeerLink link) {
        try {
            return new ChunkPool(link, config.chunkBytes(), config.chunks());
        } catch (IOException over) {
            LOG.debug("no memory for operations on {}: {}", link.node(), over.toString());
            return null;
        }
    }
}
