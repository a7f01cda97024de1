package dev.retier.state.verbs;

import static dev.retier.state.verbs.SteppedCell.LEASE;
import static dev.retier.state.verbs.SteppedCell.LOAD;
import static dev.retier.state.verbs.SteppedCell.ROLE;
import static dev.retier.state.verbs.SteppedCell.SITE;
import static dev.retier.state.verbs.SteppedCell.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.link.Gathering;
import dev.retier.link.LinkMetric;
import dev.retier.link.StateException;
import dev.retier.state.CasOutcome;
import dev.retier.state.LoadRecord;
import dev.retier.state.LockOutcome;
import dev.retier.state.MoveLease;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SharedState;
import dev.retier.state.SiteId;
import dev.retier.state.SlotReading;
import dev.retier.state.StateMetric;
import dev.retier.state.lock.LockWord;
import dev.retier.state.slot.SlotLayout;
import dev.retier.testsupport.verbs.Kind;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Three nodes of one cell, whose first is the witness; and some of six. */
class VerbsSharedStateTest {
    private final SteppedCell cell = new SteppedCell(3, 1);

    @Test
    void shouldSeeWhatOthersPublish_whenAllAreUp() {
        cell.open();
        LoadRecord load = new LoadRecord(4, LoadRecord.Health.LEAVING, 0.75, 0, 1, 12.5, 9, 400, 0);
        cell.at(2).publish(load);

        assertThat(known(1, 2).load()).isEqualTo(load);
        assertThat(known(3, 2).roleWord()).isEqualTo(cell.word(2));
        assertThat(known(2, 2).heartbeat()).isEqualTo(2);
        assertThat(cell.at(2).self()).isEqualTo(node(2));
        assertThat(cell.count(2, LinkMetric.CONNECTIONS)).isEqualTo(3);
    }

    @Test
    void shouldNameThePeersOfAnotherDigest_untilTheyHaveTheSame() {
        cell.digests.put(node(3), SteppedCell.digest(2));
        cell.open();

        assertThat(cell.at(1).differing()).containsExactly(node(3));
        assertThat(cell.at(2).differing()).containsExactly(node(3));
        assertThat(cell.at(3).differing()).containsExactlyInAnyOrder(node(1), node(2));

        cell.at(3).digest(SteppedCell.digest(1));
        cell.pass(Duration.ofSeconds(2));

        for (int node = 1; node <= 3; node++) {
            assertThat(cell.at(node).differing()).isEmpty();
            assertThat(cell.known(node)).isEqualTo(3);
        }
    }

    @Test
    void shouldNameNobody_whenOneOfThemHasToldNoDigest() {
        cell.digests.put(node(3), SteppedCell.digest(0));
        cell.open();

        assertThat(cell.at(1).differing()).isEmpty();
        assertThat(cell.at(3).differing()).isEmpty();
    }

    @Test
    void shouldChangeTheWordOfTheNode_whenTheOldOneIsAsExpected() {
        cell.open();
        RoleWord word = cell.word(3);

        assertThat(cell.at(1).compareAndSetRole(node(3), word, word.fenced())).isEqualTo(new CasOutcome.Won());
        assertThat(cell.word(3)).isEqualTo(word.fenced());
    }

    @Test
    void shouldGoOnWithTheRest_whenAPeerLeavesAndComesBack() {
        cell.open();
        long before = known(1, 3).incarnation();
        cell.close(3);

        assertThat(cell.at(1).look().get(node(3))).isEqualTo(new SlotReading.Unknown(SlotReading.Reason.NOT_CONNECTED));
        assertThat(known(1, 2).load()).isEqualTo(LOAD);
        assertThat(cell.at(1).compareAndSetRole(node(3), ROLE, ROLE)).isInstanceOf(CasOutcome.Unreachable.class);

        cell.open(3);
        cell.pass(Duration.ofSeconds(3));
        assertThat(cell.count(1, LinkMetric.CONNECTIONS_LEFT)).isEqualTo(1);
        assertThat(known(1, 3).incarnation()).isNotEqualTo(before);
    }

    /** The one whose swap is lost on its way is dropped after a while; whoever asks meanwhile is answered. */
    @Test
    void shouldDropTheOneAndConnectAnew_whenAPeerStalls() {
        cell.open();
        RoleWord before = cell.word(2);
        cell.world.hold(Kind.ATOMIC);

        assertThat(cell.at(1).compareAndSetRole(node(2), before, before.fenced()))
                .isInstanceOf(CasOutcome.Unresolved.class);
        cell.world.dropWaiting();
        cell.world.release();
        assertThat(cell.known(1)).isEqualTo(3);
        cell.pass(Duration.ofSeconds(8));

        assertThat(cell.count(1, LinkMetric.CONNECTIONS_STALLED)).isEqualTo(1);
        assertThat(cell.known(1)).isEqualTo(3);
        assertThat(cell.at(1).compareAndSetRole(node(2), before, before.fenced()))
                .isEqualTo(new CasOutcome.Won());
    }

    @Test
    void shouldWakeEveryNodeOnce_whenOneAnnounces() throws InterruptedException {
        cell.open();

        assertThat(cell.at(1).announce()).isEqualTo(3);
        cell.step();
        for (int node = 1; node <= 3; node++) {
            assertThat(cell.at(node).awaitAnnouncement(0, Duration.ZERO)).isEqualTo(1);
            assertThat(cell.count(node, StateMetric.ANNOUNCEMENTS_HEARD)).isEqualTo(1);
        }
    }

    @Test
    void shouldWakeTheNamedNodesAlone_andLookAtThemAlone() throws InterruptedException {
        cell.open();

        assertThat(cell.at(1).announce(Set.of(node(3), node(9)))).isEqualTo(1);
        cell.step();

        assertThat(cell.at(3).callers()).containsExactly(node(1));
        assertThat(cell.at(2).awaitAnnouncement(0, Duration.ZERO)).isZero();
        assertThat(cell.at(1).awaitAnnouncement(0, Duration.ZERO)).isZero();
        assertThat(cell.at(3).look(Set.of(node(1), node(3), node(9)))).containsOnlyKeys(node(1), node(3));
    }

    /** More often than receives are posted: each has to be posted again. */
    @Test
    void shouldHearEach_whenOneAnnouncesAgainAndAgain() {
        cell.open();
        for (int i = 0; i < 3 * Local.RECEIVES; i++) {
            assertThat(cell.at(1).announce()).isEqualTo(3);
            cell.step();
        }

        assertThat(cell.count(2, StateMetric.ANNOUNCEMENTS_HEARD)).isEqualTo(3 * Local.RECEIVES);
    }

    @Test
    void shouldCountThoseOnWhoseWayAMessageIs_whenSomeAreAway() {
        cell.open();
        cell.close(3);
        assertThat(cell.at(1).announce()).isEqualTo(2);
        cell.world.hold(Kind.SEND);

        assertThat(cell.at(1).announce()).as("none is on its way to node 2").isEqualTo(1);
    }

    @Test
    void shouldGiveTheLockToOneAtATime_whenTwoWantIt() {
        cell.open();
        MoveLease first = cell.acquire(2);

        assertThat(cell.at(3).tryAcquireMoveLock(SITE)).isEqualTo(new LockOutcome.Held(node(2), first.term()));
        assertThat(first.renew()).isTrue();
        assertThat(first.isSafe()).isTrue();
        first.release();
        assertThat(first.isSafe()).isFalse();
        assertThat(((LockOutcome.Acquired) cell.at(3).tryAcquireMoveLock(SITE))
                        .lease()
                        .term())
                .isEqualTo(first.term() + 1);
    }

    @Test
    void shouldGiveNoLock_whenTheWitnessHasJustStarted() {
        cell.open();

        assertThat(cell.at(2).tryAcquireMoveLock(SITE))
                .isInstanceOfSatisfying(
                        LockOutcome.Held.class,
                        held -> assertThat(held.holder()).isEqualTo(node(1)));
    }

    @Test
    void shouldTakeTheLockAtOnce_whenItsLooksHaveWatchedForTheLease() {
        cell.open();
        cell.at(2).look();
        cell.pass(LEASE);

        assertThat(cell.at(2).tryAcquireMoveLock(SITE)).isInstanceOf(LockOutcome.Acquired.class);
        assertThat(cell.at(3).tryAcquireMoveLock(new SiteId(2)))
                .as("a node that has not looked")
                .isInstanceOf(LockOutcome.Held.class);
    }

    @Test
    void shouldPublishAndReadAndMoveNothing_whenTheDeviceHasNoAtomics() {
        SteppedCell siw = new SteppedCell(3, 1);
        siw.world.atomics(false, false);
        siw.open();

        assertThat(siw.known(2)).isEqualTo(3);
        assertThat(siw.at(2).tryAcquireMoveLock(SITE))
                .isInstanceOfSatisfying(
                        LockOutcome.Unavailable.class,
                        refused -> assertThat(refused.reason()).startsWith("memory has no atomics"));
        RoleWord word = siw.word(1);
        assertThat(siw.at(2).compareAndSetRole(node(1), word, word.fenced()))
                .isInstanceOfSatisfying(
                        CasOutcome.Unreachable.class,
                        refused -> assertThat(refused.reason()).startsWith("memory has no atomics"));
        assertThat(siw.known(2)).as("no connection was lost by it").isEqualTo(3);
    }

    /** Whoever looks is to end, for its unit to start it again: it would be unseen, and see nobody, for ever. */
    @Test
    void shouldRefuseToLook_whenItsDeviceWasTakenAway() {
        cell.open();
        cell.removeDevice(2);
        assertThatThrownBy(cell::step).isInstanceOf(StateException.class);

        assertThatThrownBy(() -> cell.at(2).look())
                .isInstanceOf(StateException.class)
                .hasMessageContaining("the device on which it listens was taken away); restart it");
        assertThat(cell.known(1)).as("the others go on").isEqualTo(3);
    }

    @Test
    void shouldTakeTheLockOver_whenItsHolderIsGoneForTheLease() {
        cell.open();
        MoveLease lost = cell.acquire(2);
        cell.close(2);
        assertThat(cell.at(3).tryAcquireMoveLock(SITE)).isEqualTo(new LockOutcome.Held(node(2), lost.term()));

        assertThat(cell.acquire(3).term()).isGreaterThan(lost.term());
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5})
    void shouldGoOnWithAMajority_whenWitnessesComeAndGo(int witnesses) {
        SteppedCell six = new SteppedCell(6, witnesses).open();
        MoveLease first = six.acquire(6);
        int minority = witnesses / 2;
        for (int witness = 1; witness <= minority; witness++) {
            six.close(witness);
        }
        assertThat(first.renew()).as("with a majority left").isTrue();
        first.release();
        MoveLease second = six.acquire(6);
        assertThat(second.term()).isEqualTo(first.term() + 1);
        second.release();

        six.close(minority + 1);
        assertThat(six.at(6).tryAcquireMoveLock(SITE))
                .isEqualTo(new LockOutcome.Unavailable(
                        minority + " witnesses answered, " + (minority + 1) + " are needed"));
        six.open(1);
        six.pass(Duration.ofSeconds(3));
        assertThat(six.acquire(6).term()).as("a majority is back").isGreaterThan(second.term());
    }

    @Test
    void shouldRefuseTheOrderOfAnEarlierHolder_whenALaterOneHasFenced() {
        cell.open();
        cell.acquire(2).release();
        MoveLease later = cell.acquire(3);
        RoleWord one = cell.word(1);
        RoleWord two = cell.word(2);

        assertThat(cell.at(3).fence(later, Map.of(node(1), one, node(2), two)))
                .isEqualTo(Map.of(node(1), one.fenced(), node(2), two.fenced()));
        assertThat(cell.at(2).compareAndSetRole(node(1), one, one.ordered(2, 0, Role.SPARE)))
                .isEqualTo(new CasOutcome.Lost(one.fenced()));
    }

    @Test
    void shouldFenceNothing_whenTheLeaseHasRunOut() {
        cell.open();
        MoveLease lease = cell.acquire(2);
        cell.pass(LEASE);

        assertThat(cell.at(2).fence(lease, Map.of(node(1), cell.word(1)))).isEmpty();
        assertThat(cell.word(1).fence()).isEqualTo(known(3, 1).roleWord().fence());
    }

    @Test
    void shouldRefuse_whenTheSiteIsNotConfigured() {
        cell.open();

        assertThatThrownBy(() -> cell.at(1).tryAcquireMoveLock(new SiteId(3)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not among the configured sites");
    }

    /** Node 1 alone is a witness: what a member writes over the same bytes of another slot is nobody's lock. */
    @Test
    void shouldDistrustTheLockWordsOfWitnessesOnly_whenAMemberForgesThem() {
        cell.open();
        forge(2);
        cell.at(3).look();
        assertThat(cell.count(3, StateMetric.LOCK_WORDS_REFUSED)).isZero();
        forge(1);
        cell.at(3).look();

        assertThat(cell.count(3, StateMetric.LOCK_WORDS_REFUSED)).isEqualTo(1);
    }

    @Test
    void shouldLeaveNothingBehind_whenAllAreClosedTwice() {
        cell.open();
        SharedState one = cell.at(1);
        for (int node = 1; node <= 3; node++) {
            cell.close(node);
        }
        one.close();

        assertThat(cell.world.live()).isEmpty();
    }

    /** Node 3 puts a word of a stranger where the lock of the site is. */
    private void forge(int node) {
        int offset = SlotLayout.lockOffset(SITE);
        Gathering<Integer> swap = new Gathering<>();
        long held = LockWord.heldBy(node(99), 1).encode();
        Session session = cell.session(3, node);
        Gathering<Integer> read = new Gathering<>();
        assertThat(session.read(offset, Long.BYTES, read, 0)).isTrue();
        long[] found = new long[1];
        read.await(0, (_, work) -> found[0] = work.buffer().get(SlotLayout.WORD_LAYOUT, 0));
        assertThat(session.compareAndSwap(offset, found[0], held, swap, 0)).isTrue();
        swap.await(0, (_, work) -> assertThat(Session.word(work)).isEqualTo(found[0]));
    }

    private SlotReading.Known known(int reader, int node) {
        return (SlotReading.Known) Objects.requireNonNull(cell.at(reader).look().get(node(node)));
    }
}
