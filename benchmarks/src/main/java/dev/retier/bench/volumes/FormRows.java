package dev.retier.bench.volumes;

import dev.retier.bench.iwarp.RawReads;
import dev.retier.bench.volumes.Fio.Job;
import dev.retier.bench.volumes.Row.Beside;
import dev.retier.bench.volumes.Row.Way;
import dev.retier.volume.VolumeName;
import dev.retier.volume.channel.VolumeFile;
import dev.retier.volume.connect.CompletionMode;
import dev.retier.volume.connect.RemoteVolume;
import dev.retier.volume.connect.VolumeClient;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Row A7: the forms of seed 000 side by side, by size and by depth (its Figures 3, 5 and 6), and what a read by the
 * verbs alone takes. Not thread-safe.
 */
final class FormRows {
    private static final String VOLUME = "channel";
    private static final List<Integer> SIZES = List.of(512, 4 << 10, 8 << 10, 64 << 10, 128 << 10);
    private static final List<Integer> DEPTHS = List.of(1, 4, 16, 64);
    private static final int CACHED = 8 << 10;
    private static final String CHANNEL = "wDSA: as a file";
    private static final String GATEWAY = "kDSA: fio by NBD";
    /** What the library may add to a read by the verbs alone, as the seed's does. */
    private static final double MORE_MICROS = 15;

    private final VolumeWork client;
    private final NbdRows nbd;
    private final Fio sizes;
    private final Fio few;
    private final ChannelWork channel;
    private final Map<Integer, RawReads> raw = new HashMap<>();

    /**
     * Makes a volume with a file.
     *
     * @param client cDSA: a program that uses the client library
     * @param nbd kDSA: a program that uses a gateway
     */
    FormRows(Store store, VolumeWork client, NbdRows nbd, Fio sizes, Closing toEnd) throws Exception {
        this.client = client;
        this.nbd = nbd;
        // Beside the client's volume all that is read has room in the server's cache.
        this.sizes = new Fio(Math.min(sizes.bytes(), ClientRows.CACHED_BYTES / 2), sizes.time());
        this.few = new Fio(this.sizes.bytes(), turn(sizes.time()));
        store.createFile(VOLUME, this.sizes.bytes());
        VolumeClient own = toEnd.add(store.client());
        RemoteVolume volume = toEnd.add(own.attach(new VolumeName(VOLUME), false));
        FileChannel file = VolumeFile.on(volume).open(StandardOpenOption.READ);
        this.channel = new ChannelWork(toEnd.add(file));
        for (int bytes : SIZES) {
            raw.put(bytes, toEnd.add(new RawReads(bytes)));
        }
    }

    /** Of one request at a time, of which a third of the time that others have brings enough. */
    static Duration turn(Duration time) {
        return time.dividedBy(3);
    }

    /** All of them. */
    List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (int bytes : SIZES) {
            rows.add(bySize(bytes));
            rows.add(new Row(
                    "A7 " + bytes + " B wDSA",
                    "one read at a time by wDSA, median time (of fio the mean)",
                    "us",
                    false,
                    byChannel(bytes),
                    List.of(new Beside(GATEWAY, 1, byGateway(bytes)))));
        }
        for (int depth : DEPTHS) {
            rows.add(new Row(
                    "A7 depth " + depth,
                    "8 KiB random reads by cDSA",
                    "requests/s",
                    true,
                    () -> client.perSecond(new Work(true, CACHED, depth), sizes.time()),
                    List.of(new Beside(GATEWAY, 0, () -> nbd.perSecond(sizes, new Job(true, CACHED, depth, false))))));
        }
        return rows;
    }

    private Row bySize(int bytes) {
        Work work = new Work(true, bytes, 1);
        RawReads alone = Objects.requireNonNull(raw.get(bytes));
        return new Row(
                "A7 " + bytes + " B",
                "one read at a time by cDSA, median time (of fio the mean)",
                "us",
                false,
                () -> client.micros(work, CompletionMode.ADAPTIVE, few.time()).median(),
                List.of(
                        new Beside(
                                "cDSA, client polls",
                                0,
                                () -> client.micros(work, CompletionMode.POLL, few.time())
                                        .median()),
                        new Beside(
                                "one-sided read by the verbs alone, and 15 us",
                                1,
                                () -> alone.micros(few.time()).median() + MORE_MICROS),
                        new Beside(CHANNEL, 1, byChannel(bytes)),
                        new Beside(GATEWAY, 1, byGateway(bytes))));
    }

    private Way byChannel(int bytes) {
        return () -> channel.micros(new Work(true, bytes, 1), few.time()).median();
    }

    private Way byGateway(int bytes) {
        return () -> Work.NANOS_PER_SECOND / Work.NANOS_PER_MICRO / nbd.perSecond(few, new Job(true, bytes, 1, false));
    }
}
