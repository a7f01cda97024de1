package dev.retier.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;

class VolumeTextTest {
    private static final JsonMapper MAPPER = new JsonMapper();

    private static JsonNode json(String text) {
        return MAPPER.readTree(text.replace('\'', '"'));
    }

    @Test
    void shouldTellOfServers() {
        assertThat(VolumeText.server(
                        json("{'node':'db-1','holds_volumes':true,'unread_because':'it is not connected'}")))
                .isEqualTo("volume server of db-1: never read (now: it is not connected); the node is not moved, as a"
                        + " volume of it is attached or may be");
        assertThat(VolumeText.server(json("{'node':'db-1','holds_volumes':false,'read_seconds_ago':0.2,'volumes':3,"
                        + "'used_bytes':11534336,'free_bytes':107374182400}")))
                .isEqualTo("volume server of db-1: 3 volumes, 11 MiB used, 100 GiB free, read 0 s ago");
    }

    @Test
    void shouldTellOfVolumes() {
        JsonNode volumes = json("[{'volume':'a','node':'db-1','size_bytes':1073741824,'used_bytes':0,'health':'good'},"
                + "{'volume':'b','node':'db-1','size_bytes':4096,'used_bytes':0,'health':'damaged',"
                + "'attached_by':'db-1 (process 12)','readers':2,'requests_per_second':12.4},"
                + "{'volume':'c','node':'db-1','size_bytes':4096,'used_bytes':0,'health':'good','readers':1,"
                + "'requests_per_second':0.2}]");
        assertThat(VolumeText.volumes(volumes))
                .isEqualTo(List.of(
                        "volume b on db-1: 4k, 0 MiB used, attached by db-1 (process 12), read by 2 clients,"
                                + " 12 requests/s, damaged",
                        "volume c on db-1: 4k, 0 MiB used, read by 1 client, 0 requests/s",
                        "volume a on db-1: 1g, 0 MiB used, not attached"));
        ArrayNode many = MAPPER.createArrayNode();
        for (int i = 0; i < 40; i++) {
            many.add(volumes.get(0));
        }
        assertThat(VolumeText.volumes(many)).hasSize(33).endsWith("and 8 volumes more; -o json tells all");
    }
}
