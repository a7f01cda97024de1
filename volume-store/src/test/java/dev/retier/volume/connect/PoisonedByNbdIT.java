package dev.retier.volume.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.VolumeName;
import dev.retier.volume.gateway.NbdGateway;
import java.io.EOFException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a database on a volume by NBD is told when the server's disk fails once, and is good again afterwards. */
@Timeout(60)
class PoisonedByNbdIT {
    private static final VolumeName ACCOUNTS = new VolumeName("accounts");
    private static final int READ = 0;
    private static final int WRITE = 1;
    private static final int FLUSH = 3;
    private static final int ZEROES = 6;
    private static final int FORCED = 1;
    private static final int BYTES = 512;
    private static final int EIO = 5;

    @TempDir
    private Path folder = Path.of("");

    private static ByteBuffer readAll(SocketChannel from, int bytes) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(bytes);
        while (into.hasRemaining()) {
            if (from.read(into) < 0) {
                throw new EOFException();
            }
        }
        return into.flip();
    }

    /** The error that it is answered. */
    private static int ask(SocketChannel client, int type, int flags) throws IOException {
        ByteBuffer said = ByteBuffer.allocate(28 + (type == WRITE ? BYTES : 0))
                .putInt(0x2560_9513)
                .putShort((short) flags)
                .putShort((short) type)
                .putLong(7)
                .putLong(type == FLUSH ? 0 : 4096)
                .putInt(type == FLUSH ? 0 : BYTES)
                .rewind();
        while (said.hasRemaining()) {
            client.write(said);
        }
        int error = readAll(client, 16).getInt(4);
        if (type == READ && error == 0) {
            readAll(client, BYTES);
        }
        return error;
    }

    private SocketChannel connected(Path socket) throws IOException {
        SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        readAll(client, 18);
        ByteBuffer said = ByteBuffer.allocate(28).putInt(3).putLong(0x4948_4156_454f_5054L);
        client.write(said.putInt(1)
                .putInt(8)
                .put("accounts".getBytes(StandardCharsets.US_ASCII))
                .flip());
        readAll(client, 10);
        return client;
    }

    private void requireNoSuccessAfter(int type, int flags) throws IOException {
        try (OneServer server = new OneServer(folder.resolve("pool-" + type), 64 << 10)) {
            VolumeClient client = server.client(Completion.DEFAULT);
            client.create(ACCOUNTS, 1 << 20);
            RemoteVolume volume = client.attach(ACCOUNTS, false);
            Path socket = folder.resolve("s" + type);
            try (NbdGateway _ = NbdGateway.listen(socket, Map.of(ACCOUNTS, volume));
                    SocketChannel nbd = connected(socket)) {
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
                    SocketChannel nbd = connected(socket)) {
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
