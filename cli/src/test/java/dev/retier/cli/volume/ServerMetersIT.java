package dev.retier.cli.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.http.Meters;
import dev.retier.agent.http.WatchServer;
import dev.retier.link.ReservedPorts;
import dev.retier.link.SecretSource;
import dev.retier.link.Transport;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Secrets;
import dev.retier.volume.VolumeName;
import dev.retier.volume.cache.CachePolicy;
import dev.retier.volume.config.Care;
import dev.retier.volume.config.Limits;
import dev.retier.volume.config.PoolConfig;
import dev.retier.volume.config.Times;
import dev.retier.volume.connect.ClientConfig;
import dev.retier.volume.connect.RemoteVolume;
import dev.retier.volume.connect.VolumeClient;
import dev.retier.volume.connect.VolumeException;
import dev.retier.volume.disk.BlockCache;
import dev.retier.volume.disk.FolderDisk;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.serve.ServerConfig;
import dev.retier.volume.serve.VolumeServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a volume server tells to who watches it, while a client uses it. */
@Timeout(120)
class ServerMetersIT {
    private static final SecretSource SECRETS =
            SecretSource.of(Secrets.only(ClusterSecret.of("a secret of this cluster")));
    private static final VolumeName NAME = new VolumeName("accounts");

    @TempDir
    private Path folder = Path.of("");

    private final Meters meters = new Meters();

    private static String get(WatchServer watch, String path) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create("http://" + watch.address() + path))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    @Test
    void shouldTellWhatAServerDoes() throws Exception {
        FolderDisk disk = FolderDisk.open(folder);
        Pool.make(disk, UUID.randomUUID(), Geometry.DEFAULT);
        try (ReservedPorts ports = new ReservedPorts(1);
                Pool pool = Pool.open(
                        disk,
                        new Pool.Limits(1 << 20, 8 << 20),
                        BlockCache.of(1 << 20, CachePolicy.MQ),
                        Thread::startVirtualThread)) {
            InetSocketAddress address = ports.address(0);
            ServerConfig config =
                    new ServerConfig(address, SECRETS, Transport.IWARP, Limits.DEFAULT, Times.DEFAULT, Care.LEAST);
            PoolConfig file = PoolConfig.parse(
                    "directory: x\nsecret-file: y\nlisten: 127.0.0.1:1\nadmin: 127.0.0.1:0\n", "pool.yaml");
            VolumeServer.Identity identity = VolumeServer.Identity.drawn(new UUID(1, 1));
            try (VolumeServer server = VolumeServer.open(config, identity, pool, ServerMeters.listener(meters));
                    WatchServer watch = Objects.requireNonNull(ServerMeters.serve(file, meters, server))) {
                assertThat(get(watch, "/metrics"))
                        .contains("retier_volume_request_duration_seconds_count{operation=\"write\"} 0")
                        .contains("retier_volume_requests_fenced_total 0.0")
                        .contains("retier_volume_checksum_errors_wire_total 0.0")
                        .contains("retier_state_handshakes_refused_total 0.0")
                        .contains("retier_volume_clients 0.0")
                        .contains("retier_volume_journal_limit_bytes 8388608.0");
                assertThat(get(watch, "/livez")).isEqualTo("ok\n");
                assertThat(get(watch, "/readyz?verbose")).isEqualTo("[+] pool: takes changes\nok\n");
                ClientConfig client = ClientConfig.of(address, SECRETS, Transport.IWARP);
                try (VolumeClient first = VolumeClient.open(client);
                        VolumeClient second = VolumeClient.open(client)) {
                    use(first, second);
                    assertThat(get(watch, "/metrics"))
                            .contains("retier_volume_request_duration_seconds_count{operation=\"write\"} 1")
                            .contains("retier_volume_request_duration_seconds_count{operation=\"read\"} 2")
                            .contains("retier_volume_request_duration_seconds_count{operation=\"flush\"} 1")
                            .contains("retier_volume_quiesce_duration_seconds_count 1")
                            .contains("retier_volume_written_bytes_total 8192.0")
                            .contains("retier_volume_read_bytes_total 12288.0")
                            .contains("retier_volume_cache_hits_total 2.0")
                            .contains("retier_volume_cache_misses_total 1.0")
                            .contains("retier_volume_cache_blocks 2.0")
                            .contains("retier_volume_cache_ahead_used_total 0.0")
                            .contains("retier_volume_cache_ahead_unused_total 0.0")
                            .contains("retier_volume_forces_total 1.0")
                            .contains("retier_volume_forced_flushes_total 1.0")
                            .contains("retier_volume_requests_refused_total 1.0")
                            .contains("retier_volume_clients 2.0")
                            .contains("retier_volume_volumes 1.0")
                            .contains("retier_volume_attached 1.0");
                }
            }
        }
    }

    private static void use(VolumeClient first, VolumeClient second) throws IOException {
        first.create(NAME, 1 << 20);
        RemoteVolume volume = first.attach(NAME, false);
        volume.write(0, ByteBuffer.allocate(8192));
        volume.flush();
        volume.read(0, ByteBuffer.allocate(8192)); // has just been written
        volume.read(64 << 10, ByteBuffer.allocate(4096));
        try {
            second.attach(NAME, false);
        } catch (VolumeException held) {
            return;
        }
        throw new AssertionError("the first client has it");
    }
}
