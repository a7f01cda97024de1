package dev.retier.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.iwarp.mpa.MpaInitiator;
import dev.retier.iwarp.mpa.StartupPolicy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One connection's failure is no other's, and a thread that dies takes its connections along. */
class ProgressLoopTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final ProgressLoop loop = newLoop();
    private final LinkedBlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<Responding> requests = new LinkedBlockingQueue<>();

    private static ProgressLoop newLoop() {
        try {
            return new ProgressLoop("loop-test");
        } catch (IwarpException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() {
        loop.close();
    }

    private final class Listener implements QueuePairListener {
        @Override
        public void established() {
            told.add("established");
        }

        @Override
        public void disconnected(String why) {
            told.add("disconnected " + why);
        }
    }

    private String told() throws InterruptedException {
        String event = told.poll(20, TimeUnit.SECONDS);
        return event == null ? "nothing" : event;
    }

    private SocketQueuePair pair(Device device) {
        CompletionQueue queue = device.newCompletionQueue(8, null);
        return new SocketQueuePair(device, new SocketQueuePair.Sizes(1, 4, 4, 4), queue, queue, new Listener());
    }

    private static Socket ask(Listening listening) throws IOException {
        Socket socket =
                new Socket(listening.local().getAddress(), listening.local().getPort());
        socket.setSoTimeout(20_000);
        StartupPolicy plain = StartupPolicy.standard(4, 4).unenhanced();
        socket.getOutputStream().write(new MpaInitiator(plain).request(new byte[0]));
        return socket;
    }

    private Responding request() throws InterruptedException {
        Responding request = requests.poll(20, TimeUnit.SECONDS);
        if (request == null) {
            throw new IllegalStateException("no request came");
        }
        return request;
    }

    private boolean serves() throws InterruptedException {
        CountDownLatch served = new CountDownLatch(1);
        loop.execute(served::countDown);
        return served.await(20, TimeUnit.SECONDS) && loop.isRunning();
    }

    @Test
    void shouldGoOn_whenTaskFindsNoMemory() throws Exception {
        loop.execute(() -> {
            throw new OutOfMemoryError("Cannot reserve 16384 bytes of direct buffer memory");
        });
        assertThat(serves()).isTrue();
    }

    @Test
    void shouldGoOn_whenTimerFindsNoMemory() throws Exception {
        CountDownLatch expired = new CountDownLatch(1);
        long past = System.nanoTime();
        Timed failing = new Timed() {
            @Override
            public long deadlineNanos() {
                return past;
            }

            @Override
            public void expired() {
                expired.countDown();
                throw new OutOfMemoryError("test");
            }
        };
        loop.execute(() -> loop.watch(failing));
        assertThat(expired.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(serves()).isTrue();
    }

    /** Buffers are allocated on accept, by a task: what fails there ends one connection, told to its owner. */
    @Test
    void shouldEndOneConnectionOnly_whenItsAcceptFindsNoMemory() throws Exception {
        AtomicInteger opened = new AtomicInteger();
        Device device = new Device(DeviceConfig.defaults(), loop, (_, _, _) -> {
            if (opened.getAndIncrement() == 0) {
                throw new OutOfMemoryError("Cannot reserve 16384 bytes of direct buffer memory");
            }
            return null;
        });
        try (Listening listening = Listening.open(device, ANY_PORT, new Listening.Terms(5, null), requests::add)) {
            try (Socket first = ask(listening)) {
                request().accept(pair(device), new byte[0]);
                assertThat(told()).startsWith("disconnected accepting").contains("Cannot reserve");
                assertThat(first.getInputStream().read()).isEqualTo(-1);
            }
            assertThat(device.connections()).isZero();
            try (Socket _ = ask(listening)) {
                request().accept(pair(device), new byte[0]);
                assertThat(told()).isEqualTo("established");
            }
        }
    }

    @Test
    void shouldEndEveryConnection_whenThreadDies() throws Exception {
        Device device = new Device(DeviceConfig.defaults(), loop);
        try (Listening listening = Listening.open(device, ANY_PORT, new Listening.Terms(5, null), requests::add);
                Socket socket = ask(listening)) {
            request().accept(pair(device), new byte[0]);
            assertThat(told()).isEqualTo("established");
            loop.execute(() -> {
                throw new AssertionError("what nobody thought of");
            });
            assertThat(told()).isEqualTo("disconnected the device is closed");
            assertThat(socket.getInputStream().readAllBytes()).isNotEmpty();
            assertThat(device.connections()).isZero();
            assertThat(loop.isRunning()).isFalse();
            assertThatThrownBy(() -> Listening.open(device, ANY_PORT, new Listening.Terms(5, null), requests::add))
                    .isInstanceOf(IwarpException.class)
                    .hasMessageContaining("loop-test has ended");
        }
    }
}
