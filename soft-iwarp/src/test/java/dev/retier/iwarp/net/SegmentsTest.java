package dev.retier.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.iwarp.mpa.Agreement;
import dev.retier.iwarp.mpa.TransmitBatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs of bytes on their way through a connection over loopback; native access is allowed in tests. */
@SuppressWarnings("NullAway.Init") // set by connect
@Tag("native-access")
class SegmentsTest {
    private static final Agreement STRANGER = new Agreement(true, true, false, false, Set.of(), 4, 4, 0, false);
    private static final int RUN_BYTES = 1448;
    private static final int SOCKET_BUFFER = 16 * 1024;

    private ProgressLoop loop;
    private Device device;
    private SocketChannel sender;
    private SocketChannel receiver;

    @BeforeEach
    void connect() throws IOException {
        loop = new ProgressLoop("segments-test");
        device = new Device(DeviceConfig.defaults(), loop);
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER);
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            sender = SocketChannel.open();
            sender.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER);
            sender.connect(server.getLocalAddress());
            receiver = server.accept();
        }
        sender.configureBlocking(false);
        receiver.configureBlocking(false);
    }

    @AfterEach
    void close() throws IOException {
        sender.close();
        receiver.close();
        loop.close();
    }

    /** TCP takes parts only, as its buffers are full again and again. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLoseNothing_whenBuffersAreFull(boolean aided) throws IOException {
        Segments segments = aided
                ? Segments.of(device, sender, STRANGER, new ChannelIo(sender))
                : Segments.unaided(sender, RUN_BYTES);
        SplittableRandom random = new SplittableRandom(1);
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        TransmitBatch batch = new TransmitBatch();
        batch.keepWithin(RUN_BYTES);
        for (int i = 0; i < 200; i++) {
            for (int j = 0; j < 100 && !batch.isFull(); j++) {
                byte[] run = new byte[random.nextInt(1, RUN_BYTES)];
                random.nextBytes(run);
                batch.append(run);
                expected.writeBytes(run);
            }
            segments.write(batch);
            batch.written();
            receive(received);
        }
        while (!batch.isEmpty()) {
            segments.write(batch);
            batch.written();
            receive(received);
        }
        sender.shutdownOutput();
        receiver.configureBlocking(true);
        receive(received);
        assertThat(received.toByteArray()).isEqualTo(expected.toByteArray());
    }

    private void receive(ByteArrayOutputStream received) throws IOException {
        ByteBuffer some = ByteBuffer.allocate(SOCKET_BUFFER);
        while (receiver.read(some) > 0) {
            received.write(some.array(), 0, some.position());
            some.clear();
        }
    }

    /** Of which not all are looked through. */
    @Test
    void shouldFindTheDescriptor_whenTheProcessHasManyOthers() throws IOException {
        List<Integer> others = new ArrayList<>();
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            for (int i = 0; i < 700; i++) {
                others.add(SocketCalls.event());
            }
            try (SocketChannel late = SocketChannel.open(listener.getLocalAddress())) {
                assertThat(SocketDescriptors.of(late, false)).isGreaterThan(600);
            }
        } finally {
            others.forEach(SocketCalls::close);
        }
    }

    @Test
    void shouldFindTheDescriptorOfTheOneConnection_whenThereAreOthers() throws IOException {
        int of = SocketDescriptors.of(sender, true);
        int other = SocketDescriptors.of(receiver, true);
        assertThat(SocketCalls.areAllowed()).isTrue();
        assertThat(of).isNotNegative().isNotEqualTo(other);
        assertThat(other).isNotNegative();
    }

    @Test
    void shouldKnowTcpsSegments_whenTheSystemTells() throws IOException {
        Segments segments = Segments.of(device, sender, STRANGER, new ChannelIo(sender));
        assertThat(segments.bytes()).isEqualTo(segments.runBytes()).isBetween(536, 65_535);
    }

    @Test
    void shouldAskTheSystem_whenTcpsSegmentsAreWanted() throws IOException {
        SegmentEnds ends = Objects.requireNonNull(SegmentEnds.of(sender, -1));
        assertThat(ends.segmentBytes()).isBetween(536, 65_535);
    }

    @Test
    void shouldHaveNoRuns_whenPeerTakesLongerFpdus() throws IOException {
        Agreement known = new Agreement(true, true, false, false, Set.of(), 4, 4, 64_768, false);
        assertThat(Segments.of(device, sender, known, new ChannelIo(sender)).runBytes())
                .isZero();
    }

    @Test
    void shouldHaveNoRuns_whenPeerIsLikeUs() throws IOException {
        Agreement like = new Agreement(true, true, false, false, Set.of(), 4, 4, 0, true);
        assertThat(Segments.of(device, sender, like, new ChannelIo(sender)).runBytes())
                .isZero();
    }

    @Test
    void shouldHaveNoRuns_whenThereAreNoCrcs() throws IOException {
        Agreement unchecked = new Agreement(true, false, false, false, Set.of(), 4, 4, 0, false);
        assertThat(Segments.of(device, sender, unchecked, new ChannelIo(sender)).runBytes())
                .isZero();
    }

    @Test
    void shouldRefuse_whenConnectionIsClosed() throws IOException {
        Segments segments = Segments.of(device, sender, STRANGER, new ChannelIo(sender));
        TransmitBatch batch = new TransmitBatch();
        batch.append(new byte[8]);
        sender.close();
        assertThatThrownBy(() -> segments.write(batch)).isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void shouldFail_whenPeerIsGone() throws IOException {
        Segments segments = Segments.of(device, sender, STRANGER, new ChannelIo(sender));
        receiver.setOption(StandardSocketOptions.SO_LINGER, 0);
        receiver.close();
        TransmitBatch batch = new TransmitBatch();
        batch.append(new byte[8]);
        assertThatThrownBy(() -> segments.write(batch))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("sendmmsg failed");
    }
}
