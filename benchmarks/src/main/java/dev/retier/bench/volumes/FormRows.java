package dev.retier.bench.volumes;

import dev.retier.bench.volumes.Fio.Job;
import dev.retier.bench.volumes.Row.Beside;
import dev.retier.volume.connect.CompletionMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Row A7: the forms of seed 000 side by side, by size and by depth (its Figures 3, 5 and 6).
 *
 * @param client cDSA: a program that uses the client library
 * @param nbd kDSA: a program that uses a gateway
 * @param time of one sample
 */
record FormRows(VolumeWork client, NbdRows nbd, Duration time) {
    private static final List<Integer> SIZES = List.of(512, 4 << 10, 8 << 10, 64 << 10, 128 << 10);
    private static final List<Integer> DEPTHS = List.of(1, 4, 16, 64);
    private static final int CACHED = 8 << 10;
    private static final String GATEWAY = "kDSA: fio by NBD";

    /** All of them. */
    List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (int bytes : SIZES) {
            Work work = new Work(true, bytes, 1);
            rows.add(new Row(
                    "A7 " + bytes + " B",
                    "one read at a time by cDSA, median time (of fio the mean)",
                    "us",
                    false,
                    () -> client.micros(work, CompletionMode.ADAPTIVE, time).median(),
                    List.of(
                            new Beside(
                                    "cDSA, client polls",
                                    0,
                                    () -> client.micros(work, CompletionMode.POLL, time)
                                            .median()),
                            new Beside(
                                    GATEWAY,
                                    0,
                                    () -> Work.NANOS_PER_SECOND
                                            / Work.NANOS_PER_MICRO
                                            / nbd.perSecond(new Job(true, bytes, 1, false))))));
        }
        for (int depth : DEPTHS) {
            rows.add(new Row(
                    "A7 depth " + depth,
                    "8 KiB random reads by cDSA",
                    "requests/s",
                    true,
                    () -> client.perSecond(new Work(true, CACHED, depth), time),
                    List.of(new Beside(GATEWAY, 0, () -> nbd.perSecond(new Job(true, CACHED, depth, false))))));
        }
        return rows;
    }
}
