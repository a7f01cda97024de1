package dev.retier.agent.view;

import dev.retier.link.NodeId;
import dev.retier.volume.table.VolumeRow;
import dev.retier.volume.table.VolumeTable;
import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
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
     * @param readNanos when that was, by the monotonic clock
     * @param problem why the newest read gave nothing; empty if it did
     */
    public record Server(@Nullable VolumeTable table, long readNanos, String problem) {
        /** Of which nothing is known yet. */
        public static final Server UNREAD = new Server(null, 0, "it has not been read yet");

        /** After a read that gave a table. */
        public static Server of(VolumeTable table, long nowNanos) {
            return new Server(table, nowNanos, "");
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
