package dev.retier.load.drive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.load.LoadException;
import dev.retier.load.measure.FailureKind;
import dev.retier.load.measure.Totals;
import dev.retier.load.target.Target;
import dev.retier.load.target.TargetList;
import dev.retier.load.target.source.TargetSource;
import dev.retier.traces.Trace;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Names of servers: all of their addresses are used, and one that is dead costs no request. */
@Timeout(30)
class NamesTest {
    private static final Trace SIX = GeneratedTrace.mixed(6, 0.5, Catalogue.DEFAULT, 1);

    @Test
    void shouldUseTheAddressThatWorks_whenAnotherIsDead() throws InterruptedException {
        Totals totals = run("127.0.0.2", "127.0.0.1", "127.0.0.3");

        assertThat(totals.answered()).isEqualTo(6);
        assertThat(totals.failed()).isZero();
    }

    @Test
    void shouldFail_whenAllAddressesAreDead() throws InterruptedException {
        Totals totals = run("127.0.0.2", "127.0.0.3");

        assertThat(totals.failures()).containsOnlyKeys(FailureKind.CONNECT_REFUSED);
        assertThat(totals.failures()).containsValue(6L);
    }

    @Test
    void shouldRefuseToStart_whenNobodyKnowsTheName() {
        LoadPlan plan = LoadPlan.of("shop", SIX, TargetSource.fixed(List.of(new Target("no-such-host.invalid", 80))))
                .build();

        assertThatThrownBy(() -> LoadRun.start(plan))
                .isInstanceOf(LoadException.class)
                .hasMessage("site shop: no address is known of no-such-host.invalid:80; check the name, and the name"
                        + " service");
    }

    @Test
    void shouldGoOn_whileTheNameServiceIsSlow() throws InterruptedException {
        Target old = new Target("127.0.0.1", 80);
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        TargetDesk desk = new TargetDesk(
                LoadPlan.of("shop", SIX, TargetSource.fixed(List.of(old))).build(), host -> {
                    if (host.equals("slow.example")) {
                        asked.countDown();
                        await(answer);
                    }
                    return new InetAddress[] {InetAddress.getLoopbackAddress()};
                });
        desk.offer(new TargetList(1, "shop", List.of(old)));
        Thread source = Thread.ofPlatform()
                .start(() -> desk.offer(new TargetList(2, "shop", List.of(old, new Target("slow.example", 80)))));
        assertThat(asked.await(25, TimeUnit.SECONDS)).isTrue();

        assertThat(desk.current().targets()).containsExactly(old);
        assertThat(desk.report().changes()).isEqualTo(1);

        answer.countDown();
        source.join();
        assertThat(desk.current().targets()).hasSize(2);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(25, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Six requests by three clients to a server that listens on 127.0.0.1 alone, under a name for these. */
    private static Totals run(String... addresses) throws InterruptedException {
        try (TestServer server = TestServer.start()) {
            Target target = new Target("web.example", server.target().port());
            LoadPlan plan = LoadPlan.of("shop", SIX, TargetSource.fixed(List.of(target)))
                    .withClients(3)
                    .build();
            TargetDesk desk = new TargetDesk(plan, host -> addresses(host, addresses));
            desk.offer(new TargetList(1, "shop", List.of(target)));
            EventFeed feed = new EventFeed(SIX.open(), 0);
            RunContext context = new RunContext(
                    plan,
                    feed,
                    desk,
                    new SessionDesk(feed, 3),
                    new LoopCpu(),
                    new Faults(),
                    new FirstCauses(),
                    TlsContext.of(TlsOptions.CHECKED, 1000),
                    null,
                    System.nanoTime());
            CountDownLatch done = new CountDownLatch(1);
            try (MultiThreadIoEventLoopGroup group = Transport.best().newGroup(1)) {
                LoopDriver driver =
                        new LoopDriver(context, group.next(), Transport.best(), WorkSource::of, done::countDown);
                driver.start(0, 1, 3);
                assertThat(done.await(25, TimeUnit.SECONDS)).isTrue();
                return driver.meter().totals();
            }
        }
    }

    private static InetAddress[] addresses(String host, String... all) throws UnknownHostException {
        assertThat(host).isEqualTo("web.example");
        InetAddress[] known = new InetAddress[all.length];
        for (int i = 0; i < all.length; i++) {
            known[i] = InetAddress.getByName(all[i]);
        }
        return known;
    }

    @Test
    void shouldLookAnUnknownNameUpAgain_whenTheListHasOtherTargets() {
        Target late = new Target("late.example", 80);
        List<String> asked = new ArrayList<>();
        TargetDesk desk = new TargetDesk(
                LoadPlan.of("shop", SIX, TargetSource.fixed(List.of(late))).build(), host -> {
                    asked.add(host);
                    if (asked.size() == 1) {
                        throw new UnknownHostException(host);
                    }
                    return new InetAddress[] {InetAddress.getLoopbackAddress()};
                });

        desk.offer(new TargetList(1, "shop", List.of(late)));
        desk.offer(new TargetList(2, "shop", List.of(late)));
        assertThat(asked).containsExactly("late.example");
        assertThat(desk.unknown()).containsExactly(late);

        desk.offer(new TargetList(3, "shop", List.of(late, new Target("127.0.0.1", 80))));
        assertThat(asked).containsExactlyInAnyOrder("late.example", "late.example", "127.0.0.1");
        assertThat(desk.unknown()).isEmpty();
    }
}
