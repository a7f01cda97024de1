package dev.retier.agent.view;

import dev.retier.link.NodeId;
import dev.retier.volume.table.VolumeRow;
import dev.retier.volume.table.VolumeTable;
import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the volume servers of a cluster.
 *
 * @param servers by node, in order of its id; one for each that the cluster file names
 */
public record VolumesSeen(SortedMap<NodeId, Server> servers) {
    /** Of a cluster without. */
    public static final VolumesSeen NONE = new VolumesSeen(Collections.emptySortedMap());

    /**
     * What is known of one.
     *
     * @param table the newest that could be read; null if none ever could
     * @param readNanos when it was read for the first time, by the monotonic clock
     * @param problem why the newest read gave nothing; empty if it did
     */
    public record Server(@Nullable VolumeTable table, long readNanos, String problem) {
        /** Of which nothing is known yet. */
        public static final Server UNREAD = new Server(null, 0, "it has not been read yet");

        /** A table is written twice per second. */
        private static final long STOPPED_SECONDS = 5;

        /**
         * After a read that gave a table. RDMA hardware answers for a server that has stopped, too: of one that writes
         * its table no more what was known stands.
         */
        public Server read(VolumeTable now, long nowNanos) {
            if (table == null || !table.isSameWriting(now)) {
                return new Server(now, nowNanos, "");
            }
            long seconds = TimeUnit.NANOSECONDS.toSeconds(nowNanos - readNanos);
            return new Server(
                    table, readNanos, seconds < STOPPED_SECONDS ? "" : "it has written nothing for " + seconds + " s");
        }

        /** After a read that gave nothing: what was known stands. */
        public Server unread(String why) {
            return new Server(table, readNanos, why);
        }

        /** Whether somebody may have attached a volume of it: so it is where that is not known now. */
        public boolean isHolding() {
            return table == null
                    || !problem.isEmpty()
                    || table.rows().stream().anyMatch(VolumeRow::isAttached)
                    || isLonger(table);
        }

        /** Of the volumes that are in no row nobody knows. */
        private static boolean isLonger(VolumeTable table) {
            return table.volumes() > table.rows().size();
        }
    }

    /** Keeps its own copy. */
    public VolumesSeen {
        servers = Collections.unmodifiableSortedMap(new TreeMap<>(servers));
    }

    /** The nodes that may serve a volume which somebody has attached. */
    public Set<NodeId> holding() {
        return servers.entrySet().stream()
                .filter(server -> server.getValue().isHolding())
                .map(server -> server.getKey())
                .collect(Collectors.toSet());
    }
}
