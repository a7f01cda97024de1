package dev.retier.bench.volumes;

import dev.retier.bench.Progress;
import dev.retier.bench.volumes.Fio.Job;
import dev.retier.bench.volumes.Row.Beside;
import dev.retier.bench.volumes.Row.Way;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Rows B: a volume by NBD beside other NBD servers on one file of the local disk. Not thread-safe. */
final class NbdRows {
    private static final String VOLUME = "nbd";
    private static final String KIT = "nbdkit file";
    private static final String QEMU = "qemu-nbd";
    private static final String LOCAL = "local file";
    private static final double MEBIBYTE = 1 << 20;

    private final Peers peers;
    private final Fio fio;
    private final Path file;
    private final String ours;
    private final List<Server> servers = new ArrayList<>();
    private final Closing toEnd;

    private record Server(String name, String uri) {}

    /** Starts them all, with as many bytes each. */
    NbdRows(Store store, Path folder, Peers peers, Fio fio, Closing toEnd) throws IOException, InterruptedException {
        this.peers = peers;
        this.fio = fio;
        this.toEnd = toEnd;
        this.file = folder.resolve("file");
        Path socket = folder.resolve("retier.sock");
        this.ours = "nbd+unix:///" + VOLUME + "?socket=" + socket;
        Progress.tell("filling a volume and a file ...");
        store.createFull(VOLUME, fio.bytes());
        Noise.write(file, fio.bytes());
        toEnd.add(store.attach(VOLUME, socket));
        startOthers(folder);
    }

    private void startOthers(Path folder) throws IOException, InterruptedException {
        if (peers.has(Peers.NBDKIT)) {
            start(KIT, folder.resolve("kit.sock"), List.of("nbdkit", "-f", "-U"), List.of("file", file.toString()));
        }
        if (peers.has(Peers.QEMU)) {
            start(
                    QEMU,
                    folder.resolve("qemu.sock"),
                    List.of("qemu-nbd", "--persistent", "--shared=8", "--format=raw", "--socket"),
                    List.of(file.toString()));
        }
    }

    private void start(String name, Path socket, List<String> before, List<String> after)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(before);
        command.add(socket.toString());
        command.addAll(after);
        toEnd.add(Started.start(socket.resolveSibling(socket.getFileName() + ".log"), command)
                .awaitFile(socket));
        servers.add(new Server(name, "nbd+unix:///?socket=" + socket));
    }

    /** Of the volume. */
    double perSecond(Fio sizes, Job job) throws IOException, InterruptedException {
        return sizes.perSecondOverNbd(ours, job);
    }

    /** All of them. */
    List<Row> rows() {
        Job eight = new Job(false, 8 << 10, 1, true);
        Row flushes = row("B4", "8 KiB write and flush each", eight, 1.2, 1.2);
        List<Beside> beside = new ArrayList<>(flushes.others());
        if (peers.has(Peers.LOCAL)) {
            beside.add(new Beside(LOCAL + ", fdatasync", 0.8, () -> fio.perSecondInFile(file, eight)));
        }
        return List.of(
                row("B1", "4 KiB random reads, one at a time", new Job(true, 4 << 10, 1, false), 0.5, 0.7),
                row("B2", "4 KiB random reads, 32 at a time", new Job(true, 4 << 10, 32, false), 0.8, 1.0),
                row("B3 read", "64 KiB random reads, 16 at a time", new Job(true, 64 << 10, 16, false), 0.7, 0),
                row("B3 write", "64 KiB random writes, 16 at a time", new Job(false, 64 << 10, 16, false), 0.7, 0),
                new Row(flushes.name(), flushes.what(), flushes.unit(), true, flushes.ours(), beside),
                row("B5", "4 KiB random writes, 32 at a time", new Job(false, 4 << 10, 32, false), 1.5, 0));
    }

    private Row row(String name, String what, Job job, double targetOfKit, double targetOfQemu) {
        List<Beside> beside = new ArrayList<>();
        for (Server server : servers) {
            double target = server.name.equals(KIT) ? targetOfKit : targetOfQemu;
            beside.add(new Beside(server.name, target, way(server.uri, job)));
        }
        boolean isLong = job.blockBytes() >= 64 << 10;
        return new Row(name, what, isLong ? "MiB/s" : "requests/s", true, way(ours, job), beside);
    }

    private Way way(String uri, Job job) {
        boolean isLong = job.blockBytes() >= 64 << 10;
        return () -> fio.perSecondOverNbd(uri, job) * (isLong ? job.blockBytes() / MEBIBYTE : 1);
    }
}
