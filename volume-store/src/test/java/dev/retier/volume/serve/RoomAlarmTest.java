package dev.retier.volume.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.cache.CacheFigures;
import dev.retier.volume.disk.PoolFigures;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoomAlarmTest {
    private static final long GIB = 1L << 30;

    private final RoomAlarm alarm = new RoomAlarm();

    private static PoolFigures figures(long freeBytes, long journalBytes) {
        return new PoolFigures("", 0, freeBytes, journalBytes, GIB, CacheFigures.NONE, Map.of());
    }

    @Test
    void shouldSayOnceThatRoomGetsShort_andThatThereIsEnoughAgain() {
        assertThat(alarm.changes(figures(2 * GIB, 0))).isEmpty();
        assertThat(alarm.changes(figures(2 * GIB - 1, 0)))
                .singleElement()
                .asString()
                .contains("has 2048 MiB left", "may need 2048", "make room");
        assertThat(alarm.changes(figures(GIB, 0))).as("said").isEmpty();
        assertThat(alarm.changes(figures(3 * GIB, 0)))
                .singleElement()
                .asString()
                .contains("enough room again");
    }

    @Test
    void shouldSayThatTheJournalIsNearlyFull_andNoMore() {
        assertThat(alarm.changes(figures(9 * GIB, GIB / 2))).isEmpty();
        assertThat(alarm.changes(figures(9 * GIB, GIB - 1)))
                .singleElement()
                .asString()
                .contains("journal is nearly full", "journal-bytes");
        assertThat(alarm.changes(figures(9 * GIB, GIB - 1))).isEmpty();
        assertThat(alarm.changes(figures(9 * GIB, 0)))
                .singleElement()
                .asString()
                .contains("has room again");
    }
}
