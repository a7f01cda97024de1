package dev.retier.bench.volumes;

import dev.retier.bench.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** What PostgreSQL asks of a volume that it is on, as {@code volume trace} records it. Needs root. Stateless. */
final class DayRecording {
    private static final String VOLUME = "recorded";
    private static final long BYTES = 2L << 30;
    static final int CLIENTS = 4;
    static final int PER_SECOND = 20;

    private DayRecording() {}

    /** Records pgbench for so long, at so many transactions per second, and one {@code VACUUM FULL}. */
    static DayTrace make(Path folder, Duration time) throws IOException, InterruptedException {
        Progress.tell("recording pgbench and VACUUM FULL on a volume, " + time.toSeconds() + " s ...");
        Path file = folder.resolve("blocks.csv");
        Path mounted = Files.createDirectory(folder.resolve("mounted"));
        try (Store store = Store.start(folder.resolve("recorded"))) {
            store.create(VOLUME, BYTES);
            try (Started _ = store.mount(VOLUME, mounted);
                    Database database = new Database(
                            Database.programs().orElseThrow(),
                            mounted.resolve("data"),
                            folder.resolve("notes"),
                            Database.Shape.SMALL)) {
                try (Started _ = store.trace(VOLUME, file)) {
                    database.paced(CLIENTS, PER_SECOND, time);
                    database.vacuumFull();
                }
            }
        }
        return DayTrace.read(file);
    }
}
