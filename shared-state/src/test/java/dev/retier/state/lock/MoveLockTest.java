package dev.retier.state.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.state.NodeId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MoveLockTest {
    private static final NodeId ME = new NodeId(1);
    private static final NodeId OTHER = new NodeId(2);
    private static final LeaseTimes TIMES = new LeaseTimes(300, 200);

    private final MoveLock one = new MoveLock(ME, TIMES, 1);
    private final MoveLock three = new MoveLock(ME, TIMES, 3);

    @Test
    void shouldTakeTheNextTerm_whenTheWordIsFree() {
        LockWord free = new LockWord(4, 0, 0);

        assertThat(one.propose(Map.of(0, free), 0))
                .isEqualTo(new MoveLock.Proposal.Take(5, List.of(new Swap(0, free, LockWord.heldBy(ME, 5)))));
    }

    @Test
    void shouldWaitTheWholeLease_whenTheWordStandsStill() {
        LockWord held = new LockWord(4, OTHER.value(), 7);
        one.propose(Map.of(0, held), 1000);

        assertThat(one.propose(Map.of(0, held), 1299)).isEqualTo(new MoveLock.Proposal.Held(OTHER, 4));
        assertThat(one.propose(Map.of(0, held), 1300)).isInstanceOf(MoveLock.Proposal.Take.class);
    }

    @Test
    void shouldCountEarlierSightings_whenALookHasSeenTheWord() {
        LockWord atBoot = LockWord.atBoot(OTHER, 1000);
        one.observe(0, atBoot, 0);

        assertThat(one.propose(Map.of(0, atBoot), 300))
                .isEqualTo(new MoveLock.Proposal.Take(1001, List.of(new Swap(0, atBoot, LockWord.heldBy(ME, 1001)))));
    }

    @Test
    void shouldNeverProposeATermTwice_whenItsFirstTryCameToNothing() {
        one.propose(Map.of(0, LockWord.NEVER_HELD), 0);

        assertThat(one.propose(Map.of(0, LockWord.NEVER_HELD), 1))
                .isInstanceOfSatisfying(
                        MoveLock.Proposal.Take.class,
                        take -> assertThat(take.term()).isEqualTo(2));
    }

    @Test
    void shouldWaitAnew_whenTheHolderRenewed() {
        LockWord held = new LockWord(4, OTHER.value(), 7);
        one.propose(Map.of(0, held), 1000);
        one.propose(Map.of(0, held.renewed()), 1200);

        assertThat(one.propose(Map.of(0, held.renewed()), 1400)).isEqualTo(new MoveLock.Proposal.Held(OTHER, 4));
    }

    @Test
    void shouldBeSafeFromTheFirstSwap_whenAMajorityIsWon() {
        MoveLock.Proposal.Take take = takeAll();

        assertThat(three.conclude(take, Map.of(0, new CasReply.Won(), 2, new CasReply.Won()), 50, 80))
                .isEqualTo(new MoveLock.Verdict.Won(1, 250));
    }

    @Test
    void shouldGiveBackWhatItMayHaveWon_whenTheMajorityIsLost() {
        MoveLock.Proposal.Take take = takeAll();
        LockWord rival = LockWord.heldBy(OTHER, 1);

        assertThat(three.conclude(
                        take,
                        Map.of(0, new CasReply.Won(), 1, new CasReply.Lost(rival), 2, new CasReply.Unknown()),
                        50,
                        80))
                .isEqualTo(new MoveLock.Verdict.Lost(
                        Optional.of(rival),
                        List.of(
                                new Swap(0, LockWord.heldBy(ME, 1), new LockWord(1, 0, 0)),
                                new Swap(2, LockWord.heldBy(ME, 1), new LockWord(1, 0, 0)))));
    }

    @Test
    void shouldAskForAHigherTermThanAnySeen_whenReplicasDiffer() {
        assertThat(three.propose(
                        Map.of(0, new LockWord(3, 0, 0), 1, new LockWord(9, 0, 0), 2, new LockWord(5, 0, 0)), 0))
                .isInstanceOfSatisfying(
                        MoveLock.Proposal.Take.class,
                        take -> assertThat(take.term()).isEqualTo(10));
    }

    @Test
    void shouldSayTooFew_whenOnlyAMinorityAnswers() {
        assertThat(three.propose(Map.of(1, LockWord.NEVER_HELD), 0)).isEqualTo(new MoveLock.Proposal.TooFew(1, 2));
    }

    @Test
    void shouldRenewOnlyItsOwnReplicas_whenOneWasTakenOver() {
        LockWord mine = LockWord.heldBy(ME, 4);

        assertThat(three.renewal(4, Map.of(0, mine, 1, mine, 2, LockWord.heldBy(OTHER, 5))))
                .hasValueSatisfying(swaps -> assertThat(swaps)
                        .containsExactlyInAnyOrder(
                                new Swap(0, mine, mine.renewed()), new Swap(1, mine, mine.renewed())));
        assertThat(three.renewal(4, Map.of(0, mine, 2, LockWord.heldBy(OTHER, 5))))
                .isEmpty();
        assertThat(three.renewal(3, Map.of(0, mine, 1, mine))).isEmpty();
    }

    @Test
    void shouldLoseTheLease_whenTheRenewalsMissTheMajority() {
        assertThat(three.renewed(Map.of(0, new CasReply.Won(), 1, new CasReply.Won()), 70))
                .contains(270L);
        assertThat(three.renewed(Map.of(0, new CasReply.Won(), 1, new CasReply.Unknown()), 70))
                .isEmpty();
    }

    @Test
    void shouldRefuse_whenTheNumberOfWitnessesIsEvenOrTooLarge() {
        assertThatThrownBy(() -> new MoveLock(ME, TIMES, 2)).hasMessageContaining("1, 3 or 5");
        assertThatThrownBy(() -> new MoveLock(ME, TIMES, 7)).hasMessageContaining("1, 3 or 5");
        assertThatThrownBy(() -> new LeaseTimes(100, 100)).hasMessageContaining("99");
    }

    private MoveLock.Proposal.Take takeAll() {
        return (MoveLock.Proposal.Take)
                three.propose(Map.of(0, LockWord.NEVER_HELD, 1, LockWord.NEVER_HELD, 2, LockWord.NEVER_HELD), 0);
    }
}
