package dev.retier.cli.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.cli.CommandRun;
import dev.retier.link.ReservedPorts;
import dev.retier.link.SecretSource;
import dev.retier.link.Transport;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Secrets;
import dev.retier.volume.VolumeName;
import dev.retier.volume.config.Care;
import dev.retier.volume.config.Limits;
import dev.retier.volume.config.Times;
import dev.retier.volume.connect.ClientConfig;
import dev.retier.volume.connect.RemoteVolume;
import dev.retier.volume.connect.VolumeClient;
import dev.retier.volume.disk.FolderDisk;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.serve.ServerConfig;
import dev.retier.volume.serve.ServerListener;
import dev.retier.volume.serve.VolumeServer;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What commands do with volumes as a whole: brought out, taken in, trimmed, scrubbed. */
@Timeout(120)
class VolumeUpkeepIT {
    private static final String SECRET = "a secret of this cluster";
    private static final SecretSource SECRETS = SecretSource.of(Secrets.only(ClusterSecret.of(SECRET)));
    private static final VolumeName NAME = new VolumeName("accounts");

    @TempDir
    private Path folder = Path.of("");

    private String address = "";

    private CommandRun run(String... arguments) {
        List<String> all = new ArrayList<>(List.of("volume"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--server", address, "--secret-file", folder + "/secret"));
        return CommandRun.of(all.toArray(String[]::new));
    }

    private void does(String what, String... arguments) {
        CommandRun run = run(arguments);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out() + run.err()).contains(what);
    }

    private void refuses(int code, String why, String... arguments) {
        CommandRun run = run(arguments);
        assertThat(run.code()).as(run.out() + run.err()).isEqualTo(code);
        assertThat(run.err()).contains(why);
    }

    @Test
    void shouldBringVolumesOutAndTakeThemIn_andCareForThem() throws Exception {
        Files.writeString(folder.resolve("secret"), SECRET);
        Files.setPosixFilePermissions(folder.resolve("secret"), PosixFilePermissions.fromString("rw-------"));
        Path pools = Files.createDirectory(folder.resolve("pool"));
        FolderDisk disk = FolderDisk.open(pools);
        Pool.make(disk, UUID.randomUUID(), Geometry.DEFAULT);
        byte[] image = new byte[(3 << 20) + 5];
        new Random(1).nextBytes(image);
        Arrays.fill(image, 1 << 20, 2 << 20, (byte) 0);
        String file = Files.write(folder.resolve("image"), image).toString();
        try (ReservedPorts ports = new ReservedPorts(1);
                Pool pool = Pool.open(disk, new Pool.Limits(1 << 20, 8 << 20), Thread::startVirtualThread)) {
            ServerConfig config = new ServerConfig(
                    ports.address(0), SECRETS, Transport.IWARP, Limits.DEFAULT, Times.DEFAULT, Care.LEAST);
            address = "127.0.0.1:" + ports.address(0).getPort();
            try (VolumeServer _ =
                    VolumeServer.open(config, VolumeServer.Identity.drawn(new UUID(1, 1)), pool, ServerListener.NONE)) {
                takesIn(file, image);
                try (VolumeClient client =
                        VolumeClient.open(ClientConfig.of(ports.address(0), SECRETS, Transport.IWARP))) {
                    bringsOutWhatAMomentHad(client, image);
                }
                cares(pools);
            }
        }
    }

    private void takesIn(String file, byte[] image) throws Exception {
        does(image.length + " bytes are in accounts", "import", "accounts", "--in", file);
        refuses(3, "accounts has something already: say --over", "import", "accounts", "--in", file);
        does("imported 100 %", "import", "accounts", "--in", file, "--over");
        refuses(64, "--size says 4096", "import", "orders", "--in", file, "--size", "4k");
        refuses(64, "is not known before: say --size", "import", "orders", "--in", "/dev/zero");
        refuses(64, "--on names a node of a cluster file", "import", "orders", "--in", file, "--on", "one");
        refuses(64, "leave it out with --over", "import", "accounts", "--in", file, "--over", "--on", "one");
        refuses(
                1,
                "is longer than the volume, which has 8192 bytes",
                "import",
                "orders",
                "--in",
                "/dev/zero",
                "--size",
                "8k");
        refuses(1, "there is no volume \"orders\" here", "export", "orders", "--out", folder + "/none");
        assertThat(folder.resolve("none")).doesNotExist();

        Path out = folder.resolve("out");
        does("exported 100 %", "export", "accounts", "--out", out.toString());
        assertThat(Files.readAllBytes(out)).isEqualTo(Arrays.copyOf(image, 3 * (1 << 20) + 4096));
    }

    private void bringsOutWhatAMomentHad(VolumeClient client, byte[] image) throws Exception {
        Path out = folder.resolve("before.img");
        try (RemoteVolume volume = client.attach(NAME, false)) {
            client.snapshot(NAME, new VolumeName("before"));
            volume.write(0, ByteBuffer.allocate(2 << 20));
            refuses(3, "writes to it; export a snapshot of it", "export", "accounts", "--out", out.toString());
            refuses(1, "there is no snapshot \"none\"", "export", "accounts", "--snapshot", "none", "--out", out + "");
            does("exported 100 %", "export", "accounts", "--snapshot", "before", "--out", out.toString());
        }
        assertThat(Files.readAllBytes(out)).isEqualTo(Arrays.copyOf(image, 3 * (1 << 20) + 4096));
        client.deleteSnapshot(NAME, new VolumeName("before"));
        bringsOutNothing(client);
    }

    /** Somebody has attached it, written, and given it back, while it was brought out. */
    private void bringsOutNothing(VolumeClient client) throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        CompletableFuture<Void> refused = CompletableFuture.runAsync(
                () -> refuses(3, "accounts has been written to meanwhile", "export", "accounts", "--out", pipe + ""),
                each -> Thread.ofPlatform().daemon().start(each));
        try (InputStream out = Files.newInputStream(pipe)) {
            assertThat(out.readNBytes(1)).hasSize(1);
            try (RemoteVolume volume = client.attach(NAME, false)) {
                volume.write(0, ByteBuffer.allocate(1));
            }
            out.readAllBytes();
        }
        refused.get(60, TimeUnit.SECONDS);
    }

    private void cares(Path pools) throws Exception {
        does("accounts takes 1114112 bytes, and took ", "trim", "accounts");
        does("1052672 bytes of 1 volumes and snapshots were read", "scrub");
        byte[] clusters = Files.readAllBytes(pools.resolve("clusters"));
        int good = clusters.length - 1;
        while (clusters[good] == 0) {
            good--;
        }
        clusters[good] ^= 1;
        Files.write(pools.resolve("clusters"), clusters);
        CommandRun broken = run("scrub", "accounts", "-o", "csv");
        assertThat(broken.code()).isEqualTo(1);
        assertThat(broken.out()).matches("volume,block\naccounts,[0-9]+\n");
    }
}
