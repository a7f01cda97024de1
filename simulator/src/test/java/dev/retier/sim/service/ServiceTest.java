package dev.retier.sim.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.retier.agent.render.LetGo;
import dev.retier.balance.AppLoad;
import dev.retier.balance.Loads;
import dev.retier.sim.model.NodeCosts;
import dev.retier.sim.time.VirtualTime;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import dev.retier.traces.made.BodySizes;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServiceTest {
    private static final SiteId SHOP = new SiteId(1);
    private static final Catalogue ONE_FILE = new Catalogue(1, 0, new BodySizes.Fixed(4096), new BodySizes.Fixed(1024));
    /** A unit takes a millisecond. */
    private static final NodeCosts COSTS = new NodeCosts(1000, 1, 8, 2, 16);

    private final VirtualTime time = new VirtualTime();

    /** One proxy and one app. */
    private Service service(int requests, double dynamicShare, Clients clients) {
        Workload load = Workload.read(GeneratedTrace.mixed(requests, dynamicShare, ONE_FILE, 1), 0, Long.MAX_VALUE);
        Service service = new Service(
                time, new Service.Parts(COSTS, List.of(1000.0, 1000.0), 1, List.of(new Demand(load, clients)), 0));
        service.station(0).run(new Plan(1, Role.serving(SHOP, Tier.PROXY), List.of(1)));
        service.station(1).run(new Plan(1, Role.serving(SHOP, Tier.APP), List.of()));
        service.follow(0, List.of(0));
        service.beginAt(0);
        return service;
    }

    private void live(Service service) {
        while (!service.isOver()) {
            assertThat(time.step(Long.MAX_VALUE - 1, service::on)).isTrue();
        }
    }

    @Test
    void shouldFetchAnObjectOnce_andAnswerItFromTheCacheAfterwards() {
        Service service = service(10, 0, Clients.closed(1));

        live(service);

        assertThat(service.station(0).counters(0))
                .extracting(Station.Counters::misses, Station.Counters::hits)
                .containsExactly(1L, 9L);
        assertThat(service.station(1).counters(0).requests()).isEqualTo(1);
        assertThat(service.ledger(0).seconds()).isCloseTo((2 + 8 + 9) / 1e3, within(1e-9));
    }

    @Test
    void shouldAnswerWhatItForwards_whenItCeasesToBeAProxy() {
        Service service = service(1, 1, Clients.closed(1));
        // It has come, and is being forwarded for two milliseconds.
        assertThat(time.step(500_000, service::on)).isTrue();
        assertThat(time.step(500_000, service::on)).isTrue();
        assertThat(service.station(0).inFlight()).isEqualTo(1);

        service.station(0).run(new Plan(2, Role.serving(SHOP, Tier.APP), List.of()));
        live(service);

        assertThat(service.ledger(0).failedTotal()).isZero();
    }

    /** Ten requests, one after the other, so its own are no reason to prefer an app. */
    @Test
    void shouldSendNothingToAnAppThatOthersKeepBusy_whileWhatTheAgentHasToldIsFresh() {
        assertThat(requestsAtTheFirstApp(0, 500)).isEqualTo(10);
        assertThat(requestsAtTheFirstApp(500, 0)).isZero();
        assertThat(requestsAtTheFirstApp(0, 0)).isBetween(4L, 6L);
        long stale = -1_000_000_000;
        assertThat(requestsAtTheFirstApp(stale, 500, 0)).isBetween(4L, 6L);
    }

    private long requestsAtTheFirstApp(int heldByFirst, int heldBySecond) {
        return requestsAtTheFirstApp(0, heldByFirst, heldBySecond);
    }

    private static long requestsAtTheFirstApp(long toldNanos, int heldByFirst, int heldBySecond) {
        VirtualTime time = new VirtualTime();
        Workload load = Workload.read(GeneratedTrace.mixed(10, 1, ONE_FILE, 1), 0, Long.MAX_VALUE);
        Demand demand = new Demand(load, Clients.closed(1));
        Service service =
                new Service(time, new Service.Parts(COSTS, List.of(1000.0, 1000.0, 1000.0), 1, List.of(demand), 0));
        service.station(0).run(new Plan(1, Role.serving(SHOP, Tier.PROXY), List.of(1, 2)));
        service.station(1).run(new Plan(1, Role.serving(SHOP, Tier.APP), List.of()));
        service.station(2).run(new Plan(1, Role.serving(SHOP, Tier.APP), List.of()));
        service.station(0)
                .hear(
                        new Loads(
                                1,
                                200_000_000,
                                1_000_000_000,
                                List.of(
                                        new AppLoad(Station.label(1), heldByFirst, 0.5, 50, 1000),
                                        new AppLoad(Station.label(2), heldBySecond, 0.5, 50, 1000))),
                        toldNanos);
        service.follow(0, List.of(0));
        service.beginAt(0);
        while (!service.isOver()) {
            assertThat(time.step(Long.MAX_VALUE - 1, service::on)).isTrue();
        }
        return service.station(1).counters(0).requests();
    }

    /** Of three proxies the third comes when all clients are connected; only who is let go finds it. */
    @Test
    void shouldKeepClientsWhereTheyAre_untilTheirProxyLetsThemGo() {
        Workload load = Workload.read(GeneratedTrace.mixed(4_000, 0, ONE_FILE, 1), 0, Long.MAX_VALUE);
        Demand demand = new Demand(load, Clients.staying(20));
        Service service =
                new Service(time, new Service.Parts(COSTS, List.of(1000.0, 1000.0, 1000.0), 1, List.of(demand), 0));
        Role proxy = Role.serving(SHOP, Tier.PROXY);
        for (int node = 0; node < 3; node++) {
            service.station(node).run(new Plan(1, proxy, List.of(node)));
            service.station(node).warm();
        }
        service.follow(0, List.of(0, 1));
        service.beginAt(0);
        long[] third = new long[2];
        time.after(500_000_000, () -> service.follow(0, List.of(0, 1, 2)));
        time.after(1_000_000_000, () -> {
            third[0] = service.station(2).counters(0).requests();
            service.station(0).run(new Plan(1, proxy, List.of(0), new LetGo(1, 50)));
        });
        time.after(
                1_500_000_000, () -> third[1] = service.station(2).counters(0).requests());

        live(service);

        assertThat(third[0]).as("nobody comes by himself").isZero();
        assertThat(third[1]).isGreaterThan(300);
        assertThat(service.station(0).inFlight()).isZero();
    }

    @Test
    void shouldJoinAFetchUnderWay_whenManyAskAtOnce() {
        Service service = service(4, 0, Clients.closed(4));

        live(service);

        assertThat(service.station(1).counters(0).requests()).isEqualTo(1);
        assertThat(service.ledger(0).doneTotal()).isEqualTo(4);
        assertThat(service.ledger(0).latencySeconds(1)).isCloseTo(0.010, within(0.0005));
    }

    @Test
    void shouldQueueAtTheSlowerTier_whenAllIsDynamic() {
        Service service = service(100, 1, Clients.closed(8));

        live(service);

        assertThat(service.ledger(0).perSecond()).isCloseTo(1000.0 / 16, within(1.0));
        assertThat(service.station(1).busySeconds(time.nowNanos())).isCloseTo(1.6, within(1e-6));
    }

    @Test
    void shouldSendAtTheTimesOfTheTrace_whenTheLoopIsOpen() {
        Service service = service(500, 0, Clients.open(0.5)); // the trace has 1000 a second

        live(service);

        assertThat(service.ledger(0).perSecond()).isCloseTo(500, within(10.0));
    }

    @Test
    void shouldFailWhatIsInACrashedProxy_andCountIt() {
        Service service = service(50, 1, Clients.closed(4));
        time.after(100_000_000, () -> service.station(0).crash());
        time.after(200_000_000, () -> service.station(0).restart(time.nowNanos()));
        time.after(200_000_000, () -> service.station(0).run(new Plan(2, Role.serving(SHOP, Tier.PROXY), List.of(1))));

        live(service);

        assertThat(service.ledger(0).failedTotal()).isPositive();
        assertThat(service.ledger(0).doneTotal() + service.ledger(0).failedTotal())
                .isEqualTo(50);
        assertThat(service.station(0).inFlight()).isZero();
    }
}
