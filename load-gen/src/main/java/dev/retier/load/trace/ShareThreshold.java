package dev.retier.load.trace;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Finds how many objects must be dynamic for a share of the <em>requests</em> to be. Objects are taken in the order of
 * their hash; a log's few very popular objects make the share of the objects and that of the requests differ by several
 * per cent. Memory grows with the object ids, up to {@link ObjectSizes#MAX_OBJECTS}. Stateless.
 */
public final class ShareThreshold {
    private ShareThreshold() {}

    /**
     * The value for {@link WorldCupMapping#dynamicShare()} that brings the dynamic requests of this log nearest to
     * {@code requestShare} (0..1). Reads raw (decompressed) records to the end of {@code in}, which stays open.
     */
    public static double find(InputStream in, double requestShare) throws IOException {
        long[] requests = new long[0];
        long total = 0;
        WorldCupBlocks blocks = new WorldCupBlocks(in);
        while (blocks.next()) {
            long object = WorldCupRecord.objectId(blocks.bytes(), blocks.offset());
            if (object < ObjectSizes.MAX_OBJECTS && WorldCupRecord.isSound(blocks.bytes(), blocks.offset())) {
                int id = (int) object;
                if (id >= requests.length) {
                    requests = Arrays.copyOf(requests, Math.max(id + 1, requests.length * 2));
                }
                requests[id]++;
                total++;
            }
        }
        return threshold(requests, total * requestShare);
    }

    /** Walks up the hashes until the next object would lead further away from {@code wanted} than stopping. */
    private static double threshold(long[] requests, double wanted) {
        int[] byHash = IntStream.range(0, requests.length)
                .filter(id -> requests[id] > 0)
                .boxed()
                .sorted((one, other) -> Double.compare(WorldCupMapping.unitHash(one), WorldCupMapping.unitHash(other)))
                .mapToInt(Integer::intValue)
                .toArray();
        long taken = 0;
        for (int id : byHash) {
            if (wanted - taken <= requests[id] / 2.0) {
                return WorldCupMapping.unitHash(id);
            }
            taken += requests[id];
        }
        return 1;
    }
}
