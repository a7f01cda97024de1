package dev.retier.load.trace;

import dev.retier.load.LoadException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Events from World Cup 98 binary records. Tolerant: a record with a field out of range is skipped and counted, an
 * incomplete last record is counted. Closing it closes the input. One thread.
 */
public final class WorldCupEvents implements EventStream {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final String name;
    private final InputStream in;
    private final WorldCupBlocks blocks;
    private final WorldCupMapping mapping;
    private final ReadCounters counters = new ReadCounters();
    private final ObjectSizes sizes = new ObjectSizes();
    private long startSeconds = -1;
    private long latestSeconds;
    private boolean ended;

    /**
     * Reads raw (already decompressed) records.
     *
     * @param name of the input, for messages
     */
    public WorldCupEvents(String name, InputStream in, WorldCupMapping mapping) {
        this.name = name;
        this.in = in;
        this.blocks = new WorldCupBlocks(in);
        this.mapping = mapping;
    }

    @Override
    public @Nullable TraceEvent next() {
        while (!ended && advance()) {
            TraceEvent event = event();
            if (event != null) {
                return event;
            }
        }
        return null;
    }

    @Override
    public ReadReport report() {
        return counters.report();
    }

    @Override
    public void close() {
        ended = true;
        try {
            in.close();
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private boolean advance() {
        try {
            if (blocks.next()) {
                return true;
            }
        } catch (IOException e) {
            throw unreadable(e);
        }
        ended = true;
        if (blocks.tailBytes() > 0) {
            counters.truncatedTail(
                    blocks.tailBytes(),
                    "record " + counters.read() + ": only " + blocks.tailBytes()
                            + " of 20 bytes, the file is cut short");
        }
        return false;
    }

    private @Nullable TraceEvent event() {
        WorldCupRecord wc = WorldCupRecord.parse(blocks.bytes(), blocks.offset());
        String problem = wc.problem();
        if (problem != null) {
            counters.bad("record " + counters.read() + ": " + problem);
            return null;
        }
        if (!mapping.methods().include(wc.requestMethod())) {
            counters.notReplayed();
            return null;
        }
        long size = Math.min(sizeOf(wc), mapping.maxSizeBytes());
        SyntheticObject object = new SyntheticObject(wc.objectId(), mapping.classOf(wc), size);
        String target = targetOf(object);
        if (target == null) {
            counters.bad("record " + counters.read() + ": no URL is known for object " + wc.objectId());
            return null;
        }
        counters.event();
        return event(wc, object, target);
    }

    private @Nullable String targetOf(SyntheticObject object) {
        WorldCupObjects objects = mapping.objects();
        return objects == null ? object.target() : objects.target(object.id());
    }

    private TraceEvent event(WorldCupRecord wc, SyntheticObject object, String target) {
        return new TraceEvent(
                offsetNanos(wc),
                wc.clientId(),
                target,
                object.requestClass(),
                object.sizeBytes(),
                wc.requestMethod(),
                wc.isNotModified(),
                0,
                null);
    }

    private long sizeOf(WorldCupRecord wc) {
        if (wc.isOk() && wc.sizeBytes() != WorldCupRecord.NO_SIZE) {
            sizes.learn(wc.objectId(), wc.sizeBytes());
        }
        return sizes.sizeOf(wc.objectId());
    }

    private long offsetNanos(WorldCupRecord wc) {
        if (startSeconds < 0) {
            startSeconds = wc.timestampSeconds();
            latestSeconds = startSeconds;
        }
        if (wc.timestampSeconds() < latestSeconds) {
            counters.outOfOrder();
        }
        latestSeconds = Math.max(latestSeconds, wc.timestampSeconds());
        return (latestSeconds - startSeconds) * NANOS_PER_SECOND;
    }

    private LoadException unreadable(IOException e) {
        return new LoadException(
                LoadException.Category.FATAL,
                "trace " + name + ": cannot be read past record " + counters.read() + " (" + e.getMessage()
                        + "); fetch the file again or repair it with gzip -t",
                e);
    }
}
