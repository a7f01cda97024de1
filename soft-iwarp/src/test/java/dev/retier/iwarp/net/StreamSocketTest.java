package dev.retier.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.iwarp.memory.StagTable;
import dev.retier.iwarp.memory.StreamIdentity;
import dev.retier.iwarp.mpa.Agreement;
import dev.retier.iwarp.mpa.FpduDecoder;
import dev.retier.iwarp.rdmap.StreamConfig;
import dev.retier.iwarp.rdmap.StreamEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class StreamSocketTest {
    private static final int READS = 8;
    private static final int SOCKET_BUFFER = 1 << 20;

    private static StreamSocket socket(SocketChannel channel, SelectionKey key) throws IOException {
        Agreement agreement = new Agreement(false, true, false, false, Set.of(), 4, 4, 0, false);
        StreamConfig config = new StreamConfig(new StreamIdentity(1, 1), 4, 4, 4);
        StreamEngine engine = new StreamEngine(config, new StagTable(new SplittableRandom(1), 4), _ -> true, _ -> true);
        engine.start(agreement, 1442);
        return new StreamSocket(channel, SocketIo.of(channel), key, engine, Segments.any(channel, 1448));
    }

    /** However much a peer sends, others are served after a few reads of one stream. */
    @Test
    void shouldStopReading_whenPeerSendsWithoutEnd() throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open();
                Selector selector = Selector.open();
                SocketChannel sender = SocketChannel.open()) {
            server.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER);
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            sender.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER);
            sender.connect(server.getLocalAddress());
            try (SocketChannel receiver = server.accept()) {
                receiver.configureBlocking(false);
                StreamSocket socket = socket(receiver, receiver.register(selector, SelectionKey.OP_READ));
                sender.configureBlocking(false);
                ByteBuffer nonsense = ByteBuffer.allocate(4 * SOCKET_BUFFER); // no FPDU: it is dropped as it comes
                while (sender.write(nonsense) > 0) {
                    selector.selectNow();
                }
                int most = READS * FpduDecoder.INITIAL_CAPACITY;
                assertThat(nonsense.position())
                        .as("more than is taken in one go")
                        .isGreaterThan(most);
                assertThat(socket.receive()).isBetween(1, most);
            }
        }
    }
}
