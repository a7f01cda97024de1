package dev.retier.bench.volumes;

import dev.retier.bench.Progress;
import dev.retier.bench.Stats;
import dev.retier.bench.volumes.Row.Beside;
import dev.retier.bench.volumes.Row.Way;
import dev.retier.volume.VolumeName;
import dev.retier.volume.connect.RemoteVolume;
import dev.retier.volume.connect.VolumeClient;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Rows A: the client library beside plain Java TCP; both servers are processes of their own. Not thread-safe. */
final class ClientRows implements AutoCloseable {
    private static final String VOLUME = "client";
    private static final int SMALL = 4 << 10;
    private static final int LONG = 64 << 10;
    private static final double MEBIBYTE = 1 << 20;
    private static final String PORT = "port ";

    private final Peers peers;
    private final Duration time;
    private final VolumeClient client;
    private final RemoteVolume volume;
    private final Started tcpServer;
    private final TcpClient tcp;

    /** Fills a volume of so many bytes, and starts a server of TCP. */
    ClientRows(Store store, Path folder, Peers peers, Fio sizes) throws IOException, InterruptedException {
        this.peers = peers;
        this.time = sizes.time();
        Progress.tell("filling a volume ...");
        store.createFull(VOLUME, sizes.bytes());
        this.client = store.client();
        this.volume = client.attach(new VolumeName(VOLUME), false);
        Path log = folder.resolve("tcp.log");
        Path file = folder.resolve("tcp");
        Noise.write(file, sizes.bytes());
        this.tcpServer = Started.start(log, tcpServer(file)).awaitOutput(";");
        String said = Files.readString(log);
        this.tcp =
                new TcpClient(Integer.parseInt(said.substring(said.indexOf(PORT) + PORT.length(), said.indexOf(';'))));
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
        Work longReads = new Work(true, LONG, 16);
        Work longWrites = new Work(false, LONG, 16);
        return List.of(
                new Row(
                        "A2",
                        "4 KiB read, one at a time, median time",
                        "us",
                        false,
                        () -> micros().median(),
                        beside(
                                1.2,
                                () -> tcp.micros(new Work(true, SMALL, 1), time).median())),
                row("A3", "4 KiB random reads, 32 at a time", new Work(true, SMALL, 32), 0.5),
                row("A4", "4 KiB random writes, 32 at a time; TCP appends to a file", new Work(false, SMALL, 32), 0.5),
                row("A5 read", "64 KiB reads, 16 at a time", longReads, 0.95),
                row("A5 write", "64 KiB writes, 16 at a time; TCP appends to a file", longWrites, 0.90));
    }

    private Row row(String name, String what, Work work, double target) {
        boolean isLong = work.bytes() == LONG;
        double scale = isLong ? LONG / MEBIBYTE : 1;
        return new Row(
                name,
                what,
                isLong ? "MiB/s" : "requests/s",
                true,
                () -> scale * perSecond(work),
                beside(target, () -> scale * tcp.perSecond(work, time)));
    }

    private List<Beside> beside(double target, Way way) {
        return peers.has(Peers.TCP) ? List.of(new Beside("TCP", target, way)) : List.of();
    }

    private Stats micros() throws IOException {
        Stats micros = new Stats();
        ByteBuffer buffer = ByteBuffer.allocateDirect(SMALL);
        SplittableRandom random = new SplittableRandom(1);
        long beganNanos = System.nanoTime();
        for (long at = beganNanos; at - beganNanos < time.toNanos(); ) {
            volume.read(place(random, SMALL), buffer.clear());
            long now = System.nanoTime();
            micros.add((now - at) / Work.NANOS_PER_MICRO);
            at = now;
        }
        return micros;
    }

    private long place(SplittableRandom random, int bytes) {
        return random.nextLong(volume.bytes() / bytes) * bytes;
    }

    /** With as many threads as requests are to be under way. */
    private double perSecond(Work work) throws Exception {
        long beganNanos = System.nanoTime();
        long done = 0;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Long>> all = new ArrayList<>();
            for (int i = 0; i < work.depth(); i++) {
                SplittableRandom random = new SplittableRandom(i);
                all.add(threads.submit(() -> repeat(work, random, beganNanos)));
            }
            for (Future<Long> one : all) {
                done += one.get();
            }
        }
        return done * Work.NANOS_PER_SECOND / (System.nanoTime() - beganNanos);
    }

    private long repeat(Work work, SplittableRandom random, long beganNanos) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(work.bytes());
        long done = 0;
        while (System.nanoTime() - beganNanos < time.toNanos()) {
            long place = place(random, work.bytes());
            if (work.isRead()) {
                volume.read(place, buffer.clear());
            } else {
                volume.write(place, buffer.clear());
            }
            done++;
        }
        return done;
    }

    @Override
    public void close() throws IOException {
        try (client;
                tcpServer;
                tcp) {
            volume.close();
        }
    }
}
