package dev.retier.cli.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.cli.CommandRun;
import dev.retier.link.ReservedPorts;
import dev.retier.link.SecretSource;
import dev.retier.link.Transport;
import dev.retier.volume.VolumeName;
import dev.retier.volume.config.Care;
import dev.retier.volume.config.Limits;
import dev.retier.volume.config.Times;
import dev.retier.volume.disk.FolderDisk;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.serve.ServerConfig;
import dev.retier.volume.serve.ServerListener;
import dev.retier.volume.serve.VolumeServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands about volumes that know the cluster file alone. */
@Timeout(120)
class ClusterServersIT {
    @TempDir
    private Path folder = Path.of("");

    private final ReservedPorts ports = new ReservedPorts(2);
    /** The newest first. */
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    private Path secret = Path.of("");
    private Path cluster = Path.of("");

    @BeforeEach
    void make() throws IOException {
        open.push(ports);
        secret = Files.createFile(
                folder.resolve("secret"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(secret, "the secret of all volume servers here");
        cluster = Files.writeString(folder.resolve("cluster.yaml"), """
                name: small
                secret-file: %s
                journal-directory: /nonexistent
                sites:
                  - {id: 1, name: shop}
                nodes:
                  - {id: 1, name: one, rdma: "127.0.0.1:9000", agent: "127.0.0.1:9001", role: shop/proxy,
                     server: {address: "127.0.0.1:80", admin: "127.0.0.1:81", role-file: /run/one.json}}
                  - {id: 2, name: two, rdma: "127.0.0.1:9002", agent: "127.0.0.1:9003", role: spare,
                     server: {address: "127.0.0.1:82", admin: "127.0.0.1:83", role-file: /run/two.json}}
                witnesses: [one]
                volume-servers:
                  - {node: one, address: "127.0.0.1:%d"}
                  - {node: two, address: "127.0.0.1:%d", secret-file: %s}
                volumes:
                  - {name: accounts, server: two, size: 1m}
                """.formatted(
                        secret, ports.address(0).getPort(), ports.address(1).getPort(), secret));
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private Pool serve(int number, VolumeName... volumes) throws IOException {
        Path pool = Files.createDirectory(folder.resolve("pool" + number));
        FolderDisk disk = FolderDisk.open(pool);
        Pool.make(disk, UUID.randomUUID(), Geometry.DEFAULT);
        Pool opened = Pool.open(disk, new Pool.Limits(1 << 20, 8 << 20), Thread::startVirtualThread);
        open.push(opened);
        for (VolumeName volume : volumes) {
            opened.create(volume, 1 << 20);
        }
        ServerConfig config = new ServerConfig(
                ports.address(number),
                SecretSource.fromFile(secret),
                Transport.IWARP,
                Limits.DEFAULT,
                Times.DEFAULT,
                Care.LEAST);
        open.push(VolumeServer.open(config, VolumeServer.Identity.drawn(new UUID(1, 1)), opened, ServerListener.NONE));
        return opened;
    }

    private CommandRun volume(String... arguments) {
        String[] all = new String[arguments.length + 5];
        all[0] = "volume";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        all[arguments.length + 1] = "--config";
        all[arguments.length + 2] = cluster.toString();
        all[arguments.length + 3] = "--patience";
        all[arguments.length + 4] = "5s";
        return CommandRun.of(all);
    }

    private void does(String... arguments) {
        CommandRun run = volume(arguments);
        assertThat(run.code()).as(run.err()).isZero();
    }

    private void refuses(int code, String why, String... arguments) {
        CommandRun run = volume(arguments);
        assertThat(run.err()).contains(why);
        assertThat(run.code()).isEqualTo(code);
    }

    @Test
    void shouldFindTheServerOfEachVolume() throws IOException {
        Pool one = serve(0);
        Pool two = serve(1);
        does("create", "accounts");
        assertThat(two.catalogue().numberOf(new VolumeName("accounts"))).isPresent();
        does("create", "orders", "--size", "2m", "--on", "one");
        assertThat(one.catalogue().numberOf(new VolumeName("orders"))).isPresent();

        refuses(1, "there is a volume accounts already, on two", "create", "accounts", "--size", "1m", "--on", "one");
        refuses(64, "say on which server other is to be: --on one of", "create", "other", "--size", "1m");
        refuses(64, "say how large other is to be: --size", "create", "other");
        refuses(1, "no server of the cluster has a volume other", "resize", "other", "--size", "1m");

        does("resize", "accounts", "--size", "3m");
        CommandRun list = volume("list", "-o", "csv");
        assertThat(list.out()).isEqualToNormalizingNewlines("""
                        name,snapshot,bytes,allocated_bytes,attached_by,epoch,server
                        orders,,2097152,0,,0,one
                        accounts,,3145728,0,,0,two
                        """);
        refuses(64, "--secret-file is for --server", "list", "--secret-file", secret.toString());
        refuses(64, "--transport is for --server", "create", "other", "--size", "1m", "--transport", "iwarp");
        does("delete", "accounts", "--yes");
        assertThat(two.catalogue().entries()).isEmpty();
    }

    /** Made past the cluster file, or before there was one: which of them is deleted must not be by chance. */
    @Test
    void shouldTakeNone_whenTwoServersHaveOne() throws IOException {
        VolumeName name = new VolumeName("orders");
        Pool one = serve(0, name);
        Pool two = serve(1, name);
        refuses(1, "there is a volume orders on each of one, two: say which by --server", "delete", "orders", "--yes");
        assertThat(one.catalogue().numberOf(name)).isPresent();
        assertThat(two.catalogue().numberOf(name)).isPresent();
    }

    /** Two servers with a volume of one name would be a choice that nobody made. */
    @Test
    void shouldMakeNone_whenAServerCannotBeRead() throws IOException {
        Pool one = serve(0);
        CommandRun refused = CommandRun.of(
                "volume",
                "create",
                "orders",
                "--size",
                "1m",
                "--on",
                "one",
                "--config",
                cluster.toString(),
                "--patience",
                "500ms");
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err())
                .contains("whether another server has a volume orders is not known; that of two could not be read");
        assertThat(one.catalogue().entries()).isEmpty();
    }
}
