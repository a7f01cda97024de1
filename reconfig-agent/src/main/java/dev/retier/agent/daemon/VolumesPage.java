package dev.retier.agent.daemon;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.view.VolumesSeen;
import dev.retier.volume.table.VolumeRow;
import dev.retier.volume.table.VolumeTable;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Volume servers and their volumes, as the status page tells them. Stateless. */
final class VolumesPage {
    private static final double NANOS_PER_SECOND = 1e9;

    private VolumesPage() {}

    /** Adds them; what was never read has no figures. */
    static void show(ObjectNode root, VolumesSeen seen, ClusterConfig cluster, long nowNanos) {
        ArrayNode servers = root.putArray("volume_servers");
        ArrayNode volumes = root.putArray("volumes");
        seen.servers().forEach((id, server) -> {
            String node = cluster.node(id).name();
            ObjectNode out = servers.addObject().put("node", node).put("holds_volumes", server.isHolding());
            if (!server.problem().isEmpty()) {
                out.put("unread_because", server.problem());
            }
            VolumeTable table = server.table();
            if (table != null) {
                out.put("read_seconds_ago", (nowNanos - server.readNanos()) / NANOS_PER_SECOND)
                        .put("volumes", table.volumes())
                        .put("used_bytes", table.room().usedBytes())
                        .put("free_bytes", table.room().freeBytes())
                        .put("journal_bytes", table.room().journalBytes());
                table.rows().forEach(row -> volume(volumes.addObject(), node, row));
            }
        });
    }

    private static void volume(ObjectNode out, String node, VolumeRow row) {
        out.put("volume", row.name().value())
                .put("node", node)
                .put("size_bytes", row.bytes())
                .put("used_bytes", row.room().usedBytes())
                .put("journal_bytes", row.room().journalBytes())
                .put("epoch", Integer.toUnsignedLong(row.epoch()))
                .put("readers", row.readers())
                .put("requests_per_second", row.load().requestsPerSecond())
                .put("bytes_per_second", row.load().bytesPerSecond())
                .put("health", row.health().name().toLowerCase(Locale.ROOT));
        if (!row.writer().isEmpty()) {
            out.put("attached_by", row.writer());
        }
    }
}
