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
import dev.retier.agent.view.NodeView;
import dev.retier.agent.view.NodeView.Silence;
import dev.retier.state.CasOutcome;
import dev.retier.state.Epochs;
import dev.retier.state.LoadRecord;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import dev.retier.state.SlotReading;
import dev.retier.state.Tier;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MoverTest {
    private static final Duration LEASE = Duration.ofMillis(300);
    private static final long PATIENCE_NANOS = 5_000_000_000L;
    private static final Decision.Move MOVE =
            new Decision.Move(SHOP, node(2), APP, PROXY, MoveReason.PRESSURE, "figures");
    private static final Decision.Change CHANGE = Decision.Change.of(SHOP, MOVE);
    private static final RoleWord BEFORE = RoleWord.active(6, 3, APP);
    private static final RoleWord FENCED = BEFORE.fenced();
    private static final RoleWord ORDER = FENCED.ordered(10, FENCED.fence(), PROXY);
    private static final ClusterView VIEW = view(known(1, RoleWord.active(9, 1, PROXY)), known(2, FENCED));

    private final Mover mover = new Mover(LEASE, Duration.ofNanos(PATIENCE_NANOS), new Epochs(List.of(SHOP)));

    private List<MoverEffect> begin() {
        return mover.on(new MoverEvent.Begin(CHANGE), 0);
    }

    private List<MoverEffect> untilOrder() {
        untilFenced();
        return mover.on(new MoverEvent.LookedAgain(VIEW, CHANGE, true), 0);
    }

    private void untilFenced() {
        begin();
        mover.on(new MoverEvent.LockAcquired(), 0);
        mover.on(new MoverEvent.Fenced(Map.of(node(2), FENCED)), 0);
    }

    private void untilWatching() {
        untilOrder();
        mover.on(answered(new CasOutcome.Won()), 0);
    }

    private static MoverEvent answered(CasOutcome outcome) {
        return new MoverEvent.Answered(Map.of(node(2), outcome));
    }

    private static MoverEffect notOrdered(StayReason reason, String detail) {
        return new MoverEffect.Finished(SHOP, List.of(MOVE), MoverResult.NOT_ORDERED, reason, detail);
    }

    private static MoverEffect ended(MoverResult result, String detail) {
        return new MoverEffect.Finished(SHOP, List.of(MOVE), result, null, detail);
    }

    @Test
    void shouldTryTheLock_whenItBegins() {
        assertThat(begin()).containsExactly(new MoverEffect.TryLock(List.of(SHOP)));
    }

    @Test
    void shouldGiveUp_whenAnotherHoldsTheLock() {
        begin();
        assertThat(mover.on(new MoverEvent.LockHeld(node(3)), 0))
                .containsExactly(notOrdered(StayReason.LOCK_HELD, "by node-3"));
        assertThat(mover.isIdle()).isTrue();
    }

    @Test
    void shouldGiveUp_whenTheLockIsUnavailable() {
        begin();
        assertThat(mover.on(new MoverEvent.LockUnavailable("1 of 3"), 0))
                .containsExactly(notOrdered(StayReason.LOCK_UNAVAILABLE, "1 of 3"));
    }

    @Test
    void shouldFenceThenLookAgain_whenItHasTheLock() {
        begin();
        assertThat(mover.on(new MoverEvent.LockAcquired(), 0)).containsExactly(new MoverEffect.Fence(List.of(SHOP)));
        assertThat(mover.on(new MoverEvent.Fenced(Map.of(node(2), FENCED)), 0))
                .containsExactly(new MoverEffect.LookAgain(SHOP, Set.of(node(2)), null));
    }

    /** World 404: an operator wants a spare node, and until the second look another site has got it. */
    @Test
    void shouldGiveUp_whenTheNodeHasComeToASiteWhoseLockIsNotHeld() {
        Role elsewhere = Role.serving(new SiteId(SHOP.value() + 1), Tier.APP);
        RoleWord fenced = RoleWord.active(8, 4, elsewhere);
        mover.on(
                new MoverEvent.Begin(Decision.Change.of(
                        SHOP, new Decision.Move(SHOP, node(2), Role.SPARE, PROXY, MoveReason.OPERATOR, "figures"))),
                0);
        mover.on(new MoverEvent.LockAcquired(), 0);
        mover.on(new MoverEvent.Fenced(Map.of(node(2), fenced)), 0);
        Decision.Change again = Decision.Change.of(
                SHOP, new Decision.Move(SHOP, node(2), elsewhere, PROXY, MoveReason.OPERATOR, "figures"));

        List<MoverEffect> effects = mover.on(new MoverEvent.LookedAgain(view(known(2, fenced)), again, true), 0);

        assertThat(effects).hasSize(2).first().isInstanceOf(MoverEffect.Release.class);
        assertThat(effects.getLast())
                .isInstanceOfSatisfying(
                        MoverEffect.Finished.class,
                        finished -> assertThat(finished.refusal()).isEqualTo(StayReason.VIEW_WAS_OLD));
    }

    @Test
    void shouldTakeTheLocksOfBothSites_whenTheNodeChangesItsSite() {
        SiteId blog = new SiteId(SHOP.value() + 1);
        Decision.Change between = Decision.Change.of(
                blog,
                new Decision.Move(blog, node(2), APP, Role.serving(blog, Tier.PROXY), MoveReason.GUARANTEE, "figures"));

        assertThat(mover.on(new MoverEvent.Begin(between), 0))
                .containsExactly(new MoverEffect.TryLock(List.of(SHOP, blog)));
        assertThat(mover.on(new MoverEvent.LockAcquired(), 0))
                .containsExactly(new MoverEffect.Fence(List.of(SHOP, blog)));
    }

    @Test
    void shouldExpectTheFencedWord_whenFreshDataAgrees() {
        assertThat(untilOrder())
                .containsExactly(new MoverEffect.Order(CHANGE, List.of(new MoverEffect.Ordering(MOVE, FENCED, ORDER))));
    }

    @Test
    void shouldNotOrder_whenTheFenceHasMissedTheNode() {
        begin();
        mover.on(new MoverEvent.LockAcquired(), 0);
        mover.on(new MoverEvent.Fenced(Map.of(node(1), RoleWord.active(9, 1, PROXY))), 0);
        assertThat(mover.on(new MoverEvent.LookedAgain(VIEW, CHANGE, true), 0))
                .containsExactly(
                        new MoverEffect.Release(), notOrdered(StayReason.ORDER_NOT_SENT, "the fence missed it"));
    }

    @Test
    void shouldNotOrder_whenTheWordHasChangedSinceTheFence() {
        untilFenced();
        RoleWord changed = FENCED.fenced();
        assertThat(mover.on(new MoverEvent.LookedAgain(view(known(2, changed)), CHANGE, true), 0))
                .containsExactly(new MoverEffect.Release(), notOrdered(StayReason.VIEW_WAS_OLD, "it is " + changed));
    }

    @Test
    void shouldNotOrder_whenNoEpochIsLeft() {
        untilFenced();
        ClusterView full = view(known(1, RoleWord.active(RoleWord.MAX_EPOCH, 1, PROXY)), known(2, FENCED));
        assertThat(mover.on(new MoverEvent.LookedAgain(full, CHANGE, true), 0))
                .containsExactly(new MoverEffect.Release(), notOrdered(StayReason.ORDER_NOT_SENT, "no epoch is left"));
    }

    @Test
    void shouldReleaseAndStay_whenFreshDataDisagrees() {
        untilFenced();
        Decision stay = Decision.stay(SHOP, StayReason.NO_PRESSURE, "calm");
        assertThat(mover.on(new MoverEvent.LookedAgain(VIEW, stay, true), 0))
                .containsExactly(new MoverEffect.Release(), notOrdered(StayReason.NO_PRESSURE, "calm"));
    }

    @Test
    void shouldNotOrder_whenTheLeaseIsNoLongerSafe() {
        untilFenced();
        assertThat(mover.on(new MoverEvent.LookedAgain(VIEW, CHANGE, false), 0))
                .containsExactly(new MoverEffect.Release(), notOrdered(StayReason.LEASE_ENDED, "before the order"));
    }

    @Test
    void shouldWakeTheNode_whenTheSwapIsWon() {
        untilOrder();
        assertThat(mover.on(answered(new CasOutcome.Won()), 0))
                .containsExactly(new MoverEffect.Wake(Set.of(node(2))), new MoverEffect.Ordered(MOVE, ORDER));
        assertThat(mover.isWatching()).isTrue();
    }

    @Test
    void shouldNotInsist_whenTheSwapIsLost() {
        untilOrder();
        RoleWord actual = RoleWord.active(7, 3, PROXY);
        assertThat(mover.on(answered(new CasOutcome.Lost(actual)), 0))
                .containsExactly(new MoverEffect.Release(), notOrdered(StayReason.VIEW_WAS_OLD, "it is " + actual));
    }

    @Test
    void shouldGiveUp_whenTheVictimsWordIsNone() {
        untilOrder();
        assertThat(mover.on(answered(new CasOutcome.Malformed(0x1F)), 0))
                .containsExactly(
                        new MoverEffect.Release(),
                        notOrdered(StayReason.VIEW_WAS_OLD, "its role word is malformed: 1f"));
    }

    @Test
    void shouldGiveUp_whenTheVictimIsUnreachable() {
        untilOrder();
        assertThat(mover.on(answered(new CasOutcome.Unreachable("down")), 0))
                .containsExactly(new MoverEffect.Release(), notOrdered(StayReason.ORDER_NOT_SENT, "down"));
    }

    @Test
    void shouldConfirmByReading_whenTheSwapIsUnresolved() {
        untilOrder();
        assertThat(mover.on(answered(new CasOutcome.Unresolved("?")), 0)).isEmpty();
        assertThat(mover.on(new MoverEvent.Looked(VIEW), 1)).isEmpty();
        assertThat(mover.on(new MoverEvent.Looked(view(known(2, ORDER))), 2))
                .containsExactly(new MoverEffect.Wake(Set.of(node(2))), new MoverEffect.Ordered(MOVE, ORDER));
        assertThat(mover.on(new MoverEvent.Looked(view(known(2, ORDER))), 3)).isEmpty();
    }

    @Test
    void shouldLetGo_whenAnUnresolvedOrderIsNotSeenForALease() {
        untilOrder();
        mover.on(answered(new CasOutcome.Unresolved("?")), 0);
        assertThat(mover.on(new MoverEvent.Tick(), LEASE.toNanos()))
                .containsExactly(new MoverEffect.Release(), ended(MoverResult.ORDER_UNRESOLVED, ""));
    }

    @Test
    void shouldRenew_whenAThirdOfTheLeaseHasGone() {
        untilWatching();
        assertThat(mover.on(new MoverEvent.Tick(), LEASE.toNanos() / 3 - 1)).isEmpty();
        assertThat(mover.on(new MoverEvent.Tick(), LEASE.toNanos() / 3)).containsExactly(new MoverEffect.Renew());
        assertThat(mover.on(new MoverEvent.Renewed(true), LEASE.toNanos() / 3)).isEmpty();
        assertThat(mover.on(new MoverEvent.Tick(), LEASE.toNanos() / 3 + 1)).isEmpty();
    }

    @Test
    void shouldLetTheVictimGoOn_whenTheLeaseIsLost() {
        untilWatching();
        assertThat(mover.on(new MoverEvent.Renewed(false), 1))
                .containsExactly(new MoverEffect.Release(), ended(MoverResult.LEASE_LOST, ""));
    }

    @Test
    void shouldKeepTheLock_whenTheVictimIsStillUnderWay() {
        untilWatching();
        assertThat(mover.on(new MoverEvent.Looked(view(known(2, ORDER))), 1)).isEmpty();
        assertThat(mover.isWatching()).isTrue();
    }

    @Test
    void shouldEnd_whenTheVictimIsActive() {
        untilWatching();
        assertThat(mover.on(new MoverEvent.Looked(view(known(2, ORDER.completed()))), 1))
                .containsExactly(new MoverEffect.Release(), ended(MoverResult.COMPLETED, ""));
    }

    @Test
    void shouldEnd_whenTheVictimHasRolledBack() {
        untilWatching();
        assertThat(mover.on(new MoverEvent.Looked(view(known(2, ORDER.rolledBack()))), 1))
                .containsExactly(new MoverEffect.Release(), ended(MoverResult.ROLLED_BACK, ""));
    }

    @Test
    void shouldEnd_whenTheVictimIsDead() {
        untilWatching();
        LoadRecord load = new LoadRecord(0, Health.UP, 0, 0, 0, 0, 0, 0, 0);
        NodeView silent = new NodeView.Silent(node(2), ORDER, load, SlotReading.Reason.STALE, Silence.UNKNOWN);
        NodeView dead = new NodeView.Silent(node(2), ORDER, load, SlotReading.Reason.STALE, Silence.DEAD);
        assertThat(mover.on(new MoverEvent.Looked(view(silent)), 1)).isEmpty();
        assertThat(mover.on(new MoverEvent.Looked(view(dead)), 2))
                .containsExactly(new MoverEffect.Release(), ended(MoverResult.VICTIM_DEAD, "STALE"));
    }

    @Test
    void shouldEnd_whenTheVictimTakesTooLong() {
        untilWatching();
        mover.on(new MoverEvent.Renewed(true), PATIENCE_NANOS);
        assertThat(mover.on(new MoverEvent.Tick(), PATIENCE_NANOS))
                .containsExactly(new MoverEffect.Release(), ended(MoverResult.TIMED_OUT, ""));
    }

    @Test
    void shouldRelease_whenTheAgentLeaves() {
        untilWatching();
        assertThat(mover.on(new MoverEvent.Stop(), 1))
                .containsExactly(new MoverEffect.Release(), ended(MoverResult.AGENT_LEFT, ""));
    }

    /** Its agent was killed before the order was on its disk. */
    @Test
    void shouldEnd_whenTheVictimHasForgottenTheOrder() {
        untilWatching();
        assertThat(mover.on(new MoverEvent.Looked(view(known(2, BEFORE.atBoot(77)))), 1))
                .containsExactly(
                        new MoverEffect.Release(),
                        ended(MoverResult.ROLLED_BACK, "its agent has started anew and does not know the order"));
    }
}
