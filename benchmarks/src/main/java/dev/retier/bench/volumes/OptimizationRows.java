package dev.retier.bench.volumes;

import dev.retier.bench.ProcessFigures;
import dev.retier.bench.iwarp.RawReads;
import dev.retier.bench.volumes.Row.Beside;
import dev.retier.volume.VolumeName;
import dev.retier.volume.connect.Completion;
import dev.retier.volume.connect.CompletionMode;
import dev.retier.volume.connect.RemoteVolume;
import dev.retier.volume.connect.VolumeClient;
import dev.retier.volume.pool.Checksums;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Rows A6 and D1: what checksums cost, and what a client loses without each of the three optimisations of seed 000.
 * Not thread-safe.
 */
final class OptimizationRows {
    private static final int SMALL = 4 << 10;
    private static final int LONG = 64 << 10;
    private static final int DEPTH = 32;
    private static final double SECONDS_TO_MICROS = 1e6;
    private static final double KIBIBYTE = 1 << 10;
    /** Of a read from the server's memory: as it answers, and as the client takes it. */
    private static final int SUMS_OF_READ = 2;
    /** Of a write: as the client sends it, as the server takes it, and of each block for the journal. */
    private static final int SUMS_OF_WRITE = 3;
    /** As much memory as these go through in turn, none of which is always in the processor's nearest. */
    private static final int ROUND_BYTES = 1 << 20;

    private final VolumeWork ours;
    private final LongSupplier server;
    private final Duration time;
    private final VolumeWork postedAlone;
    private final VolumeWork woken;
    private final RawReads raw;
    private final ByteBuffer data = Noise.of(0);

    /** Attaches the volume of {@code client} once more, to read. */
    OptimizationRows(Store store, ClientRows client, Duration time, Closing toEnd) throws Exception {
        this.ours = client.work();
        this.server = store::pid;
        this.time = time;
        this.postedAlone = new VolumeWork(client.volume(), true);
        Completion off = new Completion(CompletionMode.WAIT, Duration.ZERO, Completion.NEVER);
        VolumeClient other = toEnd.add(store.client(off));
        RemoteVolume volume = toEnd.add(other.attachForReading(new VolumeName(ClientRows.VOLUME)));
        this.woken = new VolumeWork(volume, false);
        this.raw = toEnd.add(new RawReads(SMALL));
    }

    /** All of them. */
    List<Row> rows() {
        Work reads = new Work(true, SMALL, DEPTH);
        return List.of(
                checksums("A6 read", reads, SUMS_OF_READ),
                checksums("A6 write", new Work(false, SMALL, DEPTH), SUMS_OF_WRITE),
                checksums("A6 long read", new Work(true, LONG, DEPTH), SUMS_OF_READ),
                new Row(
                        "D1 posts",
                        "4 KiB random reads, 32 at a time, eight leave in one post",
                        "requests/s",
                        true,
                        () -> ours.perSecond(reads, time),
                        List.of(
                                new Beside("each posted alone", 2, () -> postedAlone.perSecond(reads, time)),
                                new Beside("so, and woken for answers", 0, () -> woken.perSecond(reads, time)))),
                new Row(
                        "D1 interrupts",
                        "the same, each posted alone, answers taken by who asks",
                        "requests/s",
                        true,
                        () -> postedAlone.perSecond(reads, time),
                        List.of(new Beside("woken for answers", 0, () -> woken.perSecond(reads, time)))),
                new Row(
                        "D1 registration",
                        "4 KiB one-sided read by the verbs alone, memory registered once, median time",
                        "us",
                        false,
                        () -> raw.micros(time).median(),
                        List.of(new Beside(
                                "registered for each read",
                                0,
                                () -> raw.registeringMicros(time).median()))));
    }

    private Row checksums(String name, Work work, int sums) {
        String what = work.isRead() ? "read" : "write";
        return new Row(
                name,
                "checksums of the data of a random " + what + " of " + Math.round(work.bytes() / KIBIBYTE)
                        + " KiB, each taken " + sums + " times",
                "us",
                false,
                () -> sums * sumMicros(work.bytes()),
                List.of(new Beside(
                        "processor time of client and server for such a " + what + ", 32 at a time",
                        0.1,
                        () -> processorMicros(work))));
    }

    private double sumMicros(int bytes) {
        long endNanos = time.toNanos() / 10;
        long count = 0;
        long beganNanos = System.nanoTime();
        while (System.nanoTime() - beganNanos < endNanos) {
            for (int at = 0; at < ROUND_BYTES; at += bytes) {
                data.putInt(at, Checksums.of(data, at, bytes)); // so that none is left out
                count++;
            }
        }
        return (System.nanoTime() - beganNanos) / Work.NANOS_PER_MICRO / count;
    }

    private double processorMicros(Work work) throws IOException, InterruptedException {
        double before = processorSeconds();
        double requests = ours.perSecond(work, time) * time.toNanos() / Work.NANOS_PER_SECOND;
        return (processorSeconds() - before) * SECONDS_TO_MICROS / requests;
    }

    private double processorSeconds() throws IOException {
        return ProcessFigures.cpuSeconds(server.getAsLong())
                + ProcessFigures.cpuSeconds(ProcessHandle.current().pid());
    }
}
