package dev.retier.fabric.locks.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.fabric.locks.protocol.LockOperation.Draw;
import dev.retier.fabric.locks.protocol.LockOperation.Look;
import dev.retier.fabric.locks.protocol.LockOperation.Swap;
import dev.retier.fabric.locks.protocol.TicketLock.Found;
import dev.retier.link.LeaseTimes;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** One node that has, once it has drawn, ticket 7. */
class TicketLockTest {
    private static final long LEASE = 30_000_000;
    private static final long SAFE = 20_000_000;
    private static final long RENEW = 10_000_000;
    private static final long FIRST_LOOK = 50_000;
    private static final long LONGEST_LOOK = 2_000_000;
    private static final long LIFE = 3;
    private static final long TICKET = 7;
    private static final long FIRST_TOKEN = 7168;
    private static final NowServing BEFORE_MINE = new NowServing(6, 4);
    private static final NowServing MINE = new NowServing(TICKET, 0);
    private static final NowServing CLAIMED = new NowServing(TICKET, 1);
    private static final NowServing PASSED = new NowServing(8, 0);
    private static final Draw DRAW = new Draw();
    private static final Look LOOK = new Look();

    private final TicketLock lock = new TicketLock(new LeaseTimes(LEASE));

    @Test
    void shouldDoNothing_whenNobodyWantsTheLock() {
        assertThat(lock.next(1000)).isEmpty();
        assertThat(lock.wakeNanos()).isEmpty();
        assertThat(lock.takeGrants()).isEmpty();
    }

    @Test
    void shouldDrawOnce_whenAThreadWantsTheLock() {
        lock.request(1);

        assertThat(lock.wakeNanos()).hasValue(0);
        assertThat(lock.next(0)).contains(DRAW);
        assertThat(lock.next(0)).isEmpty();
        assertThat(lock.wakeNanos()).isEmpty();
    }

    @Test
    void shouldLookAtOnce_whenTheTicketIsDrawn() {
        draw(40);

        assertThat(lock.wakeNanos()).hasValue(40);
        assertThat(lock.next(39)).isEmpty();
        assertThat(lock.next(40)).contains(LOOK);
        assertThat(lock.wakeNanos()).isEmpty();
    }

    @Test
    void shouldGrant_whenItsTurnIsClaimed() {
        draw(0);
        look(0, MINE);
        assertThat(lock.takeGrants()).isEmpty();
        swap(0, MINE, CLAIMED);

        assertThat(lock.takeGrants()).containsExactly(new TicketGrant(1, FIRST_TOKEN));
        assertThat(lock.takeGrants()).isEmpty();
        assertThat(lock.next(0)).isEmpty();
    }

    @Test
    void shouldBeSafeForTwoThirdsOfALeaseFromWhenTheClaimBegan_whenItHolds() {
        draw(0);
        look(0, MINE);
        LockOperation claim = lock.next(1000).orElseThrow();
        lock.done(claim, found(MINE), 1000, 9000);
        TicketGrant grant = lock.takeGrants().getFirst();

        assertThat(lock.isSafe(grant, 1000 + SAFE - 1)).isTrue();
        assertThat(lock.isSafe(grant, 1000 + SAFE)).isFalse();
        assertThat(lock.isSafe(new TicketGrant(2, FIRST_TOKEN), 1000)).isFalse();
        assertThat(lock.wakeNanos()).hasValue(1000 + RENEW);
    }

    @Test
    void shouldRenewAfterAThirdOfALease_whenItHolds() {
        TicketGrant grant = win();

        assertThat(lock.wakeNanos()).hasValue(RENEW);
        assertThat(lock.next(RENEW - 1)).isEmpty();
        Swap renewal = new Swap(CLAIMED, new NowServing(TICKET, 2));
        assertThat(lock.next(RENEW)).contains(renewal);
        assertThat(lock.wakeNanos()).isEmpty();
        lock.done(renewal, found(CLAIMED), RENEW, RENEW + 500);

        assertThat(lock.isSafe(grant, RENEW + SAFE - 1)).isTrue();
        assertThat(lock.isSafe(grant, RENEW + SAFE)).isFalse();
        assertThat(lock.next(2 * RENEW - 1)).isEmpty();
        assertThat(lock.next(2 * RENEW)).contains(new Swap(new NowServing(TICKET, 2), new NowServing(TICKET, 3)));
    }

    @Test
    void shouldGrantNothing_whenTheClaimTookUntilTheSafeTimeEnded() {
        draw(0);
        look(0, MINE);
        LockOperation claim = lock.next(0).orElseThrow();
        lock.done(claim, found(MINE), 0, SAFE);

        assertThat(lock.takeGrants()).isEmpty();
        assertThat(lock.next(SAFE)).contains(new Swap(CLAIMED, PASSED));
    }

    @Test
    void shouldHandOverAtOnce_whenAnotherThreadOfTheNodeWaits() {
        TicketGrant first = win();
        lock.request(2);
        lock.release(first, SAFE - 1);

        TicketGrant second = new TicketGrant(2, FIRST_TOKEN + 1);
        assertThat(lock.takeGrants()).containsExactly(second);
        assertThat(lock.isSafe(first, 0)).isFalse();
        assertThat(lock.isSafe(second, 0)).isTrue();
    }

    @Test
    void shouldNotHandOver_whenItMayNotActAnyMore() {
        TicketGrant first = win();
        lock.request(2);
        lock.release(first, SAFE);

        assertThat(lock.takeGrants()).isEmpty();
        swap(SAFE, CLAIMED, PASSED);
        assertThat(lock.next(SAFE)).contains(DRAW);
    }

    @Test
    void shouldKeepTheHolder_whenAnotherGrantIsReleased() {
        TicketGrant first = win();
        lock.request(2);
        lock.release(new TicketGrant(1, FIRST_TOKEN - 1), 0);

        assertThat(lock.takeGrants()).isEmpty();
        assertThat(lock.isSafe(first, 0)).isTrue();
    }

    @Test
    void shouldHandOver_whenAThreadAsksBetweenTheReleaseAndThePassing() {
        lock.release(win(), 10);
        assertThat(lock.takeGrants()).isEmpty();
        lock.request(2);

        assertThat(lock.next(20)).isEmpty();
        assertThat(lock.takeGrants()).containsExactly(new TicketGrant(2, FIRST_TOKEN + 1));
    }

    @Test
    void shouldPassTheTurnOnAndRest_whenNobodyWantsItAnyMore() {
        lock.release(win(), 10);
        swap(10, CLAIMED, PASSED);

        assertThat(lock.next(20)).isEmpty();
        assertThat(lock.wakeNanos()).isEmpty();
    }

    @Test
    void shouldPassTheTurnOn_whenItHasHandedOverSixteenTimes() {
        TicketGrant holding = win();
        for (int request = 2; request <= 30; request++) {
            lock.request(request);
        }
        for (int grants = 1; grants < TicketLock.MAX_HANDOVERS; grants++) {
            lock.release(holding, 0);
            holding = lock.takeGrants().getFirst();
        }
        assertThat(holding).isEqualTo(new TicketGrant(16, FIRST_TOKEN + 15));

        lock.release(holding, 0);
        assertThat(lock.takeGrants()).isEmpty();
        swap(0, CLAIMED, PASSED);
        assertThat(lock.next(FIRST_LOOK)).contains(DRAW);
        lock.done(DRAW, new Found(9, LIFE), FIRST_LOOK, FIRST_LOOK);
        look(FIRST_LOOK, new NowServing(9, 0));
        swap(FIRST_LOOK, new NowServing(9, 0), new NowServing(9, 1));
        assertThat(lock.takeGrants()).containsExactly(new TicketGrant(17, 9216));
    }

    @Test
    void shouldSayWhetherItWaited_whenAThreadCancels() {
        lock.request(1);

        assertThat(lock.cancel(2)).isFalse();
        assertThat(lock.cancel(1)).isTrue();
        assertThat(lock.cancel(1)).isFalse();
        assertThat(lock.next(0)).isEmpty();
    }

    @Test
    void shouldPassItsTurnOnUnclaimed_whenNobodyWantsItsTicketAnyMore() {
        draw(0);
        lock.cancel(1);
        look(0, MINE);
        swap(0, MINE, PASSED);

        assertThat(lock.takeGrants()).isEmpty();
        assertThat(lock.next(100)).isEmpty();
        assertThat(lock.wakeNanos()).isEmpty();
    }

    @Test
    void shouldLookLessAndLessOften_whenTheTurnDoesNotChange() {
        draw(0);
        long now = 0;
        for (long pause :
                List.of(50_000L, 100_000L, 200_000L, 400_000L, 800_000L, 1_600_000L, 2_000_000L, 2_000_000L)) {
            look(now, BEFORE_MINE);
            assertThat(lock.wakeNanos()).hasValue(now + pause);
            assertThat(lock.next(now + pause - 1)).isEmpty();
            now += pause;
        }

        look(now, new NowServing(6, 5));
        assertThat(lock.wakeNanos()).hasValue(now + FIRST_LOOK);
    }

    @Test
    void shouldPassADeadOwnersTurnOn_whenItHasWatchedItForMoreThanALease() {
        draw(0);
        look(0, BEFORE_MINE);
        look(LEASE, BEFORE_MINE);
        assertThat(lock.next(LEASE)).isEmpty();

        swap(LEASE + 1, BEFORE_MINE, MINE);
        swap(LEASE + 1, MINE, CLAIMED);
        assertThat(lock.takeGrants()).hasSize(1);
    }

    @Test
    void shouldWatchForAWholeLeaseAgain_whenTheOwnerHasBeaten() {
        draw(0);
        look(0, BEFORE_MINE);
        look(LEASE, new NowServing(6, 5));

        assertThat(lock.next(LEASE + 1)).isEmpty();
        assertThat(lock.next(2 * LEASE)).contains(LOOK);
        lock.done(LOOK, found(new NowServing(6, 5)), 2 * LEASE, 2 * LEASE);
        swap(2 * LEASE + 1, new NowServing(6, 5), MINE);
    }

    @Test
    void shouldTakeTheTurnAsItIs_whenAnotherWasQuickerToPassItOn() {
        draw(0);
        look(0, new NowServing(5, 2));
        Optional<LockOperation> passing = lock.next(LEASE + 1);
        assertThat(passing).contains(new Swap(new NowServing(5, 2), new NowServing(6, 0)));
        lock.done(passing.orElseThrow(), found(BEFORE_MINE), LEASE + 1, LEASE + 1);

        assertThat(lock.next(LEASE + 1)).isEmpty();
        assertThat(lock.wakeNanos()).hasValue(LEASE + 1 + FIRST_LOOK);
        look(LEASE + 1 + FIRST_LOOK, BEFORE_MINE);
    }

    @Test
    void shouldDrawAgain_whenTheTurnIsPastItsTicket() {
        draw(0);
        look(0, PASSED);

        assertThat(lock.next(0)).contains(DRAW);
    }

    @Test
    void shouldLoseTheLock_whenTheTurnWasPassedOnBeforeItsRenewal() {
        TicketGrant grant = win();
        LockOperation renewal = lock.next(RENEW).orElseThrow();
        lock.done(renewal, found(PASSED), RENEW, RENEW);

        assertThat(lock.isSafe(grant, RENEW)).isFalse();
        assertThat(lock.wakeNanos()).isEmpty();
        lock.request(2);
        assertThat(lock.next(RENEW)).contains(DRAW);
    }

    @Test
    void shouldLoseTheLock_whenTheHomeHasAnotherLife() {
        TicketGrant grant = win();
        LockOperation renewal = lock.next(RENEW).orElseThrow();
        lock.done(renewal, new Found(CLAIMED.encode(), LIFE + 1), RENEW, RENEW);

        assertThat(lock.isSafe(grant, RENEW)).isFalse();
        lock.request(2);
        assertThat(lock.next(RENEW)).contains(DRAW);
    }

    @Test
    void shouldDrawAfterAPause_whenNobodyKnowsWhetherATicketWasDrawn() {
        lock.request(1);
        lock.next(100);
        lock.unknown(100);

        assertThat(lock.wakeNanos()).hasValue(100 + LONGEST_LOOK);
        assertThat(lock.next(100 + LONGEST_LOOK - 1)).isEmpty();
        assertThat(lock.next(100 + LONGEST_LOOK)).contains(DRAW);
    }

    @Test
    void shouldLookAfterAPauseAndHoldOn_whenNobodyKnowsWhetherItRenewed() {
        TicketGrant grant = win();
        lock.next(RENEW);
        lock.unknown(RENEW + 100);

        assertThat(lock.isSafe(grant, SAFE - 1)).isTrue();
        assertThat(lock.wakeNanos()).hasValue(RENEW + 100 + LONGEST_LOOK);
        assertThat(lock.next(RENEW + 100 + LONGEST_LOOK - 1)).isEmpty();
        look(RENEW + 100 + LONGEST_LOOK, new NowServing(TICKET, 2));

        assertThat(lock.isSafe(grant, SAFE - 1)).isTrue();
        assertThat(lock.isSafe(grant, SAFE)).isFalse();
        swap(SAFE - 1, new NowServing(TICKET, 2), new NowServing(TICKET, 3));
        assertThat(lock.isSafe(grant, SAFE - 1 + SAFE - 1)).isTrue();
        assertThat(lock.takeGrants()).isEmpty();
    }

    @Test
    void shouldLookAfterAPause_whenNobodyKnowsWhetherItClaimedItsTurn() {
        draw(0);
        look(0, MINE);
        lock.next(0);
        lock.unknown(200);

        assertThat(lock.takeGrants()).isEmpty();
        assertThat(lock.next(200 + LONGEST_LOOK - 1)).isEmpty();
        look(200 + LONGEST_LOOK, CLAIMED);
        swap(200 + LONGEST_LOOK, CLAIMED, new NowServing(TICKET, 2));
        assertThat(lock.takeGrants()).containsExactly(new TicketGrant(1, FIRST_TOKEN));
    }

    @Test
    void shouldCountTheLeaseAnew_whenALookWasNotAnswered() {
        draw(0);
        look(0, BEFORE_MINE);
        lock.next(FIRST_LOOK);
        lock.unknown(FIRST_LOOK);

        assertThat(lock.wakeNanos()).hasValue(FIRST_LOOK + LONGEST_LOOK);
        look(LEASE, BEFORE_MINE);
        assertThat(lock.wakeNanos()).hasValue(LEASE + FIRST_LOOK);
        assertThat(lock.next(LEASE + 1)).isEmpty();
    }

    private void draw(long now) {
        lock.request(1);
        assertThat(lock.next(now)).contains(DRAW);
        lock.done(DRAW, new Found(TICKET, LIFE), now, now);
    }

    /** It looks now, and sees {@code seen}. */
    private void look(long now, NowServing seen) {
        assertThat(lock.next(now)).contains(LOOK);
        lock.done(LOOK, found(seen), now, now);
    }

    /** It swaps now, and succeeds. */
    private void swap(long now, NowServing expected, NowServing next) {
        Swap swap = new Swap(expected, next);
        assertThat(lock.next(now)).contains(swap);
        lock.done(swap, found(expected), now, now);
    }

    /** Claims its turn at 0, for the thread that asked first. */
    private TicketGrant win() {
        draw(0);
        look(0, MINE);
        swap(0, MINE, CLAIMED);
        return lock.takeGrants().getFirst();
    }

    private static Found found(NowServing turn) {
        return new Found(turn.encode(), LIFE);
    }
}
