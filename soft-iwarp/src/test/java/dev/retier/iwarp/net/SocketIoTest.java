package dev.retier.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Both ways to read and write a socket. */
@SuppressWarnings("NullAway.Init") // set by connect
@Tag("native-access")
class SocketIoTest {
    private LoopbackSockets sockets;
    private SocketChannel one;
    private SocketChannel other;

    enum Way {
        CHANNEL {
            @Override
            SocketIo of(SocketChannel channel) {
                return new ChannelIo(channel);
            }
        },
        NATIVE {
            @Override
            SocketIo of(SocketChannel channel) throws IOException {
                SocketIo io = SocketIo.of(channel);
                assertThat(io).as("native access is allowed").isInstanceOf(NativeIo.class);
                return io;
            }
        };

        abstract SocketIo of(SocketChannel channel) throws IOException;
    }

    @BeforeEach
    void connect() throws IOException {
        sockets = LoopbackSockets.connected();
        one = sockets.one();
        other = sockets.other();
    }

    @AfterEach
    void close() throws IOException {
        sockets.close();
    }

    private static ByteBuffer[] pieces(SplittableRandom random, int count, int most) {
        ByteBuffer[] pieces = new ByteBuffer[count];
        for (int i = 0; i < count; i++) {
            byte[] bytes = new byte[random.nextInt(most + 1)];
            random.nextBytes(bytes);
            pieces[i] = ByteBuffer.allocateDirect(bytes.length + 3)
                    .position(3)
                    .put(bytes)
                    .flip()
                    .position(3);
        }
        return pieces;
    }

    private static List<Byte> bytes(ByteBuffer... buffers) {
        List<Byte> all = new ArrayList<>();
        for (ByteBuffer buffer : buffers) {
            ByteBuffer left = buffer.duplicate();
            while (left.hasRemaining()) {
                all.add(left.get());
            }
        }
        return all;
    }

    /** Of any number of pieces, more than one call takes, and with little room at the other end. */
    @ParameterizedTest
    @EnumSource
    void shouldMoveAllBytesInOrder_whateverTheirPieces(Way way) throws IOException {
        SplittableRandom random = new SplittableRandom(7);
        one.setOption(StandardSocketOptions.SO_SNDBUF, 4096);
        SocketIo from = way.of(one);
        SocketIo to = way.of(other);
        for (int count : new int[] {1, 2, 63, 64, 65, 300}) {
            ByteBuffer[] pieces = pieces(random, count, 900);
            List<Byte> expected = bytes(pieces);
            List<Byte> found = new ArrayList<>();
            int first = 0;
            while (found.size() < expected.size()) {
                while (first < count && !pieces[first].hasRemaining()) {
                    first++;
                }
                if (first < count) {
                    from.write(pieces, first, count - first);
                }
                ByteBuffer[] spaces = {
                    ByteBuffer.allocateDirect(1 + random.nextInt(3000)),
                    ByteBuffer.allocateDirect(1 + random.nextInt(900))
                };
                int spaceCount = 1 + random.nextInt(2);
                int came = to.read(spaces, spaceCount);
                ByteBuffer second = spaceCount == 1 ? spaces[0].duplicate().flip() : spaces[1].flip();
                List<Byte> read = spaceCount == 1 ? bytes(second) : bytes(spaces[0].flip(), second);
                assertThat(read).hasSize(came);
                found.addAll(read);
            }
            assertThat(found).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldTellNothingFromTheEnd_andLeaveTheSpacesAlone(Way way) throws IOException {
        SocketIo to = way.of(other);
        ByteBuffer[] spaces = {ByteBuffer.allocateDirect(8), ByteBuffer.allocateDirect(8)};
        assertThat(to.read(spaces, 1)).as("nothing has come").isZero();
        assertThat(to.read(spaces, 2)).isZero();
        ByteBuffer[] full = {ByteBuffer.allocateDirect(0)};
        one.write(ByteBuffer.wrap(new byte[] {1}));
        assertThat(to.read(full, 1)).as("no room").isZero();
        one.shutdownOutput();
        int came;
        do {
            came = to.read(spaces, 1);
        } while (came == 0);
        assertThat(came).isEqualTo(1);
        do {
            came = to.read(spaces, 1);
        } while (came == 0);
        assertThat(came).as("the end").isEqualTo(-1);
        assertThat(to.read(spaces, 2)).isEqualTo(-1);
        assertThat(spaces[0].position()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void shouldTakeNoMore_whenNobodyReads(Way way) throws IOException {
        SocketIo from = way.of(one);
        ByteBuffer[] much = {ByteBuffer.allocateDirect(32 << 20)};
        from.write(much, 0, 1);
        assertThat(much[0].position()).isBetween(1, much[0].capacity() - 1);
        int before;
        do {
            before = much[0].position();
            from.write(much, 0, 1);
        } while (much[0].position() > before);
        assertThat(much[0].hasRemaining()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void shouldFail_whenThePeerHasResetTheConnection(Way way) throws IOException {
        SocketIo from = way.of(one);
        other.setOption(StandardSocketOptions.SO_LINGER, 0);
        other.close();
        ByteBuffer[] piece = {ByteBuffer.allocateDirect(1)};
        assertThatThrownBy(() -> {
                    while (true) {
                        from.write(new ByteBuffer[] {piece[0].clear()}, 0, 1);
                    }
                })
                .isInstanceOf(IOException.class)
                .hasMessageMatching(".*(Broken pipe|Connection reset).*");
    }

    /** Its number may be somebody else's by then. */
    @ParameterizedTest
    @EnumSource
    void shouldTouchNothing_whenItWasClosed(Way way) throws IOException {
        SocketIo io = way.of(one);
        one.close();
        ByteBuffer[] piece = {ByteBuffer.allocateDirect(1)};
        assertThatThrownBy(() -> io.write(piece, 0, 1)).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> io.read(piece, 1)).isInstanceOf(ClosedChannelException.class);
    }

    private static ByteBuffer closed() {
        try (Arena arena = Arena.ofShared()) {
            return arena.allocate(8).asByteBuffer();
        }
    }

    /** It may be anybody's by then. */
    @ParameterizedTest
    @EnumSource
    void shouldTouchNothing_whenTheMemoryWasClosed(Way way) throws IOException {
        SocketIo io = way.of(one);
        ByteBuffer open = ByteBuffer.allocateDirect(8);
        for (ByteBuffer[] buffers : new ByteBuffer[][] {{closed()}, {closed(), open}, {open, closed()}}) {
            assertThatThrownBy(() -> io.write(buffers, 0, buffers.length)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> io.read(buffers, buffers.length)).isInstanceOf(IllegalStateException.class);
        }
        assertThat(other.read(ByteBuffer.allocate(1))).as("nothing was sent").isZero();
    }

    /** The system wants an address. */
    @ParameterizedTest
    @EnumSource
    void shouldRefuseBuffersOnTheHeap_unlessJavaCopiesThem(Way way) throws IOException {
        SocketIo io = way.of(one);
        ByteBuffer heap = ByteBuffer.allocate(8);
        ByteBuffer direct = ByteBuffer.allocateDirect(8);
        for (ByteBuffer[] buffers : new ByteBuffer[][] {{heap}, {heap, direct}, {direct, heap}}) {
            List<ThrowingCallable> calls =
                    List.of(() -> io.write(buffers, 0, buffers.length), () -> io.read(buffers, buffers.length));
            for (ThrowingCallable call : calls) {
                heap.clear();
                direct.clear();
                if (way == Way.NATIVE) {
                    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class);
                } else {
                    assertThatCode(call).doesNotThrowAnyException();
                }
            }
        }
    }
}
