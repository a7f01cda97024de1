package dev.retier.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.iwarp.mpa.LargeFpdus;
import dev.retier.iwarp.mpa.MpaFrame;
import dev.retier.iwarp.mpa.MpaInitiator;
import dev.retier.iwarp.mpa.RtrKind;
import dev.retier.iwarp.mpa.StartupPolicy;
import dev.retier.iwarp.rdmap.SendWork;
import dev.retier.iwarp.rdmap.WorkOpcode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A responder that has posted a Send, and an initiator, a bare socket, that says nothing after its Request. */
@SuppressWarnings("NullAway.Init") // set by post
class ResponderHoldTest {
    private static final StartupPolicy REVISION_1 = StartupPolicy.standard(4, 4).unenhanced();
    /** Revision 2 without A, as Linux siw. */
    private static final StartupPolicy ONE_WAY =
            new StartupPolicy(2, true, false, false, Set.of(RtrKind.WRITE), 4, 4, LargeFpdus.NEVER);

    private static final int SILENCE_MILLIS = 200;
    private static final int PATIENCE_MILLIS = 20_000;

    private ProgressLoop loop;
    private Device device;
    private SocketQueuePair pair;
    private Socket initiator;
    private final LinkedBlockingQueue<String> ended = new LinkedBlockingQueue<>();

    @BeforeEach
    void open() throws IOException {
        loop = new ProgressLoop("hold-test");
    }

    @AfterEach
    void close() throws IOException {
        initiator.close();
        loop.close();
    }

    private void post(Duration hold, StartupPolicy initiating) throws Exception {
        device = new Device(DeviceConfig.defaults().withResponderHold(hold), loop);
        CompletionQueue queue = device.newCompletionQueue(8, null);
        SocketQueuePair.Sizes sizes = new SocketQueuePair.Sizes(1, 4, 4, 4);
        CountDownLatch operates = new CountDownLatch(initiating.peerToPeer() ? 0 : 1);
        pair = new SocketQueuePair(device, sizes, queue, queue, new QueuePairListener() {
            @Override
            public void established() {
                operates.countDown();
            }

            @Override
            public void disconnected(String why) {
                ended.add(why);
            }
        });
        LinkedBlockingQueue<Responding> requests = new LinkedBlockingQueue<>();
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Listening listening = Listening.open(device, any, new Listening.Terms(5, null), requests::add)) {
            initiator =
                    new Socket(listening.local().getAddress(), listening.local().getPort());
            initiator.setSoTimeout(PATIENCE_MILLIS);
            initiator.getOutputStream().write(new MpaInitiator(initiating).request(new byte[0]));
            Responding request = requests.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            Objects.requireNonNull(request, "no request came").accept(pair, new byte[0]);
        }
        byte[] head = initiator.getInputStream().readNBytes(MpaFrame.HEADER_LENGTH);
        int more = MpaFrame.lengthOf(ByteBuffer.wrap(head)) - head.length;
        assertThat(initiator.getInputStream().readNBytes(more)).hasSize(more);
        assertThat(operates.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
        pair.post(engine -> {
            SendWork work = Objects.requireNonNull(engine.sends().claim());
            work.opcode = WorkOpcode.SEND;
            work.inline(new byte[] {42}, 1);
            engine.sends().commit();
        });
    }

    private static Stream<StartupPolicy> whoPromisesNothing() {
        return Stream.of(REVISION_1, ONE_WAY);
    }

    /** RFC 5044 section 7.1.2. */
    @ParameterizedTest
    @MethodSource("whoPromisesNothing")
    void shouldKeepBack_whileTheHoldLasts(StartupPolicy initiating) throws Exception {
        post(Duration.ofDays(1), initiating);
        assertThatNothingComes();
    }

    @ParameterizedTest
    @MethodSource("whoPromisesNothing")
    void shouldSendAndSayIt_onceTheHoldIsOver(StartupPolicy initiating) throws Exception {
        post(Duration.ofMillis(SILENCE_MILLIS), initiating);
        assertThat(initiator.getInputStream().readNBytes(2)).hasSize(2);
        assertThat(device.isFirstHold()).as("nothing was told").isFalse();
    }

    @ParameterizedTest
    @MethodSource("whoPromisesNothing")
    void shouldSendAtOnce_whenThereIsNoHold(StartupPolicy initiating) throws Exception {
        post(Duration.ZERO, initiating);
        assertThat(initiator.getInputStream().readNBytes(2)).hasSize(2);
        assertThat(device.isFirstHold()).as("nothing was told").isTrue();
    }

    /** RFC 6581 section 9: it will say that it is ready. */
    @Test
    void shouldKeepBack_whenAFirstMessageIsPromised() throws Exception {
        post(Duration.ZERO, StartupPolicy.standard(4, 4));
        assertThatNothingComes();
    }

    @Test
    void shouldForgetIt_whenTheInitiatorHangsUp() throws Exception {
        post(Duration.ofMillis(SILENCE_MILLIS), REVISION_1);
        initiator.close();
        assertThat(ended.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isNotNull();

        CountDownLatch later = new CountDownLatch(1);
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2 * SILENCE_MILLIS);
        loop.execute(() -> loop.watch(new Timed() {
            @Override
            public long deadlineNanos() {
                return deadlineNanos;
            }

            @Override
            public void expired() {
                later.countDown();
            }
        }));
        assertThat(later.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
        assertThat(device.isFirstHold()).as("nothing was told").isTrue();
    }

    private void assertThatNothingComes() throws IOException {
        initiator.setSoTimeout(SILENCE_MILLIS);
        assertThatThrownBy(() -> initiator.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
    }
}
