package dev.retier.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.retier.iwarp.memory.Access;
import dev.retier.iwarp.memory.MemoryRegion;
import dev.retier.iwarp.memory.StagTable;
import dev.retier.iwarp.memory.StreamIdentity;
import dev.retier.iwarp.mpa.Agreement;
import dev.retier.iwarp.mpa.Fpdu;
import dev.retier.iwarp.mpa.FpduDecoder;
import dev.retier.iwarp.rdmap.SendWork;
import dev.retier.iwarp.rdmap.StreamConfig;
import dev.retier.iwarp.rdmap.StreamEngine;
import dev.retier.iwarp.rdmap.WorkOpcode;
import dev.retier.iwarp.wire.RdmapOpcode;
import dev.retier.iwarp.wire.Segment;
import dev.retier.iwarp.wire.TaggedHeader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StreamSocketTest {
    private static final int READS = 8;
    private static final int SOCKET_BUFFER = 1 << 20;
    private static final int LITTLE_BUFFER = 16 * 1024;
    private static final int MUCH = 32 << 20;
    private static final int DOMAIN = 1;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Agreement CHECKED = new Agreement(false, true, false, false, Set.of(), 4, 4, 0, false);
    private static final Agreement UNCHECKED = new Agreement(true, false, false, false, Set.of(), 4, 4, 64_768, false);

    private static StreamEngine engine(StagTable table, Agreement agreement, int mulpdu) {
        StreamConfig config = new StreamConfig(new StreamIdentity(1, DOMAIN), 4, 4, 4);
        StreamEngine engine = new StreamEngine(config, table, _ -> true, _ -> true);
        engine.start(agreement, mulpdu);
        return engine;
    }

    private static StreamSocket socket(SocketChannel channel, Selector selector, StreamEngine engine)
            throws IOException {
        SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
        return new StreamSocket(channel, SocketIo.of(channel), key, engine, Segments.any(channel, 1448));
    }

    private static MemoryRegion register(StagTable table, int rights, int bytes) {
        ByteBuffer memory = ByteBuffer.allocateDirect(bytes);
        return Objects.requireNonNull(table.register(MemoryRegion.Grant.toDomain(DOMAIN, rights), memory));
    }

    private static StagTable table() {
        return new StagTable(new SplittableRandom(1), 4);
    }

    /** It would wait for ever for somebody who uses the memory and never ends. */
    private static void assertThatItCanGo(MemoryRegion region, StagTable table) throws InterruptedException {
        Thread thread = Thread.ofPlatform().daemon().start(() -> table.deregister(region));
        assertThat(thread.join(PATIENCE)).as("the memory is not in use").isTrue();
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
                StreamSocket socket = socket(receiver, selector, engine(table(), CHECKED, 1442));
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

    /** TCP has a part of an FPDU, whose rest is gone with the memory. */
    @Test
    void shouldFail_whenMemoryIsDeregisteredWhileItIsSent() throws Exception {
        StagTable table = table();
        MemoryRegion region = register(table, 0, MUCH);
        StreamEngine engine = engine(table, UNCHECKED, 64_768);
        SendWork work = Objects.requireNonNull(engine.sends().claim());
        work.opcode = WorkOpcode.WRITE;
        work.scatter().add(region.address(), MUCH, region.stag());
        engine.sends().commit();
        try (LoopbackSockets sockets = LoopbackSockets.connected();
                Selector selector = Selector.open()) {
            sockets.one().setOption(StandardSocketOptions.SO_SNDBUF, LITTLE_BUFFER);
            StreamSocket socket = socket(sockets.one(), selector, engine);
            socket.transmit(false);
            assertThat(socket.drained()).as("nobody reads").isFalse();
            assertThatItCanGo(region, table);
            assertThatThrownBy(() -> socket.transmit(false))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("deregistered while it was being sent");
        }
    }

    /** The rest of a long Write would have gone from TCP into the memory. */
    @Test
    void shouldLetGoOfTheMemory_whenReadingIntoItFails() throws Exception {
        StagTable table = table();
        MemoryRegion region = register(table, Access.LOCAL_WRITE | Access.REMOTE_WRITE, 50_000);
        ByteBuffer begun = ByteBuffer.allocate(1_016).putShort((short) (TaggedHeader.LENGTH + 50_000));
        new Segment()
                .tagged(RdmapOpcode.WRITE, region.stag(), region.address(), true)
                .emit(begun, Fpdu.LENGTH_BYTES);
        try (LoopbackSockets sockets = LoopbackSockets.connected();
                Selector selector = Selector.open()) {
            StreamSocket socket = socket(sockets.one(), selector, engine(table, UNCHECKED, 64_768));
            assertThat(sockets.other().write(begun.rewind())).isEqualTo(begun.capacity());
            AtomicInteger came = new AtomicInteger();
            await().atMost(PATIENCE).until(() -> came.addAndGet(socket.receive()) == begun.capacity());
            sockets.other().setOption(StandardSocketOptions.SO_LINGER, 0);
            sockets.other().close();
            assertThatThrownBy(() -> await().atMost(PATIENCE).until(() -> socket.receive() < 0))
                    .isInstanceOf(IOException.class);
            assertThatItCanGo(region, table);
        }
    }
}
