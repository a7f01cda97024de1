package dev.retier.agent.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.view.VolumesSeen.Server;
import dev.retier.link.NodeId;
import dev.retier.volume.VolumeName;
import dev.retier.volume.table.VolumeRow;
import dev.retier.volume.table.VolumeTable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class VolumesSeenTest {
    private static VolumeTable table(String writer, int volumes) {
        return table(writer, 0, volumes);
    }

    private static VolumeTable table(String writer, int readers, int volumes) {
        VolumeRow row = new VolumeRow(
                1,
                new VolumeName("accounts"),
                4096,
                1,
                writer,
                readers,
                VolumeRow.Load.NONE,
                new VolumeRow.Room(0, 0),
                VolumeRow.Health.GOOD);
        return new VolumeTable(1, 1, new VolumeTable.Room(0, 0, 0), volumes, List.of(row));
    }

    @Test
    void shouldHold_whenAVolumeIsAttachedOrMayBe() {
        assertThat(Server.of(table("db-1", 1), 5).isHolding()).isTrue();
        assertThat(Server.of(table("", 1), 5).isHolding()).isFalse();
        assertThat(Server.of(table("", 1, 1), 5).isHolding()).as("who reads it").isTrue();
        assertThat(Server.of(table("", 2), 5).isHolding())
                .as("one is in no row")
                .isTrue();
        assertThat(Server.UNREAD.isHolding()).as("nobody knows").isTrue();
    }

    @Test
    void shouldHold_whenItCannotBeReadAnyMore() {
        assertThat(Server.of(table("db-1", 1), 5).unread("gone").isHolding()).isTrue();
        assertThat(Server.of(table("", 1), 5).unread("gone").isHolding())
                .as("it may have been attached since")
                .isTrue();
        assertThat(Server.of(table("", 1), 5).unread("gone").readNanos()).isEqualTo(5);
    }

    @Test
    void shouldNameTheNodesThatHold() {
        VolumesSeen seen = new VolumesSeen(new TreeMap<>(Map.of(
                new NodeId(1), Server.of(table("db-1", 1), 5),
                new NodeId(2), Server.of(table("", 1), 5),
                new NodeId(3), Server.UNREAD)));
        assertThat(seen.holding()).containsExactlyInAnyOrder(new NodeId(1), new NodeId(3));
    }
}
