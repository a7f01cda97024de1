package dev.retier.volume.connect;

import static dev.retier.volume.gateway.NbdTestClient.EIO;
import static dev.retier.volume.gateway.NbdTestClient.FLUSH;
import static dev.retier.volume.gateway.NbdTestClient.FORCED;
import static dev.retier.volume.gateway.NbdTestClient.READ;
import static dev.retier.volume.gateway.NbdTestClient.WRITE;
import static dev.retier.volume.gateway.NbdTestClient.ZEROES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.VolumeName;
import dev.retier.volume.gateway.NbdGateway;
import dev.retier.volume.gateway.NbdTestClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a database on a volume by NBD is told when the server's disk fails once, and is good again afterwards. */
@Timeout(60)
class PoisonedByNbdIT {
    private static final VolumeName ACCOUNTS = new VolumeName("accounts");
    private static final int BYTES = 512;

    @TempDir
    private Path folder = Path.of("");

    /** The error that it is answered. */
    private static int ask(NbdTestClient client, int type, int flags) throws IOException {
        return type == FLUSH ? client.ask(FLUSH, flags, 0, 0) : client.ask(type, flags, 4096, BYTES);
    }

    private void requireNoSuccessAfter(int type, int flags) throws IOException {
        try (OneServer server = new OneServer(folder.resolve("pool-" + type), 64 << 10)) {
            VolumeClient client = server.client(server.config());
            client.create(ACCOUNTS, 1 << 20);
            RemoteVolume volume = client.attach(ACCOUNTS, false);
            Path socket = folder.resolve("s" + type);
            try (NbdGateway _ = NbdGateway.listen(socket, Map.of(ACCOUNTS, volume));
                    NbdTestClient nbd = NbdTestClient.open(socket, "accounts")) {
                assertThat(ask(nbd, WRITE, 0)).isZero();
                server.isToFail.set(true);
                assertThat(ask(nbd, type, flags)).isEqualTo(EIO);

                server.restartAfterAFailure();
                assertThat(ask(nbd, READ, 0)).as("the disk is good again").isZero();
                assertThat(ask(nbd, FLUSH, 0))
                        .as("a flush over what may be lost")
                        .isEqualTo(EIO);
                assertThat(ask(nbd, WRITE, 0)).isEqualTo(EIO);
                assertThat(ask(nbd, WRITE, FORCED)).isEqualTo(EIO);
                assertThat(ask(nbd, ZEROES, FORCED)).isEqualTo(EIO);
            }
            try (NbdGateway _ = NbdGateway.listen(socket, Map.of(ACCOUNTS, client.attach(ACCOUNTS, false)));
                    NbdTestClient nbd = NbdTestClient.open(socket, "accounts")) {
                assertThat(ask(nbd, WRITE, FORCED)).as("attached anew").isZero();
                assertThat(ask(nbd, FLUSH, 0)).isZero();
            }
        }
    }

    @Test
    void shouldSucceedNoMore_afterAFlushThatFailed() throws IOException {
        requireNoSuccessAfter(FLUSH, 0);
    }

    @Test
    void shouldSucceedNoMore_afterAForcedWriteThatFailed() throws IOException {
        requireNoSuccessAfter(WRITE, FORCED);
    }

    @Test
    void shouldSucceedNoMore_afterForcedZerosThatFailed() throws IOException {
        requireNoSuccessAfter(ZEROES, FORCED);
    }
}
