package dev.retier.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.iwarp.rdmap.SendWork;
import dev.retier.iwarp.rdmap.WorkOpcode;
import dev.retier.verbs.TlsKeys;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two ends that wait for each other's messages, by the progress loop and by their own reads of the socket. */
@SuppressWarnings("NullAway.Init") // set by connect
class WaitingTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int PATIENCE_MILLIS = 20_000;
    /** More than the wake-ups after which the loop leaves a socket to who waits. */
    private static final int MANY = 200;

    private static final int QUEUE = 256;

    private volatile boolean isFailing;
    private ProgressLoop loop;
    private Device device;
    private End one;
    private End other;

    private final class Failing implements Tap {
        @Override
        public void sent(ByteBuffer bytes) {}

        @Override
        public void received(ByteBuffer bytes) {
            if (isFailing) {
                throw new IllegalStateException("test");
            }
        }

        @Override
        public void closed() {}
    }

    /** A queue pair, whose receives are notified of. */
    private static final class End implements QueuePairListener, ConnectListener {
        final CountDownLatch established = new CountDownLatch(1);
        final CountDownLatch disconnected = new CountDownLatch(1);
        final CompletionChannel channel = new CompletionChannel();
        final CompletionQueue sends;
        final CompletionQueue receives;
        final SocketQueuePair pair;

        End(Device device) {
            sends = device.newCompletionQueue(QUEUE, null);
            receives = device.newCompletionQueue(QUEUE, channel);
            pair = new SocketQueuePair(device, new SocketQueuePair.Sizes(1, QUEUE, QUEUE, 1), sends, receives, this);
        }

        void expect(int messages) throws IwarpException {
            pair.post(engine -> {
                for (int i = 0; i < messages; i++) {
                    Objects.requireNonNull(engine.receives().claim());
                    engine.receives().commit();
                }
            });
        }

        /** A message without a byte. */
        void send() throws IwarpException {
            sends.poll(QUEUE, (_, _) -> {});
            pair.post(engine -> {
                SendWork work = Objects.requireNonNull(engine.sends().claim());
                work.opcode = WorkOpcode.SEND;
                work.inline(new byte[0], 0);
                engine.sends().commit();
            });
        }

        int taken() {
            return receives.poll(QUEUE, (_, _) -> {});
        }

        /** As programs do: asks for the event, looks once more, waits. Returns how many there are. */
        int await() throws InterruptedException {
            int taken = taken();
            while (taken == 0) {
                receives.requestNotification(false);
                taken = taken();
                if (taken == 0) {
                    receives.spin(0);
                    assertThat(channel.await(PATIENCE_MILLIS)).as("an event").isTrue();
                    taken = taken();
                }
            }
            return taken;
        }

        @Override
        public void established() {
            established.countDown();
        }

        @Override
        public void disconnected(String why) {
            disconnected.countDown();
        }

        @Override
        public void accepted(byte[] privateData) {}

        @Override
        public void rejected(byte[] privateData) {}

        @Override
        public void failed(Failure failure, String why) {}
    }

    /** Under what the connection is; {@link TlsWaitingTest} waits under TLS. */
    @Nullable
    TlsKeys tls() {
        return null;
    }

    @BeforeEach
    void connect() throws Exception {
        loop = new ProgressLoop("waiting-test");
        device = new Device(DeviceConfig.defaults(), loop, (_, _, _) -> new Failing());
        one = new End(device);
        other = new End(device);
        LinkedBlockingQueue<Responding> requests = new LinkedBlockingQueue<>();
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Listening listening = Listening.open(device, any, new Listening.Terms(5, tls()), requests::add)) {
            Initiating.start(one.pair, new Initiating.Target(listening.local(), true, tls()), new byte[0], one);
            Responding request = requests.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            Objects.requireNonNull(request, "no request came").accept(other.pair, new byte[0]);
            for (End end : new End[] {one, other}) {
                assertThat(end.established.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
                        .isTrue();
            }
        }
    }

    @AfterEach
    void close() throws IOException {
        one.pair.destroy();
        other.pair.destroy();
        loop.close();
    }

    private void pingPong(int rounds) throws Exception {
        one.expect(rounds);
        other.expect(rounds);
        AtomicInteger answered = new AtomicInteger();
        Thread answering = Thread.ofPlatform().start(() -> {
            try {
                while (answered.get() < rounds) {
                    for (int left = other.await(); left > 0; left--) {
                        other.send();
                        answered.incrementAndGet();
                    }
                }
            } catch (IOException e) {
                throw new IllegalStateException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        for (int i = 0; i < rounds; i++) {
            one.send();
            assertThat(one.await()).isEqualTo(1);
        }
        assertThat(answering.join(PATIENCE)).isTrue();
        assertThat(answered).hasValue(rounds);
    }

    @Test
    void shouldTellOfEachMessage_whenBothEndsWait() throws Exception {
        pingPong(MANY);
    }

    @Test
    @Tag("native-access")
    void shouldReadTheSocketsThemselves_onceTheLoopOnlyWokeThem() throws Exception {
        // The machine may be so busy that messages come before anybody waits.
        await().atMost(PATIENCE).untilAsserted(() -> {
            pingPong(MANY);
            assertThat(one.channel.sockets().areAny() || other.channel.sockets().areAny())
                    .isTrue();
        });
    }

    /** Nobody polls, and nobody waits: what comes has to be taken in all the same. */
    @Test
    void shouldServeTheSocketAgain_whenNobodyWaitsAnyMore() throws Exception {
        for (int i = 0; i < 5; i++) {
            pingPong(MANY);
            other.expect(1);
            other.receives.requestNotification(false);
            one.send();
            await().atMost(PATIENCE).until(other.channel::hasPending);
            assertThat(other.await()).isEqualTo(1);
            assertThat(other.channel.await(0)).isTrue();
        }
    }

    @Test
    void shouldLoseNoEvent_whenASecondThreadWaitsToo() throws Exception {
        pingPong(MANY);
        other.expect(MANY);
        AtomicInteger taken = new AtomicInteger();
        Runnable waiting = () -> {
            try {
                while (taken.get() < MANY) {
                    other.receives.requestNotification(false);
                    int now = taken.addAndGet(other.taken());
                    if (now < MANY && other.channel.await(PATIENCE_MILLIS)) {
                        taken.addAndGet(other.taken());
                    }
                }
                other.channel.close(); // the other one may wait for what is there no more
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        Thread first = Thread.ofPlatform().start(waiting);
        Thread second = Thread.ofPlatform().start(waiting);
        for (int i = 0; i < MANY; i++) {
            one.send();
        }
        assertThat(first.join(PATIENCE)).isTrue();
        assertThat(second.join(PATIENCE)).isTrue();
        assertThat(taken).hasValue(MANY);
    }

    @Test
    void shouldEndTheWait_whenTheChannelIsClosed() throws Exception {
        pingPong(MANY);
        AtomicInteger events = new AtomicInteger(-1);
        Thread waiting = Thread.ofPlatform().start(() -> {
            try {
                events.set(other.channel.await(-1) ? 1 : 0);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        other.channel.close();
        assertThat(waiting.join(PATIENCE)).isTrue();
        assertThat(events).hasValue(0);
    }

    @Test
    void shouldSayIt_whenInterruptedInTheWait() throws Exception {
        for (int i = 0; i < 5; i++) {
            pingPong(MANY);
            CountDownLatch interrupted = new CountDownLatch(1);
            Thread waiting = Thread.ofPlatform().start(() -> {
                try {
                    other.channel.await(-1);
                } catch (InterruptedException e) {
                    interrupted.countDown();
                }
            });
            waiting.interrupt();
            assertThat(interrupted.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
                    .isTrue();
            assertThat(other.channel.sockets().areAny())
                    .as("they are the loop's again")
                    .isFalse();
        }
    }

    /** Of one whose reads fail, for example for want of memory, the connection ends, and who waits learns of it. */
    @Test
    void shouldEndTheConnection_whenReadingFails() throws Exception {
        pingPong(MANY);
        other.expect(1);
        other.receives.requestNotification(false);
        CountDownLatch told = new CountDownLatch(1);
        Thread waiting = Thread.ofPlatform().start(() -> {
            try {
                if (other.channel.await(PATIENCE_MILLIS)) {
                    told.countDown();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        isFailing = true;
        one.send();
        assertThat(other.disconnected.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
                .isTrue();
        assertThat(waiting.join(PATIENCE)).isTrue();
        assertThat(told.getCount()).as("of the receive that was flushed").isZero();
    }

    @Test
    void shouldTellThatTheConnectionEnded_whenThePeerHangsUp() throws Exception {
        pingPong(MANY);
        other.expect(1);
        Thread waiting = Thread.ofPlatform().start(() -> {
            try {
                assertThat(other.await()).as("the receive that was flushed").isEqualTo(1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        one.pair.disconnect();
        assertThat(waiting.join(PATIENCE)).isTrue();
    }
}
