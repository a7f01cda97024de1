package dev.retier.bench.volumes;

import dev.retier.bench.ChildProcess;
import dev.retier.bench.Launched;
import dev.retier.link.ReservedPorts;
import dev.retier.link.SecretSource;
import dev.retier.link.Transport;
import dev.retier.volume.VolumeName;
import dev.retier.volume.channel.VolumeFile;
import dev.retier.volume.connect.ClientConfig;
import dev.retier.volume.connect.Completion;
import dev.retier.volume.connect.RemoteVolume;
import dev.retier.volume.connect.TableReader;
import dev.retier.volume.connect.VolumeClient;
import dev.retier.volume.pool.Geometry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A volume server with the defaults that it ships with, a process of its own. Not thread-safe. */
final class Store implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final Path folder;
    private final ReservedPorts ports = new ReservedPorts(2);
    private final Path config;
    private final Path secret;
    private final UnaryOperator<List<String>> within;
    private Started server;

    private Store(Path folder, UnaryOperator<List<String>> within) throws IOException, InterruptedException {
        this.folder = Files.createDirectories(folder);
        this.within = within;
        this.secret = folder.resolve("secret");
        command("secret", "new", secret.toString());
        this.config = folder.resolve("pool.yaml");
        configure("");
        this.server = serve();
    }

    private void configure(String more) throws IOException {
        Files.writeString(
                config,
                "directory: " + folder.resolve("pool") + "\nlisten: 127.0.0.1:"
                        + ports.numbers().getFirst() + "\nsecret-file: " + secret + "\n" + more);
    }

    /** Starts one with an empty pool in {@code folder}. */
    static Store start(Path folder) throws IOException, InterruptedException {
        return new Store(folder, UnaryOperator.identity());
    }

    /** The same, with the server's process in a control group. */
    static Store start(Path folder, LimitedGroup within) throws IOException, InterruptedException {
        return new Store(folder, within::command);
    }

    /** Starts the server anew with a cache of so many bytes and that policy; clients wait meanwhile. */
    void useCache(long bytes, String policy) throws IOException, InterruptedException {
        configure("cache-bytes: " + bytes + "\ncache-policy: " + policy + "\nadmin: 127.0.0.1:"
                + ports.numbers().getLast() + "\n");
        startAnew();
    }

    /** A figure of its metrics, once it {@linkplain #useCache has a cache}. */
    double figure(String name) throws IOException, InterruptedException {
        URI metrics = URI.create("http://127.0.0.1:" + ports.numbers().getLast() + "/metrics");
        try (HttpClient http = HttpClient.newHttpClient()) {
            String all = http.send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
            return all.lines()
                    .filter(line -> line.startsWith(name + " "))
                    .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                    .findFirst()
                    .orElseThrow(() -> new IOException("the server tells no " + name));
        }
    }

    private Started serve() throws IOException, InterruptedException {
        return Started.start(
                        folder.resolve("serve.log"),
                        within.apply(List.of(
                                Launched.launcher().toString(), "volume", "serve", "--config", config.toString())))
                .awaitOutput("volume server serves");
    }

    private void command(String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of(Launched.launcher().toString()));
        command.addAll(List.of(words));
        ChildProcess.run(command, folder, folder.resolve("command.log"), LIMIT, _ -> {});
    }

    /** A volume of zeros. */
    void create(String name, long bytes) throws IOException {
        command("volume", "create", name, "--size", String.valueOf(bytes), "--config", config.toString());
    }

    /** A volume in which each byte was written and brought to the clusters. */
    void createFull(String name, long bytes) throws IOException, InterruptedException {
        create(name, bytes);
        try (VolumeClient client = client();
                RemoteVolume volume = client.attach(new VolumeName(name), false)) {
            for (long at = 0; at < bytes; at += Noise.BYTES) {
                volume.write(at, Noise.of(at));
            }
        }
        startAnew();
    }

    /** A volume with a file of so many bytes on it, each of which was written and brought to the clusters. */
    void createFile(String name, long bytes) throws IOException, InterruptedException {
        create(name, bytes + Geometry.BLOCK_BYTES);
        try (VolumeClient client = client();
                RemoteVolume volume = client.attach(new VolumeName(name), false);
                FileChannel file = VolumeFile.on(volume).open(StandardOpenOption.WRITE)) {
            for (long at = 0; at < bytes; at += Noise.BYTES) {
                int _ = file.write(Noise.of(at), at);
            }
        }
        startAnew();
    }

    private void startAnew() throws IOException, InterruptedException {
        server.close(); // it makes a checkpoint
        server = serve();
    }

    /** Kills the server (SIGKILL). */
    void kill() throws InterruptedException {
        server.kill();
    }

    /** Starts a server that was killed; how long it took until it served. */
    Duration revive() throws IOException, InterruptedException {
        long beganNanos = System.nanoTime();
        server = serve();
        return Duration.ofNanos(System.nanoTime() - beganNanos);
    }

    /** Bytes of the files that the journal is in, which the server makes and removes meanwhile. */
    long journalBytes() throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.list(folder.resolve("pool").resolve("journal"))) {
            for (Path file : files.toList()) {
                bytes += sizeOrGone(file);
            }
        }
        return bytes;
    }

    private static long sizeOrGone(Path file) throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException gone) {
            return 0;
        }
    }

    /** Who reads the server's table. */
    TableReader reader() {
        return TableReader.open(new TableReader.Server(ports.address(0), secrets(), Transport.IWARP));
    }

    private SecretSource secrets() {
        return SecretSource.fromFile(secret);
    }

    /** A client in this process. */
    VolumeClient client() {
        return client(Completion.DEFAULT);
    }

    /** One in this process that learns of answers so. */
    VolumeClient client(Completion completion) {
        ClientConfig usual = ClientConfig.of(ports.address(0), secrets(), Transport.IWARP);
        return VolumeClient.open(usual.withCompletion(completion));
    }

    /** Where its clients find it. */
    String address() {
        return "127.0.0.1:" + ports.numbers().getFirst();
    }

    /** What they prove. */
    Path secret() {
        return secret;
    }

    /** The server's process. */
    long pid() {
        return server.pid();
    }

    /** Serves a volume by NBD at {@code socket}, by a process that is the caller's. */
    Started attach(String name, Path socket) throws IOException, InterruptedException {
        return started("attach", name, "--nbd", socket.toString()).awaitOutput("nbdinfo");
    }

    /** Mounts a volume on {@code mounted}, by a process that is the caller's. */
    Started mount(String name, Path mounted) throws IOException, InterruptedException {
        return started("mount", name, mounted.toString(), "--mkfs").awaitOutput("is mounted on");
    }

    /** Records what is asked of a volume to {@code file}, until it is closed, by a process that is the caller's. */
    Started trace(String name, Path file) throws IOException, InterruptedException {
        return started("trace", name, "--out", file.toString()).awaitOutput("records " + name);
    }

    private Started started(String verb, String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of(Launched.launcher().toString(), "volume", verb));
        command.addAll(List.of(words));
        command.addAll(List.of("--config", config.toString()));
        return Started.start(folder.resolve(verb + ".log"), command);
    }

    @Override
    public void close() {
        server.close();
        ports.close();
    }
}
