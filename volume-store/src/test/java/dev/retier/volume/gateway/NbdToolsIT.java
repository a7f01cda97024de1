package dev.retier.volume.gateway;

import static dev.retier.volume.gateway.NbdTestClient.CACHE;
import static dev.retier.volume.gateway.NbdTestClient.DISCONNECT;
import static dev.retier.volume.gateway.NbdTestClient.EINVAL;
import static dev.retier.volume.gateway.NbdTestClient.READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.testsupport.ExternalTool;
import dev.retier.volume.Volume;
import dev.retier.volume.VolumeName;
import dev.retier.volume.cache.CachePolicy;
import dev.retier.volume.disk.BlockCache;
import dev.retier.volume.disk.FolderDisk;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.pool.Geometry;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The gateway before a pool, asked by the programs that people use. */
@Timeout(120)
class NbdToolsIT {
    private static final VolumeName ACCOUNTS = new VolumeName("accounts");
    private static final VolumeName ORDERS = new VolumeName("orders");
    private static final long BYTES = 64L << 20;
    private static final int SEGMENT = 4 << 20;

    @TempDir
    private Path folder = Path.of("");

    private final BlockCache cache = BlockCache.of(1 << 20, CachePolicy.MQ);
    private @Nullable Pool pool;
    private @Nullable Volume accounts;
    private @Nullable NbdGateway gateway;

    @BeforeEach
    void open() throws IOException {
        Path home = Files.createDirectory(folder.resolve("pool"));
        FolderDisk disk = FolderDisk.open(home);
        Pool.make(disk, UUID.randomUUID(), Geometry.DEFAULT);
        Pool made = Pool.open(disk, new Pool.Limits(SEGMENT, 8L * SEGMENT), cache, Thread::startVirtualThread);
        pool = made;
        int number = made.create(ACCOUNTS, BYTES);
        Volume first = made.volume(number, 1, made.ahead(number, work -> work.accept(ByteBuffer.allocate(64 << 10))));
        Volume orders = made.volume(made.create(ORDERS, 12_288), 1);
        accounts = first;
        gateway = NbdGateway.listen(socket(), Map.of(ACCOUNTS, first, ORDERS, orders));
    }

    @AfterEach
    void close() throws IOException {
        Objects.requireNonNull(gateway).close();
        Objects.requireNonNull(pool).close();
    }

    private Volume accounts() {
        return Objects.requireNonNull(accounts);
    }

    private Path socket() {
        return folder.resolve("s");
    }

    private String uri(VolumeName name) {
        return "nbd+unix:///" + name + "?socket=" + socket();
    }

    private String run(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(words));
        command.set(0, ExternalTool.find(words[0]).toString());
        Path out = folder.resolve("out");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        try {
            assertThat(process.waitFor(100, TimeUnit.SECONDS))
                    .as("%s ends", command)
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        String said = Files.readString(out, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as("%s: %s", command, said).isZero();
        return said;
    }

    private Path image(long seed) throws IOException {
        Path image = folder.resolve("image");
        byte[] bytes = new byte[(int) BYTES];
        new Random(seed).nextBytes(bytes);
        java.util.Arrays.fill(bytes, 10 << 20, 30 << 20, (byte) 0);
        return Files.write(image, bytes);
    }

    @Test
    void shouldListAndDescribe_toNbdinfo() throws Exception {
        assertThat(run("nbdinfo", "--list", "nbd+unix:///?socket=" + socket()))
                .contains("export=\"accounts\":", "export-size: 67108864", "export=\"orders\":", "export-size: 12288")
                .contains("base:allocation", "can_flush: true", "can_fua: true", "can_trim: true", "can_zero: true")
                .contains(
                        "can_multi_conn: true",
                        "can_cache: true",
                        "block_size_preferred: 4096",
                        "block_size_maximum: 33554432");
    }

    @Test
    void shouldKeepWhatNbdcopyWrites_andTellItsHoles() throws Exception {
        Path image = image(1);

        run("nbdcopy", "--connections=4", image.toString(), uri(ACCOUNTS));
        run("nbdcopy", uri(ACCOUNTS), folder.resolve("copy").toString());

        assertThat(Files.mismatch(image, folder.resolve("copy"))).isEqualTo(-1);
        run("qemu-img", "compare", "-f", "raw", "-F", "raw", image.toString(), uri(ACCOUNTS));
        assertThat(run("nbdinfo", "--map", uri(ACCOUNTS))).containsPattern("10485760\\s+20971520\\s+3\\s+hole,zero");
    }

    @Test
    void shouldReadWriteAndTrimByteWise_forQemuIo() throws Exception {
        String said = run(
                "qemu-io",
                "-f",
                "raw",
                "-c",
                "write -P 7 4095 70001",
                "-c",
                "flush",
                "-c",
                "read -P 7 4095 70001",
                "-c",
                "write -z 8192 8192",
                "-c",
                "read -P 0 8192 8192",
                "-c",
                "read -P 7 4095 4097",
                "-c",
                "discard 0 1M",
                "-c",
                "write -f -P 9 512 512",
                uri(ACCOUNTS));

        assertThat(said).doesNotContain("failed", "Pattern verification");
        ByteBuffer read = ByteBuffer.allocate(1024);
        accounts().read(0, read);
        assertThat(read.get(511)).isZero();
        assertThat(read.get(512)).isEqualTo((byte) 9);
    }

    @Test
    void shouldBeVerifiedByFio() throws Exception {
        String said = run(
                "fio",
                "--name=verify",
                "--ioengine=nbd",
                "--uri=" + uri(ACCOUNTS),
                "--rw=randrw",
                "--bsrange=512-128k",
                "--size=32m",
                "--iodepth=32",
                "--verify=crc32c",
                "--fsync=16",
                "--randrepeat=1");

        assertThat(said).contains("err= 0").doesNotContain("verify: bad");
    }

    @Test
    void shouldGoOn_whenAClientSpeaksNonsenseOrLeavesInTheMiddle() throws Exception {
        for (int length : new int[] {0, 1, 3, 4, 19, 40, 200}) {
            try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(socket()))) {
                client.write(ByteBuffer.allocate(length));
            }
        }

        assertThat(run("nbdinfo", "--size", uri(ACCOUNTS)).strip()).isEqualTo(String.valueOf(BYTES));
    }

    /** The client has its size from when it opened it. */
    @Test
    void shouldAnswer_whenTheVolumeHasBecomeSmaller() throws Exception {
        Pool open = Objects.requireNonNull(pool);
        int number = open.catalogue().numberOf(ACCOUNTS).orElseThrow();
        try (NbdTestClient client = opened()) {
            open.resize(number, 4096);

            assertThat(client.ask(READ, 0, 8192, 512)).isEqualTo(EINVAL);
        }
    }

    private NbdTestClient opened() throws IOException {
        return NbdTestClient.open(socket(), "accounts");
    }

    @Test
    void shouldBringToMemory_whatAClientSaysItWillRead() throws Exception {
        run("nbdinfo", "--can", "cache", uri(ACCOUNTS));
        accounts().write(0, ByteBuffer.allocate(1 << 20).putInt(0, 7));
        accounts().hint(0, BYTES, Volume.Hint.WILL_NOT_NEED);
        try (NbdTestClient client = opened()) {
            assertThat(client.ask(CACHE, 0, 1000, 100_000)).isZero();
            assertThat(cache.figures().used()).isEqualTo(25);
            assertThat(client.ask(CACHE, 0, BYTES - 1, 2)).isEqualTo(EINVAL);
        }
    }

    /** The protocol: what was asked for before is done and answered. */
    @Test
    void shouldAnswerAll_beforeItLetsAClientGo() throws Exception {
        try (NbdTestClient client = opened()) {
            ByteBuffer all = ByteBuffer.allocate(9 * NbdTestClient.REQUEST_BYTES);
            for (int i = 0; i < 8; i++) {
                all.put(NbdTestClient.request(READ, 0, i, i << 20, 1 << 20));
            }
            client.send(all.put(NbdTestClient.request(DISCONNECT, 0, 8, 0, 0)).flip());

            var _ = client.read(8 * (NbdTestClient.ANSWER_BYTES + (1 << 20)));
            assertThat(client.isLetGo()).isTrue();
        }
    }

    @Test
    void shouldKeepRoomForZeros_whenThereMustBeNoHole() throws Exception {
        run("qemu-io", "-f", "raw", "-c", "write -z 0 256k", "-c", "write -zu 512k 256k", uri(ACCOUNTS));

        assertThat(accounts().extents(0, 256 << 10)).hasSize(1).first().returns(false, Volume.Extent::isHole);
        assertThat(accounts().extents(512 << 10, 256 << 10)).hasSize(1).first().returns(true, Volume.Extent::isHole);
    }

    @Test
    void shouldLetNobodyElseIn() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket())))
                .isEqualTo("rw-------");
        assertThatThrownBy(() -> NbdGateway.listen(socket(), Map.of()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is the socket of a program that runs");
    }

    @Test
    void shouldTakeTheSocketOfOneThatWasKilled() throws Exception {
        Path stale = folder.resolve("stale");
        try (var left = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            left.bind(UnixDomainSocketAddress.of(stale));
        }

        try (NbdGateway _ = NbdGateway.listen(stale, Map.of(ACCOUNTS, accounts()))) {
            assertThat(run("nbdinfo", "--size", "nbd+unix:///?socket=" + stale).strip())
                    .isEqualTo(String.valueOf(BYTES));
        }
    }
}
