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
import dev.retier.state.CasOutcome;
import dev.retier.state.Epochs;
import dev.retier.state.RoleWord;
import dev.retier.testsupport.Seeded;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Any events in any order: the lock is taken and given back in turns, and nothing is ordered without it. */
class MoverSeededTest {
    private static final Decision.Move MOVE =
            new Decision.Move(SHOP, node(2), APP, PROXY, MoveReason.PRESSURE, "figures");
    private static final Decision.Change CHANGE = Decision.Change.of(SHOP, MOVE);
    private static final RoleWord BEFORE = RoleWord.active(6, 3, APP);
    private static final RoleWord FENCED = BEFORE.fenced();
    private static final RoleWord ORDER = FENCED.ordered(7, FENCED.fence(), PROXY);
    private static final int EVENTS = 300;

    private boolean isHeld;
    private boolean isFenced;
    private boolean isOrdered;
    private int finished;

    @Seeded(tries = 300)
    void shouldHoldTheLockWhileItActs_whenAnythingHappens(SplittableRandom random) {
        Mover mover = new Mover(Duration.ofMillis(50), Duration.ofMillis(200), new Epochs(List.of(SHOP)));
        List<MoverEvent> told = new ArrayList<>();
        long nowNanos = 0;
        for (int i = 0; i < EVENTS; i++) {
            nowNanos += random.nextLong(20_000_000);
            MoverEvent event = any(random);
            told.add(event);
            if (event instanceof MoverEvent.LockAcquired && isHeld) {
                continue;
            }
            boolean couldAcquire = !mover.isIdle() && !isHeld && !isOrdered;
            List<MoverEffect> effects = mover.on(event, nowNanos);
            if (event instanceof MoverEvent.LockAcquired && couldAcquire) {
                isHeld = effects.contains(new MoverEffect.Fence(List.of(SHOP)));
            }
            effects.forEach(effect -> check(effect, told));
            assertThat(mover.isIdle() && isHeld)
                    .as("idle with the lock after %s", told)
                    .isFalse();
        }
        for (int i = 0; i < 20; i++) {
            nowNanos += 50_000_000;
            mover.on(new MoverEvent.Tick(), nowNanos).forEach(effect -> check(effect, told));
            mover.on(new MoverEvent.Stop(), nowNanos).forEach(effect -> check(effect, told));
        }
        assertThat(isHeld).as("the lock is given back in the end").isFalse();
        assertThat(finished).isPositive();
    }

    private void check(MoverEffect effect, List<MoverEvent> told) {
        switch (effect) {
            case MoverEffect.Order _ -> {
                assertThat(isHeld).as("orders without the lock after %s", told).isTrue();
                assertThat(isFenced).as("orders without a fence after %s", told).isTrue();
                assertThat(isOrdered).as("orders twice after %s", told).isFalse();
                isOrdered = true;
            }
            case MoverEffect.Renew _ ->
                assertThat(isHeld).as("renews what it has not: %s", told).isTrue();
            case MoverEffect.Release _ -> {
                assertThat(isHeld).as("releases what it has not: %s", told).isTrue();
                isHeld = false;
                isFenced = false;
            }
            case MoverEffect.Finished _ -> {
                finished++;
                isOrdered = false;
            }
            case MoverEffect.LookAgain _ -> isFenced = true;
            case MoverEffect.TryLock _, MoverEffect.Fence _, MoverEffect.Wake _, MoverEffect.Ordered _ -> {}
        }
    }

    private static MoverEvent answered(CasOutcome outcome) {
        return new MoverEvent.Answered(Map.of(node(2), outcome));
    }

    private static MoverEvent any(SplittableRandom random) {
        return switch (random.nextInt(19)) {
            case 0, 1 -> new MoverEvent.Begin(CHANGE);
            case 2, 3 -> new MoverEvent.LockAcquired();
            case 4 -> new MoverEvent.LockHeld(node(3));
            case 5 -> new MoverEvent.LockUnavailable("none answer");
            case 6, 7 ->
                new MoverEvent.LookedAgain(
                        view(known(2, random.nextInt(4) > 0 ? FENCED : BEFORE)), CHANGE, random.nextBoolean());
            case 8 ->
                new MoverEvent.LookedAgain(
                        view(known(2, BEFORE)), Decision.stay(SHOP, StayReason.NO_PRESSURE, ""), true);
            case 9 -> answered(new CasOutcome.Won());
            case 10 -> answered(new CasOutcome.Unresolved("?"));
            case 11 -> answered(new CasOutcome.Lost(ORDER));
            case 12 -> new MoverEvent.Looked(view(known(2, random.nextBoolean() ? ORDER : ORDER.completed())));
            case 13 -> new MoverEvent.Renewed(random.nextInt(4) > 0);
            case 14 -> new MoverEvent.Stop();
            case 15, 16 -> new MoverEvent.Fenced(Map.of(node(2), FENCED));
            case 17 -> new MoverEvent.Fenced(Map.of());
            default -> new MoverEvent.Tick();
        };
    }
}
