package dev.retier.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NullAway.Init") // set by connect
@Tag("native-access")
class SocketWaitTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int LONG_MILLIS = 600_000;

    private final SocketWait wait = Objects.requireNonNull(SocketWait.open());
    private LoopbackSockets sockets;
    private SocketChannel one;
    private SocketChannel other;

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

    private static int descriptor(SocketChannel channel) throws IOException {
        return SocketDescriptors.of(channel, true);
    }

    @Test
    void shouldTellWhichSocketHasBytes_whenThereAreOthers() throws IOException {
        wait.clear();
        wait.add(descriptor(one), false);
        wait.add(descriptor(other), false);
        assertThat(wait.await(0)).as("nothing has come").isFalse();
        one.write(ByteBuffer.wrap(new byte[] {1}));
        assertThat(wait.await(LONG_MILLIS)).isTrue();
        assertThat(wait.isReady(0)).isFalse();
        assertThat(wait.isReady(1)).isTrue();
    }

    @Test
    void shouldTellOfSpace_whenThatIsWanted() throws IOException {
        wait.clear();
        wait.add(descriptor(one), true);
        assertThat(wait.await(LONG_MILLIS)).isTrue();
        ByteBuffer much = ByteBuffer.allocate(1 << 20);
        while (one.write(much.clear()) > 0) {}
        assertThat(wait.await(0)).as("full").isFalse();
        wait.clear();
        wait.add(descriptor(one), false);
        assertThat(wait.await(0)).isFalse();
    }

    @Test
    void shouldEndOnce_whenWokenBefore() {
        wait.clear();
        wait.wake();
        wait.wake();
        assertThat(wait.await(LONG_MILLIS)).isTrue();
        assertThat(wait.await(0)).isFalse();
    }

    /** At any moment: before the thread waits, as it begins to, and later. */
    @Test
    void shouldEnd_whenInterrupted() throws InterruptedException {
        for (int i = 0; i < 50; i++) {
            AtomicBoolean isInterrupted = new AtomicBoolean();
            Thread thread = Thread.ofPlatform().daemon().start(() -> {
                wait.clear();
                wait.await(LONG_MILLIS);
                isInterrupted.set(Thread.currentThread().isInterrupted());
            });
            thread.interrupt();
            assertThat(thread.join(PATIENCE)).isTrue();
            assertThat(isInterrupted).as("its state stays").isTrue();
        }
        assertThat(wait.await(0)).as("somebody else's interrupt").isFalse();
    }
}
