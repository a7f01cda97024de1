package dev.retier.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.view.VolumesSeen;
import dev.retier.link.NodeId;
import dev.retier.volume.VolumeName;
import dev.retier.volume.table.VolumeRow;
import dev.retier.volume.table.VolumeTable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class VolumesPageTest {
    private static final ClusterConfig CLUSTER = Clusters.config(2, 2);

    @Test
    void shouldTellServersAndVolumes() {
        VolumeRow row = new VolumeRow(
                3,
                new VolumeName("accounts"),
                1 << 20,
                -1,
                "db-1 (process 12)",
                2,
                new VolumeRow.Load(1.5, 8192),
                new VolumeRow.Room(65536, 4096),
                VolumeRow.Health.READ_ONLY);
        VolumeTable table = new VolumeTable(1, 1, new VolumeTable.Room(11, 12, 13), 1, List.of(row));
        VolumesSeen seen = new VolumesSeen(new TreeMap<>(Map.of(
                new NodeId(1),
                VolumesSeen.Server.UNREAD.read(table, 0).unread("it is not connected"),
                new NodeId(2),
                VolumesSeen.Server.UNREAD)));
        ObjectNode root = new JsonMapper().createObjectNode();

        VolumesPage.show(root, seen, CLUSTER, 2_000_000_000L);

        assertThat(root.toString())
                .isEqualTo("{\"volume_servers\":[{\"node\":\"node-1\",\"holds_volumes\":true,"
                        + "\"unread_because\":\"it is not connected\",\"read_seconds_ago\":2.0,\"volumes\":1,"
                        + "\"used_bytes\":11,\"free_bytes\":12,\"journal_bytes\":13},"
                        + "{\"node\":\"node-2\",\"holds_volumes\":true,"
                        + "\"unread_because\":\"it has not been read yet\"}],"
                        + "\"volumes\":[{\"volume\":\"accounts\",\"node\":\"node-1\",\"size_bytes\":1048576,"
                        + "\"used_bytes\":65536,\"journal_bytes\":4096,\"epoch\":4294967295,\"readers\":2,"
                        + "\"requests_per_second\":1.5,\"bytes_per_second\":8192.0,\"health\":\"read_only\","
                        + "\"attached_by\":\"db-1 (process 12)\"}]}");
    }
}
