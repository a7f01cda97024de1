package dev.retier.iwarp.net;

import static dev.retier.testsupport.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.iwarp.mpa.MpaInitiator;
import dev.retier.iwarp.mpa.StartupPolicy;
import dev.retier.testsupport.Logged;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A listener that cannot accept rests, says so once, and comes back by itself. */
class AcceptTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final ProgressLoop loop = newLoop();
    private final LinkedBlockingQueue<Responding> requests = new LinkedBlockingQueue<>();
    private final AtomicInteger tries = new AtomicInteger();

    private static ProgressLoop newLoop() {
        try {
            return new ProgressLoop("accept-test");
        } catch (IwarpException e) {
            throw new IllegalStateException(e);
        }
    }

    private final List<Socket> opened = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (Socket socket : opened) {
            socket.close();
        }
        loop.close();
    }

    /** Connects and asks; returns how long it took until the request was there. */
    private Duration ask(Listening.Acceptor acceptor) throws Exception {
        Device device = new Device(DeviceConfig.defaults(), loop);
        try (Listening listening =
                        Listening.open(device, ANY_PORT, new Listening.Terms(5, null), requests::add, acceptor);
                Socket socket = new Socket(
                        listening.local().getAddress(), listening.local().getPort())) {
            long start = System.nanoTime();
            socket.getOutputStream().write(new MpaInitiator(StartupPolicy.standard(4, 4)).request(new byte[0]));
            assertThat(requests.poll(20, TimeUnit.SECONDS)).isNotNull();
            return Duration.ofNanos(System.nanoTime() - start);
        }
    }

    @Test
    void shouldRestAndTellOnce_whenThereIsNoDescriptor() throws Exception {
        try (Logged log = new Logged()) {
            Duration took = ask(from -> {
                if (tries.incrementAndGet() <= 2) {
                    throw new IOException("Too many open files");
                }
                return from.accept();
            });
            assertThat(took).as("250 and 500 ms of rest").isGreaterThan(Duration.ofMillis(600));
            assertThat(log.warnings("Too many open files")).hasSize(1);
        }
    }

    @Test
    void shouldHaveFreedItsPort_whenItIsClosed() throws IwarpException {
        Device device = new Device(DeviceConfig.defaults(), loop);
        InetSocketAddress address = ANY_PORT;
        for (int i = 0; i < 100; i++) {
            try (Listening listening = Listening.open(device, address, new Listening.Terms(5, null), requests::add)) {
                loop.awaitSelection(); // the selector knows it
                address = listening.local();
            }
        }
    }

    /** Silent connections hold descriptors: they make room before anybody has to wait. */
    @Test
    void shouldHangUpOnTheSilent_whenThereIsNoDescriptor() throws Exception {
        Device device = new Device(DeviceConfig.defaults(), loop);
        int room = 3;
        Listening.Acceptor full = from -> {
            if (device.connections() >= room) {
                throw new IOException("Too many open files");
            }
            return from.accept();
        };
        try (Listening listening = Listening.open(device, ANY_PORT, new Listening.Terms(5, null), requests::add, full);
                Socket oldest = connect(listening)) {
            connect(listening);
            connect(listening);
            try (Socket honest = connect(listening)) {
                honest.getOutputStream().write(new MpaInitiator(StartupPolicy.standard(4, 4)).request(new byte[0]));
                assertThat(requests.poll(20, TimeUnit.SECONDS)).isNotNull();
                assertThat(oldest.getInputStream().read()).isEqualTo(-1);
            }
        }
    }

    /** Requests that wait for a decision hold descriptors: once one is decided, nobody waits for a rest to end. */
    @Test
    void shouldAcceptAgainAtOnce_whenARequestIsDecided() throws Exception {
        Device device = new Device(DeviceConfig.defaults(), loop);
        Listening.Acceptor full = from -> {
            if (device.connections() >= 1) {
                tries.incrementAndGet();
                throw new IOException("Too many open files");
            }
            return from.accept();
        };
        byte[] request = new MpaInitiator(StartupPolicy.standard(4, 4)).request(new byte[0]);
        try (Listening listening =
                Listening.open(device, ANY_PORT, new Listening.Terms(5, null), requests::add, full)) {
            connect(listening).getOutputStream().write(request);
            Responding first = requests.poll(20, TimeUnit.SECONDS);
            assertThat(first).isNotNull();
            connect(listening).getOutputStream().write(request);
            await().until(() -> tries.get() >= 4); // it rests for two seconds now
            first.reject(new byte[0]);
            assertThat(requests.poll(1, TimeUnit.SECONDS)).isNotNull();
        }
    }

    private Socket connect(Listening listening) throws IOException {
        Socket socket =
                new Socket(listening.local().getAddress(), listening.local().getPort());
        socket.setSoTimeout(20_000);
        opened.add(socket);
        return socket;
    }

    @Test
    void shouldListenOn_whenAcceptingFindsNoMemory() throws Exception {
        ask(from -> failOnce(from, new OutOfMemoryError("test")));
        assertThat(tries.get()).isGreaterThan(1);
    }

    @Test
    void shouldListenOn_whenAcceptingFailsUnexpectedly() throws Exception {
        ask(from -> failOnce(from, new IllegalStateException("test")));
        assertThat(tries.get()).isGreaterThan(1);
    }

    /** What the listener's owner does with a request may fail; the next request is none the worse. */
    @Test
    void shouldListenOn_whenItsOwnerFails() throws Exception {
        Device device = new Device(DeviceConfig.defaults(), loop);
        AcceptListener failing = request -> {
            if (tries.getAndIncrement() == 0) {
                throw new NoClassDefFoundError("no descriptor to load it by");
            }
            return requests.add(request);
        };
        try (Listening listening = Listening.open(device, ANY_PORT, new Listening.Terms(1, null), failing)) {
            byte[] request = new MpaInitiator(StartupPolicy.standard(4, 4)).request(new byte[0]);
            Socket first = connect(listening);
            first.getOutputStream().write(request);
            assertThat(first.getInputStream().read()).isEqualTo(-1);
            connect(listening).getOutputStream().write(request);
            assertThat(requests.poll(20, TimeUnit.SECONDS)).isNotNull();
        }
    }

    private @Nullable SocketChannel failOnce(ServerSocketChannel from, Throwable failure) throws IOException {
        if (tries.getAndIncrement() > 0) {
            return from.accept();
        }
        if (failure instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) failure;
    }
}
