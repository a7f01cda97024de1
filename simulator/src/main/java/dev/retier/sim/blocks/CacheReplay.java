package dev.retier.sim.blocks;

import dev.retier.config.SizeText;
import dev.retier.report.Axis;
import dev.retier.report.HtmlPage;
import dev.retier.report.OutputFormat;
import dev.retier.report.Plot;
import dev.retier.report.Plot.Point;
import dev.retier.report.Plot.Series;
import dev.retier.report.Plot.Shape;
import dev.retier.report.Table;
import dev.retier.volume.cache.BlockKey;
import dev.retier.volume.cache.CacheFigures;
import dev.retier.volume.cache.CachePolicy;
import dev.retier.volume.cache.MultiQueue;
import dev.retier.volume.pool.Geometry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Requests of one volume through caches of several sizes, by each policy: the code that serves, without reading ahead.
 * Not thread-safe.
 */
public final class CacheReplay {
    private static final int VOLUME = 1;
    private static final int MOST_FRAMES = 1 << 24;
    private static final double MIB = 1 << 20;

    private final List<Tried> tried = new ArrayList<>();
    private long requests;
    private long readBlocks;

    private record Tried(long bytes, CachePolicy policy, MultiQueue queue) {}

    /**
     * Before the first request.
     *
     * @param sizes in bytes, each of at least a block and at most 64 GiB; refused otherwise with {@link
     *     IllegalArgumentException}
     */
    public CacheReplay(List<Long> sizes) {
        for (long bytes : sizes.stream().sorted().distinct().toList()) {
            long frames = bytes / Geometry.BLOCK_BYTES;
            if (frames < 1 || frames > MOST_FRAMES) {
                throw new IllegalArgumentException("a cache of " + SizeText.print(bytes) + " bytes; give it 4k to 64g");
            }
            for (CachePolicy policy : CachePolicy.values()) {
                tried.add(new Tried(bytes, policy, new MultiQueue(policy.shape((int) frames))));
            }
        }
    }

    /**
     * The next request: what is read or written is there then, what is zeroed is not.
     *
     * @throws IllegalArgumentException if it is about more than a volume may have
     */
    public void request(BlockRequest request) {
        requests++;
        if (request.length() == 0) {
            return;
        }
        long first = request.offset() / Geometry.BLOCK_BYTES;
        long end = (request.offset() + request.length() - 1) / Geometry.BLOCK_BYTES + 1;
        if (end < first || !BlockKey.exists(VOLUME, end)) {
            throw new IllegalArgumentException(request.length() + " bytes at " + request.offset()
                    + " reach beyond the 4 PiB that a volume may have");
        }
        switch (request.operation()) {
            case READ -> {
                readBlocks += end - first;
                tried.forEach(each -> read(each.queue, first, end));
            }
            case WRITE -> tried.forEach(each -> write(each.queue, first, end));
            case ZERO -> tried.forEach(each -> each.queue.remove(VOLUME, first, end));
            default -> {
                // It is about no blocks.
            }
        }
    }

    private static void read(MultiQueue queue, long first, long end) {
        for (long block = first; block < end; block++) {
            if (queue.read(BlockKey.of(VOLUME, block)) == MultiQueue.NONE) {
                queue.put(BlockKey.of(VOLUME, block));
            }
        }
    }

    private static void write(MultiQueue queue, long first, long end) {
        for (long block = first; block < end; block++) {
            queue.put(BlockKey.of(VOLUME, block));
        }
    }

    /** For each size and policy which share of the blocks that were read it had. */
    public Table table() {
        Table table = new Table("cache_bytes", "policy", "hit_percent", "hits", "misses", "evictions");
        for (Tried each : tried) {
            CacheFigures figures = each.queue.figures();
            table.row(
                    SizeText.print(each.bytes),
                    each.policy.name().toLowerCase(Locale.ROOT),
                    Math.round(1000 * figures.hitShare()) / 10.0,
                    figures.hits(),
                    figures.misses(),
                    figures.evictions());
        }
        return table;
    }

    /** The same as a page that stands on its own. */
    public String html(String name) {
        List<Series> lines = new ArrayList<>();
        for (CachePolicy policy : CachePolicy.values()) {
            List<Point> points = tried.stream()
                    .filter(each -> each.policy == policy)
                    .map(each -> new Point(
                            each.bytes / MIB, 100 * each.queue.figures().hitShare()))
                    .toList();
            lines.add(new Series(policy.name(), Series.style(lines.size()), Shape.LINE, points));
        }
        Axis across = Axis.log("MiB", tried.getFirst().bytes / MIB, tried.getLast().bytes / MIB);
        return new HtmlPage("Block caches and " + name)
                .paragraph(
                        "lead",
                        requests + " recorded requests, which read " + readBlocks
                                + " blocks of 4 KiB, through caches of several sizes: which share of the blocks that"
                                + " were read each would have had.")
                .plot(Plot.of("Reads from the cache", across, Axis.linear("%", 100), lines))
                .table(table().cells())
                .data("retier-cache-replay", table().format(OutputFormat.JSON))
                .html();
    }
}
