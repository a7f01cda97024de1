package dev.retier.load.drive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.load.measure.FailureKind;
import dev.retier.load.measure.Totals;
import dev.retier.load.measure.Work;
import dev.retier.load.report.EndReason;
import dev.retier.load.report.LoadResult;
import dev.retier.load.schedule.Pacing;
import dev.retier.load.target.TargetList;
import dev.retier.load.target.source.TargetSource;
import dev.retier.traces.EventStream;
import dev.retier.traces.ReadReport;
import dev.retier.traces.Trace;
import dev.retier.traces.TraceEvent;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a mistake in the generator itself costs: no client, no count, no silence. */
@Timeout(30)
class FaultTest {
    private static final Trace HUNDRED = GeneratedTrace.mixed(100, 0.5, Catalogue.DEFAULT, 1);

    /** Hands out another source's requests; each third call throws, each fifth breaks the client in mid-request. */
    private static final class Faulty implements WorkSource {
        private final WorkSource real;
        private final EventLoop loop;
        private int calls;

        Faulty(WorkSource real, EventLoop loop) {
            this.real = real;
            this.loop = loop;
        }

        @Override
        public void start() {
            real.start();
        }

        @Override
        public @Nullable Work take(Client client, long nowNanos) {
            if (++calls % 3 == 0) {
                throw new IllegalStateException("made by the test");
            }
            Work work = real.take(client, nowNanos);
            if (work != null && calls % 5 == 0) {
                loop.execute(() -> client.recover(new IllegalStateException("in mid-request")));
            }
            return work;
        }

        @Override
        public boolean isOver() {
            return real.isOver();
        }

        @Override
        public void end(long nowNanos) {
            real.end(nowNanos);
        }
    }

    /** A trace of one stream; each pass is the same object. */
    private record Broken(EventStream stream) implements Trace {
        @Override
        public String name() {
            return "broken";
        }

        @Override
        public EventStream open() {
            return stream;
        }

        @Override
        public OptionalLong eventCount() {
            return OptionalLong.empty();
        }
    }

    @Test
    void shouldLoseNoClientAndNoCount_whenAClientsCallbackThrows() throws InterruptedException {
        try (TestServer server = TestServer.start()) {
            LoadPlan plan = LoadPlan.of("shop", HUNDRED, TargetSource.fixed(List.of(server.target())))
                    .withClients(3)
                    .build();
            TargetDesk desk = new TargetDesk(plan);
            desk.offer(new TargetList(1, "shop", List.of(server.target())));
            EventFeed feed = new EventFeed(HUNDRED.open(), 0);
            Faults faults = new Faults();
            RunContext context = new RunContext(
                    plan,
                    feed,
                    desk,
                    new SessionDesk(feed, 3),
                    new LoopCpu(),
                    faults,
                    new FirstCauses(),
                    TlsContext.of(TlsOptions.CHECKED, 1000),
                    null,
                    System.nanoTime());
            CountDownLatch done = new CountDownLatch(1);
            try (MultiThreadIoEventLoopGroup group = Transport.best().newGroup(1)) {
                LoopDriver driver = new LoopDriver(
                        context,
                        group.next(),
                        Transport.best(),
                        (of, loop, meter) -> new Faulty(WorkSource.of(of, loop, meter), loop),
                        done::countDown);
                driver.start(0, 1, 3);

                assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
                Totals totals = driver.meter().totals();
                assertThat(totals.sent()).isEqualTo(100);
                assertThat(totals.inFlight()).isZero();
                assertThat(totals.failures()).containsOnlyKeys(FailureKind.GENERATOR);
                assertThat(totals.failed()).isPositive();
                assertThat(totals.answered()).isEqualTo(100 - totals.failed());
                assertThat(faults.count()).isGreaterThan(totals.failed() + 30);
                assertThat(faults.first()).contains("made by the test");
            }
        }
    }

    @Test
    void shouldEndWithAReason_whenTheTracesReaderThrows() throws InterruptedException {
        try (TestServer server = TestServer.start()) {
            for (Pacing pacing : List.of(Pacing.CLOSED, new Pacing.Sessions(0), Pacing.Rates.constant(10_000))) {
                LoadPlan plan = LoadPlan.of("shop", breaksAfter(50), TargetSource.fixed(List.of(server.target())))
                        .withPacing(pacing)
                        .build();

                LoadResult result = LoadRun.start(plan).await();

                assertThat(result.end()).isEqualTo(EndReason.TRACE_UNREADABLE);
                assertThat(result.problem()).contains("made by the test").contains("please report");
                assertThat(result.totals().answered()).isEqualTo(50);
            }
        }
    }

    @Test
    void shouldEndWithoutAResult_whenNoneCanBeMade() throws InterruptedException {
        try (TestServer server = TestServer.start()) {
            LoadPlan plan = LoadPlan.of("shop", badReport(), TargetSource.fixed(List.of(server.target())))
                    .build();
            LoadRun run = LoadRun.start(plan);

            assertThatThrownBy(run::await)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("made by the test");
        }
    }

    @Test
    void shouldTellTheOwner_whenAHandlerThrows() {
        List<Throwable> told = new ArrayList<>();
        IllegalStateException mistake = new IllegalStateException("made by the test");
        EmbeddedChannel channel = new EmbeddedChannel(new ConnectionHandler(
                new ConnectionHandler.Owner() {
                    @Override
                    public void received(Channel from, ByteBuf in) {
                        throw mistake;
                    }

                    @Override
                    public void closed(Channel from, @Nullable FailureKind why) {
                        throw mistake;
                    }

                    @Override
                    public void broke(Channel from, Throwable fault) {
                        told.add(fault);
                    }
                },
                new FirstCauses()));
        ByteBuf bytes = Unpooled.buffer().writeByte(1);

        channel.writeInbound(bytes);
        channel.pipeline().fireExceptionCaught(mistake);
        channel.pipeline().fireExceptionCaught(new DecoderException("bad TLS record"));

        assertThat(told).containsExactly(mistake, mistake, mistake);
        assertThat(bytes.refCnt()).isZero();
        assertThat(channel.isOpen()).isFalse();
    }

    private static Trace breaksAfter(int events) {
        return new Broken(new EventStream() {
            private final EventStream good = HUNDRED.open();
            private int handedOut;

            @Override
            public @Nullable TraceEvent next() {
                if (handedOut++ == events) {
                    throw new IllegalStateException("made by the test");
                }
                return good.next();
            }

            @Override
            public ReadReport report() {
                return good.report();
            }

            @Override
            public void close() {
                good.close();
            }
        });
    }

    private static Trace badReport() {
        return new Broken(new EventStream() {
            private final EventStream good = HUNDRED.open();

            @Override
            public @Nullable TraceEvent next() {
                return good.next();
            }

            @Override
            public ReadReport report() {
                throw new IllegalStateException("made by the test");
            }

            @Override
            public void close() {
                good.close();
            }
        });
    }
}
