package dev.retier.bench.volumes;

import dev.retier.bench.ChildProcess;
import dev.retier.bench.Launched;
import dev.retier.link.ReservedPorts;
import dev.retier.link.SecretSource;
import dev.retier.link.Transport;
import dev.retier.link.auth.Secrets;
import dev.retier.volume.VolumeName;
import dev.retier.volume.channel.VolumeFile;
import dev.retier.volume.connect.ClientConfig;
import dev.retier.volume.connect.Completion;
import dev.retier.volume.connect.RemoteVolume;
import dev.retier.volume.connect.VolumeClient;
import dev.retier.volume.pool.Geometry;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A volume server with the defaults that it ships with, a process of its own. Not thread-safe. */
final class Store implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final Path folder;
    private final ReservedPorts ports = new ReservedPorts(1);
    private final Path config;
    private final Path secret;
    private Started server;

    private Store(Path folder) throws IOException, InterruptedException {
        this.folder = Files.createDirectories(folder);
        this.secret = folder.resolve("secret");
        command("secret", "new", secret.toString());
        this.config = Files.writeString(
                folder.resolve("pool.yaml"),
                "directory: " + folder.resolve("pool") + "\nlisten: 127.0.0.1:"
                        + ports.numbers().getFirst() + "\nsecret-file: " + secret + "\n");
        this.server = serve();
    }

    /** Starts one with an empty pool in {@code folder}. */
    static Store start(Path folder) throws IOException, InterruptedException {
        return new Store(folder);
    }

    private Started serve() throws IOException, InterruptedException {
        return Started.start(
                        folder.resolve("serve.log"),
                        List.of(Launched.launcher().toString(), "volume", "serve", "--config", config.toString()))
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

    /** A client in this process. */
    VolumeClient client() {
        return client(Completion.DEFAULT);
    }

    /** One in this process that learns of answers so. */
    VolumeClient client(Completion completion) {
        ClientConfig usual =
                ClientConfig.of(ports.address(0), Secrets.only(SecretSource.fromFile(secret)), Transport.IWARP);
        return VolumeClient.open(new ClientConfig(
                usual.server(),
                usual.secrets(),
                usual.transport(),
                usual.lostAfter(),
                usual.unflushedBytes(),
                usual.name(),
                usual.stall(),
                completion));
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
