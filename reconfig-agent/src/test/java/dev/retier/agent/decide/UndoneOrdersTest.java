package dev.retier.agent.decide;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.SHOP;
import static dev.retier.agent.fixture.Clusters.known;
import static dev.retier.agent.fixture.Clusters.node;
import static dev.retier.agent.fixture.Clusters.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.DecisionRules;
import dev.retier.agent.config.Mode;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.config.TierBounds;
import dev.retier.agent.decide.ManualMoves.Past;
import dev.retier.agent.decide.ManualMoves.Wish;
import dev.retier.agent.view.ClusterView;
import dev.retier.link.NodeId;
import dev.retier.state.RoleWord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UndoneOrdersTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long NOW = 1_000 * SECOND;

    private static final RoleWord BEFORE = RoleWord.active(3, 1, APP);
    private static final RoleWord ORDER = BEFORE.ordered(7, 1, PROXY);

    private static Policy policy(Duration longestMove) {
        SiteConfig shop =
                new SiteConfig(SHOP, "shop", List.of(), 1, null, new TierBounds(1, 4), new TierBounds(1, 4), null);
        return new Policy(
                Mode.ACT,
                DecisionRules.DEFAULTS,
                Duration.ZERO,
                Duration.ZERO,
                List.of(shop),
                Map.of(new NodeId(2), new Policy.Machine("web-2", ServerKind.WEB_NODE)),
                longestMove,
                Optional.empty());
    }

    private static final Policy POLICY = policy(Duration.ofSeconds(39));

    private static ClusterView with(RoleWord word) {
        return view(known(1, PROXY), known(2, word), known(3, APP));
    }

    private static History seen(RoleWord... words) {
        History history = History.none();
        for (int look = 0; look < words.length; look++) {
            history = history.after(with(words[look]), POLICY, NOW + look);
        }
        return history;
    }

    private static Decision wish(History history, boolean isForced, long nowNanos) {
        return ManualMoves.decide(
                with(BEFORE), history, POLICY, new Wish(node(2), PROXY, Past.ofMove(isForced)), nowNanos);
    }

    @Test
    void shouldGrowFourfoldToAnHour_whenOrderAfterOrderIsUndone() {
        assertThat(IntStream.rangeClosed(1, 6)
                        .mapToObj(order -> UndoneOrders.rest(order, POLICY).toSeconds()))
                .containsExactly(39L, 156L, 624L, 2496L, 3600L, 3600L);
        assertThat(UndoneOrders.rest(Integer.MAX_VALUE, POLICY)).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void shouldLetAnHourSeeSevenOrders_whenMovesAreQuick() {
        Policy quick = policy(Duration.ofSeconds(1));
        Duration six = IntStream.rangeClosed(1, 6)
                .mapToObj(order -> UndoneOrders.rest(order, quick))
                .reduce(Duration.ZERO, Duration::plus);
        assertThat(six).isLessThan(Duration.ofHours(1));
        assertThat(six.plus(UndoneOrders.rest(7, quick))).isGreaterThan(Duration.ofHours(1));
    }

    @Test
    void shouldRestNoShorterThanAMoveMayTake() {
        Policy calm = policy(Duration.ofHours(2));
        assertThat(UndoneOrders.rest(1, calm)).isEqualTo(Duration.ofHours(2));
        assertThat(UndoneOrders.rest(2, calm)).isEqualTo(Duration.ofHours(2));
    }

    @Test
    void shouldRest_whenAnOrderWasUndoneAndNobodyForces() {
        History history = seen(BEFORE, ORDER, ORDER.rolledBack());
        long later = NOW + 30 * SECOND;
        Decision refused = wish(history, false, later);
        assertThat(refused.reasonWord()).isEqualTo(StayReason.NODE_RESTS.name());
        assertThat(refused.detail()).endsWith("; web-2 rests for 10 s more, orders undone: 1; --force passes it");
        assertThat(wish(history, true, later)).isInstanceOf(Decision.Change.class);
        assertThat(wish(history, false, NOW + 2 + 39 * SECOND)).isInstanceOf(Decision.Change.class);
    }

    @Test
    void shouldCountAnOrder_thatCameAndWentBetweenTwoLooks() {
        assertThat(seen(BEFORE, ORDER.rolledBack()).undone().get(node(2))).isEqualTo(new UndoneOrders(1, NOW + 1));
        RoleWord again = ORDER.rolledBack().ordered(8, 1, PROXY).rolledBack();
        assertThat(seen(BEFORE, ORDER.rolledBack(), again).undone().get(node(2)))
                .isEqualTo(new UndoneOrders(2, NOW + 2));
    }

    @Test
    void shouldForgetAll_whenAMoveSucceeds() {
        RoleWord again = ORDER.rolledBack().ordered(8, 1, PROXY);
        assertThat(seen(BEFORE, ORDER, ORDER.rolledBack(), again).undone()).containsOnlyKeys(node(2));
        assertThat(seen(BEFORE, ORDER, ORDER.rolledBack(), again, again.completed())
                        .undone())
                .isEmpty();
    }

    @Test
    void shouldNotCountForTheSite_whenAnOrderWasUndone() {
        History undone = seen(BEFORE, ORDER, ORDER.rolledBack());
        assertThat(undone.movesLastHour(SHOP, NOW + 3)).isZero();
        History done = seen(BEFORE, ORDER, ORDER.completed(), ORDER.completed().fenced());
        assertThat(done.movesLastHour(SHOP, NOW + 4)).isEqualTo(1);
    }
}
