package dev.retier.fabric.regions;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.retier.fabric.MemoryNodes;
import dev.retier.fabric.directory.Names;
import dev.retier.fabric.directory.RegionFailure;
import dev.retier.fabric.directory.RegionName;
import dev.retier.link.Metric;
import dev.retier.link.NodeId;
import dev.retier.testsupport.verbs.VerbsWorld;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Nodes with regions, in memory. What bounds them is small, so that it is soon reached. */
final class MemoryRegions implements AutoCloseable {
    static final Duration PATIENCE = MemoryNodes.PATIENCE;
    static final int CHUNK_BYTES = 64;
    static final int CHUNKS = 4;

    /** Nodes gather for longer than this takes them to meet, and for so long without some of them. */
    static final RegionsConfig CONFIG = new RegionsConfig(
            Optional.empty(),
            Duration.ofMillis(300),
            Duration.ofMillis(500),
            Duration.ofSeconds(1),
            CHUNK_BYTES,
            CHUNKS);

    final MemoryNodes nodes;
    private final int size;
    private final Map<Integer, Regions> regions = new TreeMap<>();

    MemoryRegions(int size) {
        this(size, CONFIG, _ -> {});
    }

    /** The same; what {@code setUp} says of the world is so before any node is open. */
    MemoryRegions(int size, RegionsConfig config, Consumer<VerbsWorld> setUp) {
        this.size = size;
        this.nodes = new MemoryNodes(size, MemoryNodes.LIMITS);
        setUp.accept(nodes.world());
        nodes.openAll();
        for (int node = 1; node <= size; node++) {
            regions.put(node, Regions.open(nodes.at(node), config));
        }
    }

    /** {@link #CONFIG} with parts in files of {@code folder}. */
    static RegionsConfig backedBy(Path folder) {
        return new RegionsConfig(
                Optional.of(folder),
                CONFIG.drainBound(),
                CONFIG.gatherBound(),
                CONFIG.absenceBound(),
                CHUNK_BYTES,
                CHUNKS);
    }

    static NodeId node(int value) {
        return new NodeId(value);
    }

    Regions at(int node) {
        return Objects.requireNonNull(regions.get(node));
    }

    /** The node and its regions begin a new life. */
    Regions reopen(int node) {
        Regions opened = Regions.open(nodes.open(node), CONFIG);
        regions.put(node, opened);
        return opened;
    }

    /** The node begins a new life, and waits for nobody for longer than that. */
    Regions begin(int node, Duration bound) {
        RegionsConfig impatient =
                new RegionsConfig(CONFIG.backing(), CONFIG.drainBound(), bound, bound, CHUNK_BYTES, CHUNKS);
        Regions opened = Regions.open(nodes.open(node), impatient);
        regions.put(node, opened);
        return opened;
    }

    /** As if its process had died. */
    void kill(int node) {
        nodes.close(node);
        Objects.requireNonNull(regions.remove(node)).close();
    }

    /** A name that {@code keeper} keeps. */
    RegionName nameAt(int keeper) {
        Names names = new Names(
                IntStream.rangeClosed(1, size).mapToObj(MemoryRegions::node).toList());
        return IntStream.range(0, 1000)
                .mapToObj(i -> new RegionName("orders/" + i))
                .filter(name -> names.keeperOf(name).equals(node(keeper)))
                .findFirst()
                .orElseThrow();
    }

    long metric(int node, Metric metric) {
        return at(node).metrics().getOrDefault(metric, 0L);
    }

    /** Bytes that are all different from their neighbours. */
    static MemorySegment bytes(long length, int seed) {
        MemorySegment memory = Arena.ofAuto().allocate(length, Long.BYTES);
        for (long i = 0; i < length; i++) {
            memory.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + seed));
        }
        return memory;
    }

    static MemorySegment read(Region region, long offset, long length) {
        MemorySegment memory = Arena.ofAuto().allocate(length, Long.BYTES);
        region.read(offset, List.of(memory), PATIENCE);
        return memory;
    }

    static long word(Region region, long offset) {
        return read(region, offset, Long.BYTES).get(ValueLayout.JAVA_LONG, 0);
    }

    static RegionFailure failureOf(Runnable action) {
        return Objects.requireNonNull(catchThrowableOfType(RegionException.class, action::run), "it was not refused")
                .failure();
    }

    @Override
    public void close() {
        nodes.world().release();
        regions.values().forEach(Regions::close);
        nodes.close();
    }
}
