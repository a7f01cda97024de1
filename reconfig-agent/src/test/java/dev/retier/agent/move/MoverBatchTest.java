package dev.retier.agent.move;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.SHOP;
import static dev.retier.agent.fixture.Clusters.known;
import static dev.retier.agent.fixture.Clusters.node;
import static dev.retier.agent.fixture.Clusters.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.decide.Decision;
import dev.retier.agent.decide.MoveReason;
import dev.retier.agent.decide.StayReason;
import dev.retier.agent.view.ClusterView;
import dev.retier.state.CasOutcome;
import dev.retier.state.Epochs;
import dev.retier.state.RoleWord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A change of several nodes: two at once, and then a third. */
class MoverBatchTest {
    private static final Duration LEASE = Duration.ofMillis(300);
    private static final RoleWord FENCED = RoleWord.active(6, 3, APP).fenced();
    private final Mover mover = new Mover(LEASE, Duration.ofSeconds(5), new Epochs(List.of(SHOP)));

    private static Decision.Move app(int id) {
        return new Decision.Move(SHOP, node(id), APP, PROXY, MoveReason.PRESSURE, "figures");
    }

    /** Two nodes at once, then a third. */
    private static final Decision.Change WAVES = new Decision.Change(
            SHOP, List.of(List.of(app(2), app(3)), List.of(app(4))), MoveReason.PRESSURE, "figures");

    private static final ClusterView FOUR =
            view(known(1, RoleWord.active(9, 1, PROXY)), known(2, FENCED), known(3, FENCED), known(4, FENCED));
    private static final RoleWord FIRST =
            FENCED.ordered(10, FENCED.fence(), PROXY).inBatch(false, true);
    private static final RoleWord SECOND =
            FENCED.ordered(11, FENCED.fence(), PROXY).inBatch(true, false);

    private List<MoverEffect> orderTwo() {
        mover.on(new MoverEvent.Begin(WAVES), 0);
        mover.on(new MoverEvent.LockAcquired(), 0);
        mover.on(new MoverEvent.Fenced(Map.of(node(2), FENCED, node(3), FENCED, node(4), FENCED)), 0);
        return mover.on(new MoverEvent.LookedAgain(FOUR, WAVES, true), 0);
    }

    private static MoverEvent answered(CasOutcome two, CasOutcome three) {
        return new MoverEvent.Answered(Map.of(node(2), two, node(3), three));
    }

    private static MoverEffect ended(MoverResult result, Decision.Move move) {
        return new MoverEffect.Finished(SHOP, List.of(move), result, null, "");
    }

    private static MoverEffect broken(Decision.Move... moves) {
        return new MoverEffect.Finished(SHOP, List.of(moves), MoverResult.NOT_ORDERED, StayReason.PLAN_BROKEN, "");
    }

    @Test
    void shouldOrderNodesTogether_whenTheyAreOfOneWave() {
        assertThat(orderTwo())
                .containsExactly(new MoverEffect.Order(
                        WAVES,
                        List.of(
                                new MoverEffect.Ordering(app(2), FENCED, FIRST),
                                new MoverEffect.Ordering(app(3), FENCED, SECOND))));
        assertThat(mover.on(answered(new CasOutcome.Won(), new CasOutcome.Won()), 0))
                .as("woken in one go")
                .containsExactly(
                        new MoverEffect.Wake(Set.of(node(2), node(3))),
                        new MoverEffect.Ordered(app(2), FIRST),
                        new MoverEffect.Ordered(app(3), SECOND));
    }

    @Test
    void shouldGoOnUnderTheSameLock_whenAllOfAWaveHaveSucceeded() {
        orderTwo();
        mover.on(answered(new CasOutcome.Won(), new CasOutcome.Won()), 0);

        assertThat(mover.on(new MoverEvent.Looked(view(known(2, FIRST.completed()), known(3, SECOND))), 1))
                .containsExactly(ended(MoverResult.COMPLETED, app(2)));
        Decision.Change rest = new Decision.Change(SHOP, List.of(List.of(app(4))), MoveReason.PRESSURE, "figures");
        assertThat(mover.on(new MoverEvent.Looked(view(known(2, FIRST.completed()), known(3, SECOND.completed()))), 2))
                .containsExactly(
                        ended(MoverResult.COMPLETED, app(3)),
                        new MoverEffect.LookAgain(SHOP, Set.of(node(2), node(3), node(4)), rest));
        RoleWord third = FENCED.ordered(12, FENCED.fence(), PROXY);
        ClusterView after = view(known(2, FIRST.completed()), known(3, SECOND.completed()), known(4, FENCED));
        assertThat(mover.on(new MoverEvent.LookedAgain(after, rest, true), 3))
                .containsExactly(new MoverEffect.Order(rest, List.of(new MoverEffect.Ordering(app(4), FENCED, third))));
        mover.on(new MoverEvent.Answered(Map.of(node(4), new CasOutcome.Won())), 3);
        assertThat(mover.on(new MoverEvent.Looked(view(known(4, third.completed()))), 4))
                .containsExactly(new MoverEffect.Release(), ended(MoverResult.COMPLETED, app(4)));
    }

    @Test
    void shouldGiveUpTheRest_whenTheLookSaysSo() {
        orderTwo();
        mover.on(answered(new CasOutcome.Won(), new CasOutcome.Won()), 0);
        mover.on(new MoverEvent.Looked(view(known(2, FIRST.completed()), known(3, SECOND.completed()))), 2);

        Decision stay = Decision.stay(SHOP, StayReason.PAUSED, "of all");
        assertThat(mover.on(new MoverEvent.LookedAgain(FOUR, stay, true), 3))
                .containsExactly(
                        new MoverEffect.Release(),
                        new MoverEffect.Finished(
                                SHOP, List.of(app(4)), MoverResult.NOT_ORDERED, StayReason.PAUSED, "of all"));
        assertThat(mover.isIdle()).isTrue();
    }

    @Test
    void shouldLetTheOthersGoOn_whenOneOfAWaveFails() {
        orderTwo();
        mover.on(answered(new CasOutcome.Won(), new CasOutcome.Won()), 0);

        assertThat(mover.on(new MoverEvent.Looked(view(known(2, FIRST.rolledBack()), known(3, SECOND))), 1))
                .containsExactly(ended(MoverResult.ROLLED_BACK, app(2)));
        assertThat(mover.isWatching()).isTrue();
        assertThat(mover.on(new MoverEvent.Looked(view(known(2, FIRST.rolledBack()), known(3, SECOND.completed()))), 2))
                .containsExactly(new MoverEffect.Release(), ended(MoverResult.COMPLETED, app(3)), broken(app(4)));
    }

    @Test
    void shouldWatchThoseThatWereWon_whenOthersWereNot() {
        orderTwo();
        assertThat(mover.on(answered(new CasOutcome.Unreachable("down"), new CasOutcome.Won()), 0))
                .containsExactly(
                        new MoverEffect.Wake(Set.of(node(3))),
                        new MoverEffect.Finished(
                                SHOP, List.of(app(2)), MoverResult.NOT_ORDERED, StayReason.ORDER_NOT_SENT, "down"),
                        new MoverEffect.Ordered(app(3), SECOND));
        assertThat(mover.on(new MoverEvent.Looked(view(known(3, SECOND.completed()))), 1))
                .containsExactly(new MoverEffect.Release(), ended(MoverResult.COMPLETED, app(3)), broken(app(4)));
    }

    @Test
    void shouldEndOnlyWhatIsNotSeen_whenALeaseHasPassed() {
        orderTwo();
        mover.on(answered(new CasOutcome.Unresolved("?"), new CasOutcome.Won()), 0);
        assertThat(mover.on(new MoverEvent.Tick(), LEASE.toNanos()))
                .containsExactly(ended(MoverResult.ORDER_UNRESOLVED, app(2)), new MoverEffect.Renew());
        assertThat(mover.isWatching()).isTrue();
    }

    @Test
    void shouldTellOfAllThatIsUnderWay_whenTheLeaseIsLost() {
        orderTwo();
        mover.on(answered(new CasOutcome.Won(), new CasOutcome.Won()), 0);
        assertThat(mover.on(new MoverEvent.Renewed(false), 1))
                .containsExactly(
                        new MoverEffect.Release(),
                        ended(MoverResult.LEASE_LOST, app(2)),
                        ended(MoverResult.LEASE_LOST, app(3)),
                        broken(app(4)));
    }
}
