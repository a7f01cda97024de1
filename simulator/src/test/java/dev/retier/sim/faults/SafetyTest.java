package dev.retier.sim.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.DecisionRules;
import dev.retier.agent.config.Mode;
import dev.retier.agent.config.MoveRules;
import dev.retier.agent.config.Timing;
import dev.retier.agent.decide.Decision;
import dev.retier.agent.decide.MoveReason;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.agent.view.NodeView.Silence;
import dev.retier.link.NodeId;
import dev.retier.sim.cluster.Cluster;
import dev.retier.sim.cluster.ClusterListener;
import dev.retier.sim.cluster.Delays;
import dev.retier.sim.cluster.ServerTrouble.Page;
import dev.retier.sim.run.MadeCluster;
import dev.retier.sim.run.Shops;
import dev.retier.sim.service.Plan;
import dev.retier.sim.service.Service;
import dev.retier.sim.time.VirtualTime;
import dev.retier.state.LoadRecord;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import dev.retier.state.SlotReading;
import dev.retier.state.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each check is shown what it must not let pass: two proxies and two app nodes of which nobody moves by itself. */
class SafetyTest {
    private static final Role PROXY = Role.serving(Shops.SHOP, Tier.PROXY);
    private static final Role APP = Role.serving(Shops.SHOP, Tier.APP);
    private static final LoadRecord IDLE = new LoadRecord(0, Health.UP, 0, 0, 0, 0, 0, 1000, 0);
    private static final long SECOND = 1_000_000_000L;

    private final VirtualTime time = new VirtualTime();
    private final ClusterConfig config = config(Mode.ACT, DecisionRules.DEFAULTS);
    private final Verdict verdict = new Verdict(new Timeline(time, false));

    private static ClusterConfig config(Mode mode, DecisionRules rules) {
        MadeCluster.Rules all = new MadeCluster.Rules(Timing.DEFAULTS, rules, MoveRules.DEFAULTS);
        return MadeCluster.of(List.of(Shops.site(1, 1, null, 3)), List.of(PROXY, PROXY, APP, APP), all)
                .withMode(mode);
    }

    private Service service() {
        return new Service(
                time,
                new Service.Parts(
                        Shops.HTTPD,
                        Collections.nCopies(4, Shops.HTTPD.capacityPerSecond()),
                        1,
                        List.of(Shops.mix(100, 0, 4)),
                        0));
    }

    private record World(Service service, Cluster cluster, Safety safety, LockSafety locks) {}

    private World world(ClusterConfig of) {
        Service service = service();
        Cluster cluster = new Cluster(time, of, service, new Cluster.Settings(Delays.MEASURED, 0, 1));
        Safety safety = new Safety(new Safety.Parts(of, time, cluster, service), _ -> false, verdict);
        return new World(service, cluster, safety, new LockSafety(of, verdict));
    }

    private static ClusterView view(int known, Role... roles) {
        List<NodeView> nodes = new ArrayList<>();
        for (int node = 0; node < roles.length; node++) {
            RoleWord word = RoleWord.active(0, 0, roles[node]);
            NodeId id = new NodeId(node + 1);
            nodes.add(
                    node < known
                            ? new NodeView.Known(id, word, IDLE)
                            : new NodeView.Silent(id, word, IDLE, SlotReading.Reason.STALE, Silence.UNKNOWN));
        }
        return ClusterView.of(nodes);
    }

    private static ClusterListener.Order order(int target, long epoch, long term, ClusterView view) {
        RoleWord expected = RoleWord.active(0, 0, target < 2 ? PROXY : APP);
        Role to = target < 2 ? APP : PROXY;
        Decision.Move move =
                new Decision.Move(Shops.SHOP, new NodeId(target + 1), expected.to(), to, MoveReason.PRESSURE, "");
        RoleWord next = expected.ordered(epoch, 0, to);
        return new ClusterListener.Order(
                0, target, expected, next, move, List.of(move), Map.of(Shops.SHOP, term), view);
    }

    /** It expects a word that there is no more. */
    private static ClusterView whole() {
        return view(4, PROXY, PROXY, APP, APP);
    }

    private void assertBroken(String what) {
        assertThat(verdict.violation().orElse("nothing")).contains(what);
    }

    @Test
    void shouldFindNothing_whenAnOrderIsInOrder() {
        World world = world(config);
        world.locks.acquired(0, Shops.SHOP, 5, true);
        world.locks.fenced(3, 0, Shops.SHOP, 5);
        world.locks.ordering(order(3, 1, 5, whole()));
        world.safety.ordering(order(3, 1, 5, whole()));
        world.locks.ordered(order(3, 1, 5, whole()));
        world.safety.ordered(order(3, 1, 5, whole()));

        assertThat(verdict.violation()).isEmpty();
    }

    @Test
    void shouldFindTwoHoldersOfOneTerm() {
        World world = world(config);
        world.locks.acquired(0, Shops.SHOP, 5, true);
        world.locks.acquired(1, Shops.SHOP, 5, true);
        assertBroken("both hold the lock");
    }

    @Test
    void shouldFindATermThatFalls() {
        World world = world(config);
        world.locks.acquired(0, Shops.SHOP, 6, true);
        world.locks.acquired(1, Shops.SHOP, 5, false);
        assertThat(verdict.violation()).as("too late to act").isEmpty();
        world.locks.acquired(2, Shops.SHOP, 4, true);
        assertBroken("node-3 acquires term 4 of");
    }

    @Test
    void shouldFindAnEpochOfTwoSites() {
        World world = world(config);
        world.locks.ordered(order(3, 7, 5, whole()));
        ClusterListener.Order same = order(2, 7, 5, whole());
        world.locks.ordered(same);
        assertThat(verdict.violation()).as("twice for one site").isEmpty();

        Decision.Move elsewhere = new Decision.Move(
                new SiteId(2), same.move().node(), APP, Role.serving(new SiteId(2), Tier.APP), MoveReason.PRESSURE, "");
        world.locks.ordered(new ClusterListener.Order(
                0, 2, same.expected(), same.next(), elsewhere, List.of(elsewhere), same.terms(), same.view()));
        assertBroken("epoch 7 is ordered for");
    }

    @Test
    void shouldFindAnOrderOfAnOldTerm() {
        World world = world(config);
        world.locks.acquired(1, Shops.SHOP, 6, true);
        world.locks.ordering(order(3, 1, 5, whole()));
        assertBroken("orders in term 5");
    }

    @Test
    void shouldFindALateOrderThatPassesAFence() {
        World world = world(config);
        world.locks.fenced(3, 1, Shops.SHOP, 6);
        world.locks.ordered(order(3, 1, 5, whole()));
        assertBroken("after the fence of term 6");
    }

    @Test
    void shouldFindAnOrderWithoutTheLock() {
        World world = world(config);
        ClusterListener.Order order = order(3, 1, 5, whole());
        world.locks.ordering(new ClusterListener.Order(
                0, 3, order.expected(), order.next(), order.move(), order.together(), Map.of(), order.view()));
        assertBroken("holds the locks of []");
    }

    @Test
    void shouldFindAnOrder_whenTooMuchIsUnknown() {
        world(config).safety.ordering(order(0, 1, 5, view(2, PROXY, PROXY, APP, APP)));
        assertBroken("of the nodes are unknown");
    }

    @Test
    void shouldFindAnOrder_ofANodeThatIsUnknown() {
        world(config).safety.ordering(order(3, 1, 5, view(3, PROXY, PROXY, APP, APP)));
        assertBroken("does not know to work");
    }

    @Test
    void shouldFindAnOrder_inAModeThatMovesNothing() {
        world(config(Mode.RECOMMEND, DecisionRules.DEFAULTS)).safety.ordering(order(3, 1, 5, whole()));
        assertBroken("mode RECOMMEND");
    }

    @Test
    void shouldFindAnOrder_beyondTheBudget() {
        World world = world(config(Mode.ACT, DecisionRules.DEFAULTS.withMovesPerHour(1)));
        world.safety.ordering(order(3, 1, 5, whole()));
        world.safety.ordering(order(3, 2, 6, whole()));
        assertBroken("than an hour allows");
    }

    @Test
    void shouldFindAnOrder_ofANodeWhoseLastOneWasUndone() {
        World world = world(config(Mode.ACT, DecisionRules.DEFAULTS.withMovesPerHour(1)));
        ClusterListener.Order first = order(3, 1, 5, whole());
        world.safety.looked(0, whole());
        live(SECOND);
        world.safety.ordering(first);
        world.safety.ordered(first);
        world.safety.wordChanged(3, first.expected(), first.next());
        world.safety.wordChanged(3, first.next(), first.next().rolledBack());
        assertThat(world.safety.isResting(3)).isTrue();
        assertThat(world.safety.isResting(2)).isFalse();

        live(6 * SECOND);
        world.safety.ordering(order(2, 2, 6, whole()));
        assertThat(verdict.violation())
                .as("it counts for nothing in the budget")
                .isEmpty();
        NodeId fourth = new NodeId(4);
        world.safety.looked(
                0,
                ClusterView.of(List.of(new NodeView.Known(fourth, first.next().rolledBack(), IDLE))));
        world.safety.ordering(order(3, 2, 6, whole()));
        assertBroken("node-4 again, whose last order was undone 5000 ms ago");
    }

    @Test
    void shouldFindAnOrder_thatLeavesTooFew() {
        ClusterConfig three = MadeCluster.with(config, List.of(PROXY, PROXY, Role.SPARE, APP));
        world(three).safety.ordering(order(3, 1, 5, view(4, PROXY, PROXY, Role.SPARE, APP)));
        assertBroken("leaves 0 nodes");
    }

    @Test
    void shouldFindAnOrder_thatGivesTooMany() {
        ClusterConfig narrow = MadeCluster.of(
                List.of(Shops.site(1, 1, null, 2)), List.of(PROXY, PROXY, APP, APP), MadeCluster.Rules.DEFAULTS);
        world(narrow).safety.ordering(order(3, 1, 5, whole()));
        assertBroken("gives 3 nodes");
    }

    @Test
    void shouldFindAPageThatStandsStill_whenItIsBelieved() {
        World world = world(config);
        world.cluster.trouble(3).page(Page.FROZEN);
        live(SECOND);
        world.safety.tick();
        live(6 * SECOND);
        world.safety.ordering(order(0, 1, 5, whole()));
        assertBroken("whose page has stood still");
    }

    @Test
    void shouldFindAWordThatGoesAstray() {
        world(config).safety.wordChanged(3, RoleWord.active(3, 0, APP), RoleWord.active(4, 0, PROXY));
        assertBroken("goes from");
    }

    @Test
    void shouldFindANodeThatDoesNotRunItsRole() {
        RoleWord ordered = RoleWord.active(0, 0, APP).ordered(1, 0, PROXY);
        world(config).safety.wordChanged(3, ordered, ordered.completed());
        assertBroken("and runs site-1/app");
    }

    @Test
    void shouldFindAProofThatIsNone() {
        World world = world(config);
        world.safety.looked(3, whole());
        world.safety.reached(
                3, new MoveRecord(RoleWord.active(0, 0, APP).ordered(1, 0, PROXY), MovePhase.UPSTREAM_PROVEN, null));
        assertBroken("takes it for proven");
    }

    @Test
    void shouldFindAProxyWithoutApps() {
        world(config).safety.ran(0, new Plan(2, PROXY, List.of()));
        assertBroken("without any app node");
    }

    @Test
    void shouldFindABusyServerThatPassesForIdle() {
        World world = world(config);
        world.cluster.trouble(3).page(Page.LYING);
        long _ = world.service.station(3).admit(0, Shops.HTTPD.capacityPerSecond() * 10);
        live(SECOND);
        world.safety.tick();
        live(2 * SECOND);
        world.safety.tick();
        live(2 * SECOND + 100_000_000L);
        world.safety.published(3, IDLE);
        assertBroken("publishes no load");
    }

    /** The second order is planted, the first is the agents' own. */
    @Test
    void shouldFindTwoMovesOfOneSiteAtOnce() {
        ClusterConfig seven = Shops.cluster(2, 5);
        Service service = pressed(seven);
        Cluster cluster = new Cluster(time, seven, service, new Cluster.Settings(Delays.MEASURED, 0, 1));
        Safety safety = new Safety(new Safety.Parts(seven, time, cluster, service), _ -> false, verdict);
        List<ClusterListener.Order> orders = new ArrayList<>();
        cluster.listen(List.of(safety, new ClusterListener() {
            @Override
            public void ordered(Order order) {
                orders.add(order);
            }
        }));
        service.beginAt(0);
        cluster.startAgents();
        while (orders.isEmpty() && time.step(5 * SECOND, service::on)) {}
        assertThat(verdict.violation()).isEmpty();

        ClusterListener.Order first = orders.getFirst();
        int other = first.target() == 6 ? 5 : 6;
        safety.ordered(new ClusterListener.Order(
                first.mover(),
                other,
                first.expected(),
                first.next(),
                first.move(),
                List.of(),
                first.terms(),
                first.view()));
        assertBroken("is on its way for the same site");
    }

    private Service pressed(ClusterConfig of) {
        int nodes = of.nodes().size();
        return new Service(
                time,
                new Service.Parts(
                        Shops.HTTPD,
                        Collections.nCopies(nodes, Shops.HTTPD.capacityPerSecond()),
                        1,
                        List.of(Shops.mix(100_000, 0, 48)),
                        0));
    }

    /** The agents go by longer deadlines than the check, and their servers take no files. */
    @Test
    void shouldFindANodeThatIsHalfMovedForTooLong() {
        ClusterConfig seven = Shops.cluster(2, 5);
        Service service = pressed(seven);
        Cluster cluster = new Cluster(time, seven, service, new Cluster.Settings(Delays.MEASURED, 0, 1));
        Duration tenth = Duration.ofMillis(100);
        MoveRules hasty = new MoveRules(tenth, tenth, tenth, tenth, tenth, Duration.ZERO);
        ClusterConfig strict = MadeCluster.of(
                seven.sites(),
                seven.nodes().stream().map(node -> node.initialRole()).toList(),
                new MadeCluster.Rules(Timing.DEFAULTS, DecisionRules.DEFAULTS, hasty));
        Safety safety = new Safety(new Safety.Parts(strict, time, cluster, service), _ -> false, verdict);
        cluster.listen(List.of(safety));
        for (int node = 0; node < 7; node++) {
            cluster.trouble(node).ignoreFiles(true);
        }
        service.beginAt(3 * SECOND);
        cluster.startAgents();
        for (long untilNanos = 0; untilNanos < 20 * SECOND; untilNanos += SECOND / 10) {
            while (time.step(untilNanos, service::on)) {}
            safety.tick();
        }
        assertBroken("is still half moved");
    }

    private void live(long untilNanos) {
        time.after(untilNanos - time.nowNanos(), () -> {});
        while (time.step(untilNanos, (_, _) -> {})) {}
    }
}
