package dev.retier.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NullAway.Init") // set by connect
@Tag("native-access")
class WaiterSocketsTest {
    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final CompletionChannel channel = new CompletionChannel();
    private final WaiterSockets sockets = channel.sockets();
    private LonePair lone;

    @BeforeEach
    void connect() throws Exception {
        lone = new LonePair("waiter-sockets-test");
    }

    @AfterEach
    void close() throws IOException {
        lone.close();
    }

    /** The loop sends nothing of a socket that it has left to somebody. */
    @Test
    void shouldWaitForSpaceToo_whenTcpHasNotTakenAll() throws Exception {
        int descriptor = lone.descriptor();
        lone.leaveToPoller();
        lone.postMuch();
        FutureTask<Integer> reading = new FutureTask<>(lone::readMuch);
        Thread.ofPlatform().daemon().start(reading);
        while (!reading.isDone()) {
            if (!sockets.areAny()) { // they go back where no bytes come
                sockets.adopt(lone.pair, descriptor);
            }
            sockets.serve(WAIT_NANOS);
        }
        assertThat(reading.get()).isEqualTo(LonePair.MUCH_BYTES);
    }

    /** It may have no processor; here it waits for what is no socket of the pair's. */
    @Test
    void shouldGoBack_whenItHasBytesThatTheWaiterDoesNotRead() throws Exception {
        int silent = SocketCalls.event();
        try {
            lone.leaveToWaiter(channel);
            assertThat(channel.await(0)).isTrue();
            sockets.adopt(lone.pair, silent);
            FutureTask<Boolean> waiting = new FutureTask<>(() -> channel.await(-1));
            Thread.ofPlatform().daemon().start(waiting);
            while (!channel.isServing() && sockets.areAny()) {
                Thread.onSpinWait(); // soon: after 20 ms without a byte it would go back all the same
            }
            lone.sendByte();
            assertThat(lone.pair.unpark(true)).isTrue();
            channel.close();
            assertThat(waiting.get()).isFalse();
        } finally {
            SocketCalls.close(silent);
        }
    }

    /** Its number may be somebody else's by then. */
    @Test
    void shouldForgetTheSocket_whenItIsClosed() throws Exception {
        lone.leaveToWaiter(channel);
        sockets.adopt(lone.pair, lone.descriptor());
        assertThat(sockets.holds(lone.pair.polls())).isTrue();
        lone.onLoop(() -> lone.pair.abort("test"));
        assertThat(sockets.areAny()).isFalse();
    }
}
