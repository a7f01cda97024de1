package dev.retier.load.trace;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Events from World Cup 98 binary records. Tolerant: a record with a field out of range is skipped and counted, an
 * incomplete last record is counted. One thread.
 */
public final class WorldCupEvents extends InputEvents {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final WorldCupBlocks blocks;
    private final WorldCupMapping mapping;
    private final ObjectSizes sizes = new ObjectSizes();

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
    boolean advance() throws IOException {
        if (blocks.next()) {
            return true;
        }
        if (blocks.tailBytes() > 0) {
            counters()
                    .truncatedTail(
                            blocks.tailBytes(),
                            place() + ": only " + blocks.tailBytes() + " of 20 bytes, the file is cut short");
        }
        return false;
    }

    @Override
    @Nullable
    TraceEvent event() {
        WorldCupRecord wc = WorldCupRecord.parse(blocks.bytes(), blocks.offset());
        String problem = wc.problem();
        if (problem != null) {
            return bad(problem);
        }
        long size = Math.min(sizeOf(wc), mapping.maxSizeBytes());
        SyntheticObject object = new SyntheticObject(wc.objectId(), mapping.classOf(wc), size);
        String target = targetOf(object);
        return target == null
                ? bad("no URL is known for object " + wc.objectId())
                : replayed(wc.timestampSeconds() * NANOS_PER_SECOND, request(wc, object, target));
    }

    @Override
    String place() {
        return "record " + counters().read();
    }

    private @Nullable String targetOf(SyntheticObject object) {
        WorldCupObjects objects = mapping.objects();
        return objects == null ? object.target() : objects.target(object.id());
    }

    private TraceEvent request(WorldCupRecord wc, SyntheticObject object, String target) {
        return new TraceEvent(
                0,
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
        if (wc.isOk()
                && wc.sizeBytes() != WorldCupRecord.NO_SIZE
                && mapping.methods().include(wc.requestMethod())) {
            sizes.learn(wc.objectId(), wc.sizeBytes());
        }
        return sizes.sizeOf(wc.objectId());
    }
}
