package dev.retier.volume.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.session.Attachments.Admission;
import dev.retier.volume.session.Attachments.Kept;
import dev.retier.volume.session.Attachments.Outcome;
import dev.retier.volume.session.Attachments.Wish;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AttachmentsTest {
    private static final long LEASE = 3_000;
    private static final int VOLUME = 7;
    private static final Kept NEW = new Kept(0, 0);

    private final Attachments attachments = new Attachments(LEASE, 0);

    private static Wish by(long client) {
        return new Wish(client, false);
    }

    private static Wish byForce(long client) {
        return new Wish(client, true);
    }

    /** Takes it and gets it at once; which use that is. */
    private long given(int volume, Kept kept, Wish wish, long now) {
        assertThat(attachments.take(volume, kept, wish, now)).isInstanceOf(Outcome.Taken.class);
        return attachments.give(volume, now);
    }

    private Admission begin(long use) {
        return attachments.begin(use, 0);
    }

    @Test
    void shouldGiveItToOneAtATime() {
        assertThat(attachments.take(VOLUME, new Kept(4, 0), by(1), 0)).isEqualTo(new Outcome.Taken(5));
        assertThat(attachments.give(VOLUME, 0)).isEqualTo(1);
        assertThat(attachments.take(VOLUME, new Kept(5, 1), by(2), LEASE - 1)).isEqualTo(new Outcome.Held(1));
        given(VOLUME + 1, NEW, by(2), 0);
        assertThat(attachments.writer(VOLUME, NEW, LEASE - 1)).isEqualTo(1);

        assertThat(attachments.detach(2)).as("another volume").isTrue();
        assertThat(attachments.writer(VOLUME, NEW, 0)).isEqualTo(1);
        assertThat(attachments.detach(1)).isTrue();
        assertThat(attachments.detach(1)).as("twice").isFalse();
        assertThat(attachments.take(VOLUME, new Kept(5, 0), by(2), 1)).isEqualTo(new Outcome.Taken(6));
    }

    @Test
    void shouldReplaceOneThatSaysNothing_andFenceIt() {
        long first = given(VOLUME, NEW, by(1), 0);
        Kept kept = new Kept(1, 1);
        assertThat(attachments.begin(first, 1_000)).isEqualTo(Admission.RUNS);
        assertThat(attachments.take(VOLUME, kept, by(2), 9_000))
                .as("a request of it still runs")
                .isEqualTo(new Outcome.Held(1));
        attachments.end(first, 2_000);
        assertThat(attachments.take(VOLUME, kept, by(2), LEASE))
                .as("heard at 2,000")
                .isEqualTo(new Outcome.Held(1));
        attachments.isWaitedFor(VOLUME, 4_000);
        assertThat(attachments.take(VOLUME, kept, by(2), 3_999 + LEASE))
                .as("what it asked for waits here")
                .isEqualTo(new Outcome.Held(1));

        long second = given(VOLUME, kept, by(2), 4_000 + LEASE);
        assertThat(begin(first)).as("the one before").isEqualTo(Admission.FENCED);
        assertThat(begin(second)).isEqualTo(Admission.RUNS);
    }

    @Test
    void shouldTakeItAway_byForce() {
        given(VOLUME, NEW, by(1), 0);
        Kept second = new Kept(1, 1);
        assertThat(attachments.take(VOLUME, second, byForce(2), 1)).isEqualTo(new Outcome.Taken(2));
        attachments.give(VOLUME, 1);
        assertThat(attachments.take(VOLUME, new Kept(-1, 2), byForce(4), 3))
                .as("there is none above")
                .isEqualTo(new Outcome.UsedUp());
    }

    /** What cannot be given is not taken: the one that has it waits meanwhile, and goes on. */
    @Test
    void shouldLeaveItToWhoHasIt_whenItCouldNotBeGiven() {
        long mine = given(VOLUME, NEW, by(1), 0);
        Kept kept = new Kept(1, 1);
        assertThat(begin(mine)).isEqualTo(Admission.RUNS);
        assertThat(attachments.isQuiet(VOLUME)).isFalse();

        assertThat(attachments.take(VOLUME, kept, byForce(2), 1)).isEqualTo(new Outcome.Taken(2));
        assertThat(begin(mine)).isEqualTo(Admission.WAITS);
        assertThat(attachments.take(VOLUME, kept, byForce(3), 1)).isEqualTo(new Outcome.Busy());
        assertThat(attachments.resume(VOLUME, kept, 1, 1, 1)).isEqualTo(new Outcome.Busy());
        assertThat(attachments.reserve(VOLUME, kept, LEASE)).isFalse();
        attachments.leave(VOLUME);

        assertThat(begin(mine)).isEqualTo(Admission.RUNS);
        attachments.end(mine, 0);
        attachments.end(mine, 0);
        assertThat(attachments.isQuiet(VOLUME)).isTrue();
        assertThat(attachments.resume(VOLUME, kept, 1, 1, 1)).isInstanceOf(Outcome.Resumed.class);
    }

    @Test
    void shouldGiveItToNobody_whenItIsTakenAway() {
        long mine = given(VOLUME, NEW, by(1), 0);
        assertThat(given(VOLUME, new Kept(1, 1), new Wish(0, true), 0)).isZero();
        assertThat(begin(mine)).isEqualTo(Admission.FENCED);
        Kept kept = new Kept(2, 0);
        assertThat(attachments.writer(VOLUME, kept, 0)).isZero();
        assertThat(attachments.resume(VOLUME, kept, 1, 1, 0)).isEqualTo(new Outcome.Lost());
        assertThat(attachments.take(VOLUME, kept, by(2), 0)).isEqualTo(new Outcome.Taken(3));
    }

    @Test
    void shouldWait_untilNothingOfAllThatWasBeforeRuns() {
        long first = given(VOLUME, NEW, by(1), 0);
        Kept kept = new Kept(1, 1);
        assertThat(begin(first)).isEqualTo(Admission.RUNS);
        assertThat(attachments.resume(VOLUME, kept, 1, 1, 0)).isEqualTo(new Outcome.Resumed(2));
        assertThat(attachments.isQuiet(VOLUME)).isFalse();
        assertThat(attachments.isQuiet(VOLUME + 1)).as("another volume").isTrue();
        assertThat(begin(first)).as("late, by the old connection").isEqualTo(Admission.FENCED);
        attachments.lost(Set.of(first));
        assertThat(attachments.isQuiet(VOLUME)).as("lost, but it still runs").isFalse();
        attachments.end(first, 0);
        assertThat(attachments.isQuiet(VOLUME)).isTrue();
    }

    @Test
    void shouldGoOnByAnotherConnection_whenItIsTheSameAttachment() {
        long first = given(VOLUME, NEW, by(1), 0);
        attachments.lost(Set.of(first));
        Kept kept = new Kept(1, 1);
        assertThat(attachments.resume(VOLUME, kept, 2, 1, 9_000)).isEqualTo(new Outcome.Lost());
        assertThat(attachments.resume(VOLUME, kept, 1, 2, 9_000)).isEqualTo(new Outcome.Lost());
        assertThat(attachments.resume(VOLUME, kept, 1, 1, 9_000))
                .as("nobody came")
                .isInstanceOf(Outcome.Resumed.class);
        given(VOLUME, kept, byForce(2), 9_000);
        assertThat(attachments.resume(VOLUME, new Kept(2, 2), 1, 1, 9_000)).isEqualTo(new Outcome.Lost());
    }

    @Test
    void shouldKeepItForWhoHadIt_whenTheServerIsStartedAnew() {
        Kept kept = new Kept(5, 1);
        assertThat(attachments.take(VOLUME, kept, by(2), LEASE - 1)).isEqualTo(new Outcome.Held(1));
        assertThat(attachments.resume(VOLUME, kept, 2, 5, 0)).isEqualTo(new Outcome.Lost());
        assertThat(attachments.resume(VOLUME, kept, 1, 4, 0)).isEqualTo(new Outcome.Lost());
        assertThat(attachments.resume(VOLUME, kept, 1, 5, 0)).isInstanceOf(Outcome.Resumed.class);
        assertThat(attachments.take(VOLUME + 1, kept, by(2), LEASE)).isEqualTo(new Outcome.Taken(6));
        assertThat(attachments.take(VOLUME + 2, new Kept(5, 0), by(2), 0)).isEqualTo(new Outcome.Taken(6));
        assertThat(attachments.take(VOLUME + 3, kept, by(1), 0)).as("its own").isEqualTo(new Outcome.Taken(6));
    }

    @Test
    void shouldLetManyRead_besideTheOneThatWrites() {
        long writing = given(VOLUME, NEW, by(1), 0);
        assertThat(attachments.read(VOLUME, 2)).isEqualTo(new Outcome.Resumed(2));
        assertThat(attachments.read(VOLUME, 3)).isEqualTo(new Outcome.Resumed(3));
        assertThat(begin(writing)).as("they fence nobody").isEqualTo(Admission.RUNS);
        attachments.end(writing, 0);
        assertThat(begin(2)).isEqualTo(Admission.RUNS);
        assertThat(attachments.isQuiet(VOLUME)).as("what reads changes nothing").isTrue();
        assertThat(attachments.readers(VOLUME)).containsExactlyInAnyOrder(2L, 3L);

        given(VOLUME, new Kept(1, 1), byForce(4), 0);
        assertThat(begin(3)).as("nobody fences them").isEqualTo(Admission.RUNS);
        attachments.lost(Set.of(2L));
        assertThat(begin(2)).isEqualTo(Admission.FENCED);
        assertThat(attachments.detach(3)).as("it had nothing to give back").isFalse();
        assertThat(attachments.readers(VOLUME)).isEmpty();
    }

    @Test
    void shouldBeReservedOnlyWhileNobodyHasIt() {
        attachments.read(VOLUME, 2);
        assertThat(attachments.reserve(VOLUME, NEW, 0)).as("somebody reads it").isFalse();
        attachments.lost(Set.of(1L));
        assertThat(attachments.reserve(VOLUME, NEW, 0)).isTrue();
        assertThat(attachments.take(VOLUME, NEW, byForce(1), 0)).isEqualTo(new Outcome.Busy());
        assertThat(attachments.read(VOLUME, 2)).isEqualTo(new Outcome.Busy());
        attachments.leave(VOLUME);
        given(VOLUME, NEW, by(1), 0);
        assertThat(attachments.reserve(VOLUME, new Kept(1, 1), LEASE - 1)).isFalse();
        assertThat(attachments.reserve(VOLUME, new Kept(1, 1), LEASE)).isTrue();
    }

    /** What its client remembers of the volume is not true any more. */
    @Test
    void shouldNotComeBack_whenItIsFenced() {
        long held = given(VOLUME, new Kept(6, 0), by(8), 0);
        assertThat(attachments.reserve(VOLUME, new Kept(7, 8), LEASE)).isTrue();
        attachments.deleted(VOLUME);
        attachments.leave(VOLUME);
        assertThat(begin(held)).isEqualTo(Admission.FENCED);
        Kept kept = new Kept(8, 0);
        assertThat(attachments.resume(VOLUME, kept, 8, 7, LEASE)).isEqualTo(new Outcome.Lost());
        assertThat(attachments.writer(VOLUME, kept, LEASE)).isZero();
        assertThat(attachments.take(VOLUME, kept, by(9), LEASE)).isEqualTo(new Outcome.Taken(9));
    }
}
