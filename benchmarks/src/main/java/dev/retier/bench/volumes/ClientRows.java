package dev.retier.bench.volumes;

import dev.retier.bench.Progress;
import dev.retier.bench.volumes.Row.Beside;
import dev.retier.bench.volumes.Row.Way;
import dev.retier.volume.VolumeName;
import dev.retier.volume.connect.CompletionMode;
import dev.retier.volume.connect.RemoteVolume;
import dev.retier.volume.connect.VolumeClient;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** Rows A: the client library beside plain Java TCP; both servers are processes of their own. Not thread-safe. */
final class ClientRows {
    static final String VOLUME = "client";
    private static final int SMALL = 4 << 10;
    private static final int LONG = 64 << 10;
    /** Half of what a server's cache has by default. */
    static final long CACHED_BYTES = 128L << 20;

    private static final double MEBIBYTE = 1 << 20;
    private static final String PORT = "port ";

    private final Peers peers;
    private final Duration time;
    private final RemoteVolume volume;
    private final VolumeWork ours;
    private final LongSupplier server;
    private final TcpClient tcp;

    /** Fills a volume of so many bytes at most, which the server's cache holds, and starts a server of TCP. */
    ClientRows(Store store, Path folder, Peers peers, Fio sizes, Closing toEnd)
            throws IOException, InterruptedException {
        this.peers = peers;
        this.time = sizes.time();
        this.server = store::pid;
        Progress.tell("filling a volume ...");
        long bytes = Math.min(sizes.bytes(), CACHED_BYTES);
        store.createFull(VOLUME, bytes);
        VolumeClient client = toEnd.add(store.client());
        this.volume = toEnd.add(client.attach(new VolumeName(VOLUME), false));
        this.ours = new VolumeWork(volume, false);
        Path log = folder.resolve("tcp.log");
        Path file = folder.resolve("tcp");
        Noise.write(file, bytes);
        toEnd.add(Started.start(log, tcpServer(file)).awaitOutput(";"));
        String said = Files.readString(log);
        String port = said.substring(said.indexOf(PORT) + PORT.length(), said.indexOf(';'));
        this.tcp = toEnd.add(new TcpClient(Integer.parseInt(port)));
    }

    /** With the options of this virtual machine, which are those of a volume server. */
    private static List<String> tcpServer(Path file) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), TcpBlocks.class.getName(), file.toString()));
        return command;
    }

    /** All of them. */
    List<Row> rows() {
        return List.of(
                one("A1", "4 KiB read, one at a time, client polls, median time", CompletionMode.POLL, 1.25),
                one("A2", "4 KiB read, one at a time, median time", CompletionMode.ADAPTIVE, 1.2),
                row("A3", "4 KiB random reads, 32 at a time", new Work(true, SMALL, 32), 0.5),
                row("A4", "4 KiB random writes, 32 at a time; TCP appends to a file", new Work(false, SMALL, 32), 0.5),
                row("A5 read", "64 KiB reads, 16 at a time", new Work(true, LONG, 16), 0.95),
                row("A5 write", "64 KiB writes, 16 at a time; TCP appends to a file", new Work(false, LONG, 16), 0.90),
                wakes("server", server),
                wakes("client", () -> ProcessHandle.current().pid()));
    }

    /** What they use, attached. */
    RemoteVolume volume() {
        return volume;
    }

    /** How its program uses it. */
    VolumeWork work() {
        return ours;
    }

    private Row wakes(String whose, LongSupplier pid) {
        Work work = new Work(true, SMALL, 32);
        return new Row(
                "D2 " + whose,
                "wake-ups of threads, of 4 KiB random reads, 32 at a time (target: 0.1)",
                "per request",
                false,
                () -> {
                    long before = Wakes.of(pid.getAsLong());
                    double requests = ours.perSecond(work, time) * time.toNanos() / Work.NANOS_PER_SECOND;
                    return (Wakes.of(pid.getAsLong()) - before) / requests;
                },
                List.of());
    }

    private Row one(String name, String what, CompletionMode mode, double target) {
        Work work = new Work(true, SMALL, 1);
        boolean isPolling = mode == CompletionMode.POLL;
        return new Row(
                name,
                what,
                "us",
                false,
                () -> ours.micros(work, mode, time).median(),
                beside(target, () -> tcp.micros(work, isPolling, time).median()));
    }

    private Row row(String name, String what, Work work, double target) {
        boolean isLong = work.bytes() == LONG;
        double scale = isLong ? LONG / MEBIBYTE : 1;
        return new Row(
                name,
                what,
                isLong ? "MiB/s" : "requests/s",
                true,
                () -> scale * ours.perSecond(work, time),
                beside(target, () -> scale * tcp.perSecond(work, time)));
    }

    private List<Beside> beside(double target, Way way) {
        return peers.has(Peers.TCP) ? List.of(new Beside("TCP", target, way)) : List.of();
    }
}
