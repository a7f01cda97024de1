package dev.retier.volume.serve;

import dev.retier.volume.disk.PoolFigures;
import java.util.List;
import java.util.Locale;

/** Says when a pool gets short of room, before anything is refused, and when it has enough. Used by one thread. */
final class RoomAlarm {
    private static final double MIB = 1 << 20;

    private boolean isShortOfRoom;
    private boolean isJournalShort;

    /** What has changed since the last look, in words; mostly nothing. */
    List<String> changes(PoolFigures now) {
        String room = "";
        if (now.isShortOfRoom() != isShortOfRoom) {
            isShortOfRoom = now.isShortOfRoom();
            room = isShortOfRoom
                    ? String.format(
                            Locale.ROOT,
                            "the pool's file system has %.0f MiB left, and journal and clusters may need %.0f: make"
                                    + " room before writes are refused",
                            now.freeBytes() / MIB,
                            now.neededBytes() / MIB)
                    : "the pool's file system has enough room again";
        }
        String journal = "";
        if (now.isJournalShort() != isJournalShort) {
            isJournalShort = now.isJournalShort();
            journal = isJournalShort
                    ? "the pool's journal is nearly full: writes wait for the disk; give it a larger journal-bytes, or"
                            + " a faster disk"
                    : "the pool's journal has room again";
        }
        return List.of(room, journal).stream().filter(text -> !text.isEmpty()).toList();
    }
}
