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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class VolumesSeenTest {
    private static VolumeTable table(String writer, int volumes) {
        return table(writer, 0, volumes);
    }

    private static VolumeTable table(String writer, int readers, int volumes) {
        return table(1, writer, readers, volumes);
    }

    private static VolumeTable table(long number, String writer, int readers, int volumes) {
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
        return new VolumeTable(1, number, new VolumeTable.Room(0, 0, 0), volumes, List.of(row));
    }

    @Test
    void shouldHold_whenAVolumeIsAttachedOrMayBe() {
        assertThat(Server.UNREAD.read(table("db-1", 1), 5).isHolding()).isTrue();
        assertThat(Server.UNREAD.read(table("", 1), 5).isHolding()).isFalse();
        assertThat(Server.UNREAD.read(table("", 1, 1), 5).isHolding())
                .as("who reads it")
                .isTrue();
        assertThat(Server.UNREAD.read(table("", 2), 5).isHolding())
                .as("one is in no row")
                .isTrue();
        assertThat(Server.UNREAD.isHolding()).as("nobody knows").isTrue();
    }

    @Test
    void shouldHold_whenItCannotBeReadAnyMore() {
        assertThat(Server.UNREAD.read(table("db-1", 1), 5).unread("gone").isHolding())
                .isTrue();
        assertThat(Server.UNREAD.read(table("", 1), 5).unread("gone").isHolding())
                .as("it may have been attached since")
                .isTrue();
        assertThat(Server.UNREAD.read(table("", 1), 5).unread("gone").readNanos())
                .isEqualTo(5);
    }

    /** As hardware reads its memory all the same. */
    @Test
    void shouldHold_whenItsServerHasStopped() {
        VolumeTable free = table(7, "", 0, 1);
        Server first = Server.UNREAD.read(free, 5);
        assertThat(first.read(free, TimeUnit.SECONDS.toNanos(5)).problem()).isEmpty();
        Server stopped = first.read(free, 5 + TimeUnit.SECONDS.toNanos(5));
        assertThat(stopped.problem()).isEqualTo("it has written nothing for 5 s");
        assertThat(stopped.isHolding()).isTrue();
        assertThat(stopped.readNanos()).isEqualTo(5);

        Server goesOn = stopped.read(table(8, "", 0, 1), TimeUnit.SECONDS.toNanos(9));
        assertThat(goesOn.problem()).isEmpty();
        assertThat(goesOn.isHolding()).isFalse();
        assertThat(goesOn.readNanos()).isEqualTo(TimeUnit.SECONDS.toNanos(9));
    }

    @Test
    void shouldNameTheNodesThatHold() {
        VolumesSeen seen = new VolumesSeen(new TreeMap<>(Map.of(
                new NodeId(1), Server.UNREAD.read(table("db-1", 1), 5),
                new NodeId(2), Server.UNREAD.read(table("", 1), 5),
                new NodeId(3), Server.UNREAD)));
        assertThat(seen.holding()).containsExactlyInAnyOrder(new NodeId(1), new NodeId(3));
    }
}
