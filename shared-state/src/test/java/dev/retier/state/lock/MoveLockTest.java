package dev.retier.state.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.link.LeaseTimes;
import dev.retier.link.NodeId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MoveLockTest {
    private static final NodeId ME = new NodeId(1);
    private static final NodeId OTHER = new NodeId(2);
    private static final NodeId STRANGER = new NodeId(99);
    private static final LeaseTimes TIMES = new LeaseTimes(300);
    private static final LockWord NEVER_HELD = new LockWord(0, 0, 0);
    private static final CasReply WON = new CasReply.Won();

    private final MoveLock one = new MoveLock(ME, Set.of(ME, OTHER)::contains, TIMES, 1);
    private final MoveLock three = new MoveLock(ME, Set.of(ME, OTHER)::contains, TIMES, 3);

    @Test
    void shouldTakeTheNextTerm_whenTheWordIsFree() {
        LockWord free = new LockWord(4, 0, 0);

        assertThat(swaps(one.propose(Map.of(0, free), 0))).containsExactly(new Swap(0, free, LockWord.heldBy(ME, 5)));
    }

    @Test
    void shouldWaitTheWholeLease_whenTheWordStandsStill() {
        LockWord held = new LockWord(4, OTHER.value(), 7);
        one.propose(Map.of(0, held), 1000);

        assertThat(ended(one.propose(Map.of(0, held), 1299))).isEqualTo(new Attempt.Occupied(OTHER, 4));
        assertThat(one.propose(Map.of(0, held), 1300)).isInstanceOf(LockStep.Exchange.class);
    }

    @Test
    void shouldCountEarlierSightings_whenALookHasSeenTheWord() {
        LockWord atBoot = LockWord.atBoot(OTHER, 1000);
        one.observe(0, atBoot, 0);

        assertThat(swaps(one.propose(Map.of(0, atBoot), 300)))
                .containsExactly(new Swap(0, atBoot, LockWord.heldBy(ME, 1001)));
    }

    @Test
    void shouldNeverProposeATermTwice_whenItsFirstTryCameToNothing() {
        one.propose(Map.of(0, NEVER_HELD), 0);

        assertThat(swaps(one.propose(Map.of(0, NEVER_HELD), 1)).getFirst().next())
                .isEqualTo(LockWord.heldBy(ME, 2));
    }

    @Test
    void shouldWaitAnew_whenTheHolderRenewed() {
        LockWord held = new LockWord(4, OTHER.value(), 7);
        one.propose(Map.of(0, held), 1000);
        one.propose(Map.of(0, held.renewed()), 1200);

        assertThat(ended(one.propose(Map.of(0, held.renewed()), 1400))).isEqualTo(new Attempt.Occupied(OTHER, 4));
    }

    @Test
    void shouldBeSafeFromTheFirstSwap_whenAMajorityIsWon() {
        Tenure tenure = taken(takeAll(50).next().after(Map.of(0, WON, 2, WON), 80));

        assertThat(tenure.term()).isEqualTo(1);
        assertThat(tenure.isSafe(249)).isTrue();
        assertThat(tenure.isSafe(250)).isFalse();
    }

    @Test
    void shouldGiveBackWhatItMayHaveWon_whenTheMajorityIsLost() {
        LockWord rival = LockWord.heldBy(OTHER, 1);
        LockStep<Attempt> undo =
                takeAll(50).next().after(Map.of(0, WON, 1, new CasReply.Lost(rival), 2, new CasReply.Unknown()), 80);

        assertThat(swaps(undo))
                .containsExactly(
                        new Swap(0, LockWord.heldBy(ME, 1), new LockWord(1, 0, 0)),
                        new Swap(2, LockWord.heldBy(ME, 1), new LockWord(1, 0, 0)));
        assertThat(ended(((LockStep.Exchange<Attempt>) undo).next().after(Map.of(), 90)))
                .isEqualTo(new Attempt.Occupied(OTHER, 1));
    }

    @Test
    void shouldAskForAHigherTermThanAnySeen_whenReplicasDiffer() {
        assertThat(swaps(three.propose(
                                Map.of(0, new LockWord(3, 0, 0), 1, new LockWord(9, 0, 0), 2, new LockWord(5, 0, 0)),
                                0))
                        .getFirst()
                        .next()
                        .term())
                .isEqualTo(10);
    }

    @Test
    void shouldSayTooFew_whenOnlyAMinorityAnswers() {
        assertThat(ended(three.propose(Map.of(1, NEVER_HELD), 0)))
                .isEqualTo(new Attempt.Unavailable("1 witnesses answered, 2 are needed"));
    }

    @Test
    void shouldRefuseAndThenRepair_whenATermIsFarAheadOfAll() {
        LockWord forged = LockWord.heldBy(OTHER, LockWord.MAX_TERM);
        one.observe(0, LockWord.heldBy(OTHER, 7), 0);

        assertThat(ended(one.propose(Map.of(0, forged), 1000)))
                .isEqualTo(
                        new Attempt.Unavailable("term 4294967295 of a move lock is far ahead of any that was given"));
        assertThat(swaps(one.propose(Map.of(0, forged), 1300)))
                .containsExactly(new Swap(0, forged, LockWord.heldBy(ME, 8)));
    }

    @Test
    void shouldRefuseAndThenRepair_whenTheHolderIsNoNodeOfTheCell() {
        LockWord forged = LockWord.heldBy(STRANGER, 7);

        assertThat(ended(one.propose(Map.of(0, forged), 1000)))
                .isEqualTo(new Attempt.Unavailable("holder node-99 of a move lock is no node of the cell"));
        assertThat(swaps(one.propose(Map.of(0, forged), 1300)))
                .containsExactly(new Swap(0, forged, LockWord.heldBy(ME, 8)));
    }

    @Test
    void shouldNameNoStrangerAsHolder_whenTheSwapsFindOne() {
        LockWord forged = LockWord.heldBy(STRANGER, 7);
        LockStep.Exchange<Attempt> take = take(one.propose(Map.of(0, NEVER_HELD), 0));

        assertThat(ended(take.next().after(Map.of(0, new CasReply.Lost(forged)), 10)))
                .isEqualTo(new Attempt.Unavailable("holder node-99 of a move lock is no node of the cell"));
    }

    @Test
    void shouldBelieveTheHighestTermAndNoneAbove_whenItReadsThem() {
        assertThat(one.flaw(LockWord.heldBy(OTHER, LockWord.HIGHEST_TERM))).isEmpty();
        assertThat(one.flaw(LockWord.heldBy(OTHER, LockWord.HIGHEST_TERM + 1)))
                .contains("term 4026531840 of a move lock is far ahead of any that was given");
    }

    /** What a lost swap has found is as good as a read: its lease runs from then on; its term is not given again. */
    @Test
    void shouldWaitFromTheLostSwapOn_whenARivalWasFaster() {
        LockWord rival = LockWord.heldBy(OTHER, 9);
        LockStep.Read<Attempt> first = (LockStep.Read<Attempt>) one.acquire();
        take(first.next().after(Map.of(0, NEVER_HELD), 0)).next().after(Map.of(0, new CasReply.Lost(rival)), 100);

        assertThat(ended(one.propose(Map.of(0, rival), 399))).isEqualTo(new Attempt.Occupied(OTHER, 9));
        assertThat(swaps(one.propose(Map.of(0, rival), 400)))
                .containsExactly(new Swap(0, rival, LockWord.heldBy(ME, 10)));
    }

    @Test
    void shouldRefuse_whenNoTermIsLeft() {
        LockWord last = new LockWord(LockWord.HIGHEST_TERM, 0, 0);

        assertThat(ended(one.propose(Map.of(0, last), 0)))
                .isEqualTo(new Attempt.Unavailable("no term is left above 4026531839"));
    }

    @Test
    void shouldRenewOnlyItsOwnReplicas_whenOneWasTakenOver() {
        LockWord mine = LockWord.heldBy(ME, 4);

        Tenure tenure = new Tenure(three, 4, 100);
        LockStep.Read<Boolean> renewal = (LockStep.Read<Boolean>) tenure.renew();

        LockStep.Exchange<Boolean> exchange =
                take(renewal.next().after(Map.of(0, mine, 1, mine, 2, LockWord.heldBy(OTHER, 5)), 0));
        assertThat(exchange.swaps())
                .containsExactlyInAnyOrder(new Swap(0, mine, mine.renewed()), new Swap(1, mine, mine.renewed()));
        assertThat(renewal.next().after(Map.of(0, mine, 2, LockWord.heldBy(OTHER, 5)), 0))
                .isEqualTo(new LockStep.Ended<>(false));
        assertThat(three.own(3, Map.of(0, mine, 1, mine), LockWord::renewed)).isEmpty();
    }

    @Test
    void shouldLoseTheLease_whenTheRenewalsMissTheMajority() {
        LockWord mine = LockWord.heldBy(ME, 4);
        Tenure tenure = new Tenure(three, 4, 100);
        LockStep.Exchange<Boolean> renewal =
                take(((LockStep.Read<Boolean>) tenure.renew()).next().after(Map.of(0, mine, 1, mine), 70));

        assertThat(renewal.next().after(Map.of(0, WON, 1, new CasReply.Unknown()), 90))
                .isEqualTo(new LockStep.Ended<>(false));
        assertThat(tenure.isSafe(99)).isTrue();
        assertThat(tenure.isSafe(100)).isFalse();
        assertThat(renewal.next().after(Map.of(0, WON, 1, WON), 90)).isEqualTo(new LockStep.Ended<>(true));
        assertThat(tenure.isSafe(269)).isTrue();
        assertThat(tenure.isSafe(270)).isFalse();
    }

    @Test
    void shouldBeSafeForLongerFromTheFirstSwap_whenRenewed() {
        Tenure tenure = heldByMe();
        LockWord mine = LockWord.heldBy(ME, 1);
        LockStep.Exchange<Boolean> renewal =
                take(((LockStep.Read<Boolean>) tenure.renew()).next().after(Map.of(0, mine), 150));

        assertThat(renewal.swaps()).containsExactly(new Swap(0, mine, mine.renewed()));
        assertThat(renewal.next().after(Map.of(0, WON), 190)).isEqualTo(new LockStep.Ended<>(true));
        assertThat(tenure.isSafe(349)).isTrue();
        assertThat(tenure.isSafe(350)).isFalse();
    }

    @Test
    void shouldRunOutAsItWouldHave_whenTheRenewalIsNotAnswered() {
        Tenure tenure = heldByMe();
        LockStep.Exchange<Boolean> renewal =
                take(((LockStep.Read<Boolean>) tenure.renew()).next().after(Map.of(0, LockWord.heldBy(ME, 1)), 150));

        assertThat(renewal.next().after(Map.of(), 160)).isEqualTo(new LockStep.Ended<>(false));
        assertThat(tenure.isSafe(199)).isTrue();
        assertThat(tenure.isSafe(200)).isFalse();
    }

    @Test
    void shouldActNoMoreFromTheFirstStepOn_whenGivenUp() {
        Tenure tenure = heldByMe();
        LockWord mine = LockWord.heldBy(ME, 1);
        LockStep.Read<Boolean> release = (LockStep.Read<Boolean>) tenure.release();

        assertThat(tenure.isSafe(1)).isFalse();
        assertThat(swaps(release.next().after(Map.of(0, mine), 10)))
                .containsExactly(new Swap(0, mine, mine.released()));
        assertThat(release.next().after(Map.of(0, LockWord.heldBy(OTHER, 2)), 10))
                .isEqualTo(new LockStep.Ended<>(true));
        assertThat(tenure.release()).isEqualTo(new LockStep.Ended<>(false));
        assertThat(tenure.renew()).isEqualTo(new LockStep.Ended<>(false));
    }

    @Test
    void shouldRefuse_whenTheNumberOfWitnessesIsEvenOrTooLarge() {
        assertThatThrownBy(() -> new MoveLock(ME, _ -> true, TIMES, 2)).hasMessageContaining("1, 3 or 5");
        assertThatThrownBy(() -> new MoveLock(ME, _ -> true, TIMES, 7)).hasMessageContaining("1, 3 or 5");
        assertThatThrownBy(() -> new LeaseTimes(2)).hasMessageContaining("2 ns");
    }

    private LockStep.Exchange<Attempt> takeAll(long nowNanos) {
        return take(three.propose(Map.of(0, NEVER_HELD, 1, NEVER_HELD, 2, NEVER_HELD), nowNanos));
    }

    /** On one witness since 0, so safe until 200. */
    private Tenure heldByMe() {
        return taken(take(one.propose(Map.of(0, NEVER_HELD), 0)).next().after(Map.of(0, WON), 0));
    }

    private static <R> LockStep.Exchange<R> take(LockStep<R> step) {
        assertThat(step).isInstanceOf(LockStep.Exchange.class);
        return (LockStep.Exchange<R>) step;
    }

    private static List<Swap> swaps(LockStep<?> step) {
        return take(step).swaps();
    }

    private static Attempt ended(LockStep<Attempt> step) {
        assertThat(step).isInstanceOf(LockStep.Ended.class);
        return ((LockStep.Ended<Attempt>) step).result();
    }

    private static Tenure taken(LockStep<Attempt> step) {
        return ((Attempt.Taken) ended(step)).tenure();
    }
}
