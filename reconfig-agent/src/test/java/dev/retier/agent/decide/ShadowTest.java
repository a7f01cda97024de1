package dev.retier.agent.decide;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.SHOP;
import static dev.retier.agent.fixture.Clusters.known;
import static dev.retier.agent.fixture.Clusters.node;
import static dev.retier.agent.fixture.Clusters.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.decide.Shadow.Comparison;
import dev.retier.agent.decide.Shadow.Kind;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ShadowTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Shadow.Pace PACE = new Shadow.Pace(Duration.ofSeconds(2), Duration.ofSeconds(1));

    private static Shadow.Opinion staying() {
        return new Shadow.Opinion(Decision.stay(SHOP, StayReason.NO_GAIN, ""), List.of());
    }

    /** One wave after the other, of nodes that leave the app tier for the proxies. */
    private static Shadow.Opinion wanting(int... nodes) {
        List<List<Decision.Move>> waves = IntStream.of(nodes)
                .mapToObj(id -> List.of(new Decision.Move(SHOP, node(id), APP, PROXY, MoveReason.PRESSURE, "")))
                .toList();
        return new Shadow.Opinion(new Decision.Change(SHOP, waves, MoveReason.PRESSURE, ""), List.of());
    }

    private static SeenOrder order(int node) {
        return new SeenOrder(node(node), RoleWord.active(0, 0, APP), PROXY, 10 + node);
    }

    private static Shadow.Outcome ordered(Shadow shadow, Shadow.Opinion opinion, double at, int... nodes) {
        List<SeenOrder> orders = IntStream.of(nodes).mapToObj(ShadowTest::order).toList();
        return shadow.ordered(List.of(), orders, Map.of(SHOP, opinion), PACE, (long) (at * SECOND));
    }

    private static Stream<Kind> kinds(Shadow.Outcome outcome) {
        return outcome.found().stream().map(Comparison::kind);
    }

    @Test
    void shouldCountNodes_ofWhichItWouldHaveOrderedFewer() {
        Shadow.Outcome outcome = ordered(Shadow.none(), wanting(3), 1, 3, 4, 5);

        assertThat(outcome.shadow().count(Kind.AGREED)).isEqualTo(1);
        assertThat(outcome.shadow().count(Kind.NOT_WANTED)).isEqualTo(2);
        assertThat(outcome.shadow().differences()).hasSize(1);
    }

    @Test
    void shouldNotAgreeTwice_whenOrdersOfOneMomentAreSeenInTwoLooks() {
        Shadow one = ordered(Shadow.none(), wanting(3), 1, 3).shadow();

        Shadow.Outcome two =
                one.ordered(List.of(order(3)), List.of(order(4)), Map.of(SHOP, wanting(3)), PACE, SECOND + 1);

        assertThat(kinds(two)).containsExactly(Kind.NOT_WANTED);
    }

    @Test
    void shouldAgreeWithTheRestOfAChange_whenItFollowsInTime() {
        Shadow first = ordered(Shadow.none(), wanting(3, 4, 5), 1, 3).shadow();

        assertThat(kinds(ordered(first, staying(), 2, 4))).containsExactly(Kind.AGREED);
        assertThat(kinds(ordered(first, staying(), 2.1, 4))).as("too late").containsExactly(Kind.NOT_WANTED);
        Shadow moving = first.moving(PACE, 2 * SECOND);
        assertThat(kinds(ordered(moving, staying(), 3, 4))).containsExactly(Kind.AGREED);
        Shadow both = ordered(moving, staying(), 3, 4, 5).shadow();
        assertThat(kinds(ordered(both, staying(), 3.5, 6)))
                .as("nothing is left")
                .containsExactly(Kind.NOT_WANTED);
    }

    @Test
    void shouldAgree_whenItWantedSoAtTheLookBefore() {
        Shadow wanting = Shadow.none().decided(wanting(3), false, PACE, SECOND).shadow();

        assertThat(kinds(ordered(wanting, staying(), 1.2, 3))).containsExactly(Kind.AGREED);
    }

    @Test
    void shouldNotMissWhatItNoLongerWants() {
        Shadow shadow = Shadow.none().decided(wanting(3), false, PACE, SECOND).shadow();
        shadow = shadow.decided(staying(), false, PACE, 2 * SECOND).shadow();

        assertThat(kinds(shadow.decided(wanting(3), false, PACE, 3 * SECOND))).isEmpty();
    }

    @Test
    void shouldKeepTheNewestDifferencesAlone() {
        Shadow shadow = Shadow.none();
        for (int look = 0; look <= Shadow.KEPT; look++) {
            shadow = ordered(shadow, staying(), 10 * look, 3).shadow();
        }

        assertThat(shadow.differences()).hasSize(Shadow.KEPT);
        assertThat(shadow.differences().getFirst().atNanos()).isEqualTo(10 * SECOND);
        assertThat(shadow.count(Kind.NOT_WANTED)).isEqualTo(Shadow.KEPT + 1);
    }

    @Test
    void shouldSeeOrders_andNeitherFencesNorWhatWasUndone() {
        RoleWord before = RoleWord.active(3, 0, APP);
        RoleWord order = before.ordered(7, 1, PROXY);

        assertThat(SeenOrder.between(view(known(1, before)), view(known(1, order))))
                .containsExactly(new SeenOrder(node(1), before, PROXY, 7));
        assertThat(SeenOrder.between(view(known(1, before)), view(known(1, order.completed()))))
                .as("it came and went")
                .hasSize(1);
        assertThat(SeenOrder.between(view(known(1, before)), view(known(1, before.fenced()))))
                .isEmpty();
        assertThat(SeenOrder.between(view(known(1, before)), view(known(1, order.rolledBack()))))
                .isEmpty();
        assertThat(new SeenOrder(node(1), before, Role.SPARE, 7).mayBeDecided()).isFalse();
    }
}
