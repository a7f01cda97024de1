package dev.retier.traces.worldcup;

import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/**
 * The figures that the logs' official tool {@code checklog} prints, gathered in one pass, in constant memory,
 * without an
 * object per record. Records with a field out of range are counted apart and enter no other figure (the official tool
 * stops at the first). One thread.
 */
public final class WorldCupStatistics {
    private static final int SERVERS = 256;

    private final long[] requestsOfServer = new long[SERVERS];
    private long requests;
    private long bytes;
    private long minClient = Long.MAX_VALUE;
    private long maxClient;
    private long minObject = Long.MAX_VALUE;
    private long maxObject;
    private long minSize = Long.MAX_VALUE;
    private long maxSize;
    private long minTime = Long.MAX_VALUE;
    private long maxTime;
    private long startTime;
    private long finishTime;
    private long outOfOrder;
    private long bad;
    private int tailBytes;

    /** Reads raw (decompressed) records to the end of {@code in}, which stays open. */
    public static WorldCupStatistics read(InputStream in) throws IOException {
        WorldCupStatistics statistics = new WorldCupStatistics();
        WorldCupBlocks blocks = new WorldCupBlocks(in);
        while (blocks.next()) {
            statistics.add(blocks.bytes(), blocks.offset());
        }
        statistics.tailBytes = blocks.tailBytes();
        return statistics;
    }

    /** What checklog prints on its standard output, byte for byte; empty for an empty log. */
    public String checklogText() {
        if (requests == 0) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        line(text, "Total Requests", requests);
        line(text, "Total Bytes", bytes);
        text.append(String.format(Locale.ROOT, "%18s: %.6f\n", "Mean Transfer Size", meanSizeBytes()));
        line(text, "Min Client ID", minClient);
        line(text, "Max Client ID", maxClient);
        line(text, "Min Object ID", minObject);
        line(text, "Max Object ID", maxObject);
        line(text, "Min Size", minSize);
        line(text, "Max Size", maxSize);
        line(text, "Min Time", minTime);
        line(text, "Max Time", maxTime);
        line(text, "Start Time", startTime);
        line(text, "Finish Time", finishTime);
        line(text, "Out of Order", outOfOrder);
        line(text, "Unique Servers", uniqueServers());
        for (int server = 0; server < SERVERS; server++) {
            if (requestsOfServer[server] > 0) {
                text.append("Server ")
                        .append(server)
                        .append(": ")
                        .append(requestsOfServer[server])
                        .append('\n');
            }
        }
        text.append("Check:\nTotal Requests: ").append(requests).append('\n');
        return text.append("Unique Servers: ")
                .append(uniqueServers())
                .append('\n')
                .toString();
    }

    /** Sound records. */
    public long requests() {
        return requests;
    }

    /** Records with a field out of range. */
    public long bad() {
        return bad;
    }

    /** Bytes of an incomplete last record. */
    public int tailBytes() {
        return tailBytes;
    }

    /** Sum of the sizes, a missing size counting as 0. */
    public long bytes() {
        return bytes;
    }

    /** Bytes over all requests; 0 for an empty log. */
    public double meanSizeBytes() {
        return requests == 0 ? 0 : (double) bytes / requests;
    }

    private void add(byte[] block, int offset) {
        if (!WorldCupRecord.isSound(block, offset)) {
            bad++;
            return;
        }
        long time = WorldCupRecord.timestampSeconds(block, offset);
        long client = WorldCupRecord.clientId(block, offset);
        long object = WorldCupRecord.objectId(block, offset);
        long size = WorldCupRecord.sizeBytes(block, offset);
        if (requests == 0) {
            startTime = time;
        } else if (time < finishTime) {
            outOfOrder++;
        }
        requests++;
        finishTime = time;
        minTime = Math.min(minTime, time);
        maxTime = Math.max(maxTime, time);
        minClient = Math.min(minClient, client);
        maxClient = Math.max(maxClient, client);
        minObject = Math.min(minObject, object);
        maxObject = Math.max(maxObject, object);
        if (size != WorldCupRecord.NO_SIZE) {
            bytes += size;
            minSize = Math.min(minSize, size);
            maxSize = Math.max(maxSize, size);
        }
        requestsOfServer[WorldCupRecord.server(block, offset)]++;
    }

    private int uniqueServers() {
        int unique = 0;
        for (long count : requestsOfServer) {
            unique += count > 0 ? 1 : 0;
        }
        return unique;
    }

    private static void line(StringBuilder text, String label, long value) {
        text.append(String.format(Locale.ROOT, "%18s: %s\n", label, Long.toUnsignedString(value)));
    }
}
