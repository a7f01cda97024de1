package dev.retier.volume.session;

import static org.assertj.core.api.Assertions.assertThat;

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

    private static Wish by(int client) {
        return new Wish(client, 0, false);
    }

    private static Outcome granted(long use, int epoch) {
        return new Outcome.Granted(use, epoch);
    }

    @Test
    void shouldGiveItToOneAtATime() {
        assertThat(attachments.attach(VOLUME, new Kept(4, 0), by(1), 0)).isEqualTo(granted(1, 5));
        assertThat(attachments.attach(VOLUME, new Kept(5, 1), by(2), LEASE - 1)).isEqualTo(new Outcome.Held(1));
        assertThat(attachments.attach(VOLUME + 1, NEW, by(2), 0)).isEqualTo(granted(2, 1));
        assertThat(attachments.client(VOLUME, NEW, LEASE - 1)).isEqualTo(1);

        assertThat(attachments.detach(2)).as("another volume").isTrue();
        assertThat(attachments.client(VOLUME, NEW, 0)).isEqualTo(1);
        assertThat(attachments.detach(1)).isTrue();
        assertThat(attachments.detach(1)).as("twice").isFalse();
        assertThat(attachments.attach(VOLUME, new Kept(5, 0), by(2), 1)).isEqualTo(granted(3, 6));
    }

    @Test
    void shouldReplaceOneThatSaysNothing_andFenceIt() {
        attachments.attach(VOLUME, NEW, by(1), 0);
        assertThat(attachments.begin(1, 1_000)).isTrue();
        assertThat(attachments.attach(VOLUME, new Kept(1, 1), by(2), 9_000))
                .as("a request of it still runs")
                .isEqualTo(new Outcome.Held(1));
        attachments.end(1, 2_000);
        assertThat(attachments.attach(VOLUME, new Kept(1, 1), by(2), LEASE))
                .as("heard at 2,000")
                .isEqualTo(new Outcome.Held(1));

        assertThat(attachments.attach(VOLUME, new Kept(1, 1), by(2), 2_000 + LEASE))
                .isEqualTo(granted(2, 2));
        assertThat(attachments.begin(1, 2_000 + LEASE)).as("the one before").isFalse();
        assertThat(attachments.begin(2, 2_000 + LEASE)).isTrue();
    }

    @Test
    void shouldTakeItAway_byForceOrByAHigherEpoch() {
        attachments.attach(VOLUME, NEW, by(1), 0);

        assertThat(attachments.attach(VOLUME, NEW, new Wish(2, 0, true), 1)).isEqualTo(granted(2, 2));
        assertThat(attachments.attach(VOLUME, NEW, new Wish(3, 2, false), 2)).isEqualTo(new Outcome.Outdated(2));
        assertThat(attachments.attach(VOLUME, NEW, new Wish(3, 9, false), 2)).isEqualTo(granted(3, 9));
        assertThat(attachments.attach(VOLUME, new Kept(-5, 3), new Wish(4, -4, false), 3))
                .as("unsigned")
                .isEqualTo(granted(4, -4));
        assertThat(attachments.attach(VOLUME, new Kept(-1, 3), new Wish(4, 0, true), 3))
                .as("there is none above")
                .isEqualTo(new Outcome.Outdated(-1));
    }

    /** The epoch that was given counts, though the disk does not have it yet. */
    @Test
    void shouldGiveNoEpochTwice_whenTheDiskIsLate() {
        assertThat(attachments.attach(VOLUME, NEW, by(1), 0)).isEqualTo(granted(1, 1));
        assertThat(attachments.detach(1)).isTrue();
        assertThat(attachments.attach(VOLUME, NEW, by(2), 0)).isEqualTo(granted(2, 2));
    }

    @Test
    void shouldWait_untilNothingOfAllThatWasBeforeRuns() {
        attachments.attach(VOLUME, NEW, by(1), 0);
        assertThat(attachments.begin(1, 0)).isTrue();
        assertThat(attachments.resume(VOLUME, NEW, 1, 1, 0)).contains(new Outcome.Granted(2, 1));
        assertThat(attachments.isReady(2)).isFalse();
        assertThat(attachments.begin(2, 0)).isTrue();
        assertThat(attachments.begin(1, 0)).as("late, by the old connection").isFalse();
        attachments.attach(VOLUME, NEW, new Wish(2, 0, true), 0);
        attachments.attach(VOLUME + 1, NEW, by(9), 0);
        assertThat(attachments.isReady(4)).as("another volume").isTrue();
        attachments.end(2, 0);
        assertThat(attachments.isReady(3)).as("the first one still runs").isFalse();
        attachments.lost(Set.of(1L, 2L));
        assertThat(attachments.isReady(3)).as("lost, but it still runs").isFalse();
        attachments.end(1, 0);
        assertThat(attachments.isReady(3)).isTrue();
        assertThat(attachments.isReady(2)).as("of no use any more").isFalse();
    }

    @Test
    void shouldGoOnByAnotherConnection_whenItIsTheSameAttachment() {
        attachments.attach(VOLUME, NEW, by(1), 0);
        attachments.lost(Set.of(1L));

        assertThat(attachments.resume(VOLUME, NEW, 2, 1, 9_000)).isEmpty();
        assertThat(attachments.resume(VOLUME, NEW, 1, 2, 9_000)).isEmpty();
        assertThat(attachments.resume(VOLUME, NEW, 1, 1, 9_000))
                .as("nobody came")
                .contains(new Outcome.Granted(2, 1));
        attachments.attach(VOLUME, NEW, new Wish(2, 0, true), 9_000);
        assertThat(attachments.resume(VOLUME, NEW, 1, 1, 9_000)).isEmpty();
    }

    @Test
    void shouldKeepItForWhoHadIt_whenTheServerIsStartedAnew() {
        Kept kept = new Kept(5, 1);
        assertThat(attachments.attach(VOLUME, kept, by(2), LEASE - 1)).isEqualTo(new Outcome.Held(1));
        assertThat(attachments.resume(VOLUME, kept, 2, 5, 0)).isEmpty();
        assertThat(attachments.resume(VOLUME, kept, 1, 4, 0)).isEmpty();
        assertThat(attachments.resume(VOLUME, kept, 1, 5, 0)).contains(new Outcome.Granted(1, 5));
        assertThat(attachments.attach(VOLUME + 1, kept, by(2), LEASE)).isEqualTo(granted(2, 6));
        assertThat(attachments.attach(VOLUME + 2, new Kept(5, 0), by(2), 0)).isEqualTo(granted(3, 6));
        assertThat(attachments.attach(VOLUME + 3, kept, by(1), 0)).as("its own").isEqualTo(granted(4, 6));
    }

    @Test
    void shouldNotHoldItForSomebodyWhoGaveItBack_whenTheServerIsStartedAnew() {
        Kept kept = new Kept(5, 1);
        assertThat(attachments.resume(VOLUME, kept, 1, 5, 0)).isPresent();
        assertThat(attachments.detach(1)).isTrue();
        assertThat(attachments.client(VOLUME, new Kept(5, 0), 1)).isZero();
        assertThat(attachments.attach(VOLUME, new Kept(5, 0), by(2), 1)).isEqualTo(granted(2, 6));
    }

    /** What its client remembers of the volume is not true any more. */
    @Test
    void shouldNotComeBack_whenItIsFenced() {
        Outcome.Granted held = (Outcome.Granted) attachments.attach(1, new Kept(6, 0), new Wish(8, 0, false), 0);
        int fenced = attachments.fence(1, new Kept(6, 8));
        assertThat(fenced).isEqualTo(8);
        assertThat(attachments.begin(held.use(), 1)).isFalse();
        assertThat(attachments.resume(1, new Kept(7, 8), 8, 7, 1))
                .as("the disk is late")
                .isEmpty();
        assertThat(attachments.resume(1, new Kept(8, 0), 8, 7, 1)).isEmpty();
        assertThat(attachments.client(1, new Kept(7, 8), 1)).isZero();
        assertThat(attachments.attach(1, new Kept(8, 0), new Wish(9, 0, false), 1))
                .isInstanceOfSatisfying(
                        Outcome.Granted.class,
                        granted -> assertThat(granted.epoch()).isEqualTo(9));
    }
}
