package dev.retier.traces.worldcup;

import dev.retier.traces.InputEvents;
import dev.retier.traces.RequestClass;
import dev.retier.traces.RequestMethod;
import dev.retier.traces.TraceEvent;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Events from World Cup 98 binary records. Tolerant: a record with a field out of range is skipped and counted, an
 * incomplete last record is counted. Makes no object for a record but its event. One thread.
 */
public final class WorldCupEvents extends InputEvents {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final WorldCupBlocks blocks;
    private final WorldCupMapping mapping;
    private final ObjectSizes sizes = new ObjectSizes();
    private final SyntheticTargets targets = new SyntheticTargets();

    /**
     * Reads raw (already decompressed) records.
     *
     * @param name of the input, for messages
     */
    public WorldCupEvents(String name, InputStream in, WorldCupMapping mapping) {
        super(name, in, mapping.methods());
        this.blocks = new WorldCupBlocks(in);
        this.mapping = mapping;
    }

    @Override
    protected boolean advance() throws IOException {
        if (blocks.next()) {
            return true;
        }
        if (blocks.tailBytes() > 0) {
            truncatedTail(
                    blocks.tailBytes(),
                    place() + ": only " + blocks.tailBytes() + " of 20 bytes, the file is cut short");
        }
        return false;
    }

    @Override
    protected @Nullable TraceEvent event() {
        byte[] record = blocks.bytes();
        int at = blocks.offset();
        if (!WorldCupRecord.isSound(record, at)) {
            return bad(String.valueOf(WorldCupRecord.parse(record, at).problem()));
        }
        long id = WorldCupRecord.objectId(record, at);
        RequestMethod method = WorldCupRecord.requestMethod(record, at);
        long size = Math.min(sizeOf(id, method, record, at), mapping.maxSizeBytes());
        RequestClass requestClass = mapping.rule().classOf(id, WorldCupRecord.isDynamic(record, at));
        String target = targetOf(id, requestClass, size);
        if (target == null) {
            return bad("no URL is known for object " + id);
        }
        long offsetNanos = offsetNanos(WorldCupRecord.timestampSeconds(record, at) * NANOS_PER_SECOND, method);
        return offsetNanos == LEFT_OUT
                ? null
                : new TraceEvent(
                        offsetNanos,
                        WorldCupRecord.clientId(record, at),
                        target,
                        requestClass,
                        size,
                        method,
                        WorldCupRecord.isNotModified(record, at),
                        0,
                        null);
    }

    @Override
    protected String place() {
        return "record " + read();
    }

    private @Nullable String targetOf(long id, RequestClass requestClass, long sizeBytes) {
        WorldCupObjects objects = mapping.objects();
        return objects == null ? targets.target(id, requestClass, sizeBytes) : objects.target(id);
    }

    private long sizeOf(long id, RequestMethod method, byte[] record, int at) {
        long logged = WorldCupRecord.sizeBytes(record, at);
        if (WorldCupRecord.isOk(record, at)
                && logged != WorldCupRecord.NO_SIZE
                && mapping.methods().include(method)) {
            sizes.learn(id, logged);
        }
        return sizes.sizeOf(id);
    }
}
