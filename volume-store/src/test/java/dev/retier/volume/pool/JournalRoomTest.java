package dev.retier.volume.pool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JournalRoomTest {
    private final JournalRoom room = new JournalRoom(1_000);

    @Test
    void shouldAskForACheckpoint_atHalf() {
        assertThat(room.isDue(499)).isFalse();
        assertThat(room.isDue(500)).isTrue();

        room.begun(500);
        assertThat(room.isDue(900)).as("one is under way").isFalse();
        room.ended();
        assertThat(room.isDue(900)).isTrue();
    }

    @Test
    void shouldLetOthersHaveAsMuchAsIsDone() {
        room.begun(600);

        assertThat(room.hasRoom(600, 50)).isTrue();
        assertThat(room.hasRoom(600, 51)).isFalse();
        room.copied(0.5);
        assertThat(room.hasRoom(700, 80)).isTrue();
        assertThat(room.hasRoom(700, 81)).isFalse();
        room.copied(1);
        assertThat(room.hasRoom(850, 110)).isTrue();
        assertThat(room.hasRoom(850, 111))
                .as("the last of it is not on the disk")
                .isFalse();
        room.ended();
        assertThat(room.hasRoom(300, 700)).isTrue();
        assertThat(room.hasRoom(300, 701)).isFalse();
    }

    /** Many small trims take little of a journal, and much of memory. */
    @Test
    void shouldCountRowsOfTheIndex_asPartsOfAMillion() {
        assertThat(room.isDue(room.ofRows((1 << 19) - 2000))).isFalse();
        assertThat(room.isDue(room.ofRows(1 << 19))).isTrue();
        assertThat(room.hasRoom(room.ofRows(1 << 20), 1)).isFalse();
        assertThat(JournalRoom.indexBytes(1L << 40)).isEqualTo(128 << 20);
        assertThat(JournalRoom.indexBytes(64 << 10)).isEqualTo(128 << 10);
    }

    @Test
    void shouldTakeOneRecord_howeverLong() {
        assertThat(room.hasRoom(0, 5_000)).isTrue();
    }
}
