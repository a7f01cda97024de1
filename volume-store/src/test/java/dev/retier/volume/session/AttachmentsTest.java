package dev.retier.volume.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.session.Attachments.Outcome;
import dev.retier.volume.session.Attachments.Wish;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AttachmentsTest {
    private static final long LEASE = 3_000;
    private static final int VOLUME = 7;

    private final Attachments attachments = new Attachments(LEASE);

    private static Wish by(int node, long connection) {
        return new Wish(node, connection, 0, false);
    }

    private static Outcome granted(int epoch) {
        return new Outcome.Granted(epoch, Optional.empty());
    }

    private static Outcome granted(int epoch, long before) {
        return new Outcome.Granted(epoch, Optional.of(before));
    }

    @Test
    void shouldGiveItToOneAtATime() {
        assertThat(attachments.attach(VOLUME, 4, by(1, 10), 0)).isEqualTo(granted(5));
        assertThat(attachments.attach(VOLUME, 5, by(2, 20), LEASE - 1)).isEqualTo(new Outcome.Held(1));
        assertThat(attachments.attach(VOLUME + 1, 0, by(2, 20), 0)).isEqualTo(granted(1));
        assertThat(attachments.writer(VOLUME, LEASE - 1)).contains(1);

        attachments.detach(VOLUME, 11);
        assertThat(attachments.writer(VOLUME, 0)).as("not by that connection").contains(1);
        attachments.detach(VOLUME, 10);
        assertThat(attachments.attach(VOLUME, 5, by(2, 20), 1)).isEqualTo(granted(6));
    }

    @Test
    void shouldReplaceOneThatSaysNothing_andFenceIt() {
        attachments.attach(VOLUME, 0, by(1, 10), 0);
        assertThat(attachments.mayWrite(VOLUME, 10, 1, 2_000)).isTrue();
        assertThat(attachments.attach(VOLUME, 1, by(2, 20), LEASE))
                .as("heard at 2,000")
                .isEqualTo(new Outcome.Held(1));

        assertThat(attachments.attach(VOLUME, 1, by(2, 20), 2_000 + LEASE)).isEqualTo(granted(2, 10));
        assertThat(attachments.mayWrite(VOLUME, 10, 1, 2_000 + LEASE))
                .as("the one before")
                .isFalse();
        assertThat(attachments.mayWrite(VOLUME, 20, 1, 2_000 + LEASE))
                .as("a lower epoch")
                .isFalse();
        assertThat(attachments.mayWrite(VOLUME, 20, 2, 2_000 + LEASE)).isTrue();
    }

    @Test
    void shouldTakeItAway_byForceOrByAHigherEpoch() {
        attachments.attach(VOLUME, 0, by(1, 10), 0);

        assertThat(attachments.attach(VOLUME, 1, new Wish(2, 20, 0, true), 1)).isEqualTo(granted(2, 10));
        assertThat(attachments.attach(VOLUME, 2, new Wish(3, 30, 2, false), 2)).isEqualTo(new Outcome.Outdated(2));
        assertThat(attachments.attach(VOLUME, 2, new Wish(3, 30, 9, false), 2)).isEqualTo(granted(9, 20));
        assertThat(attachments.attach(VOLUME, -5, new Wish(4, 40, -4, false), 3))
                .as("unsigned")
                .isEqualTo(granted(-4, 30));
    }

    @Test
    void shouldGoOnByAnotherConnection_whenItIsTheSameAttachment() {
        attachments.attach(VOLUME, 0, by(1, 10), 0);

        assertThat(attachments.resume(VOLUME, new Wish(1, 11, 1, false), 9_000))
                .as("nobody came")
                .contains(10L);
        assertThat(attachments.mayWrite(VOLUME, 10, 1, 9_000))
                .as("late, by the old one")
                .isFalse();
        assertThat(attachments.mayWrite(VOLUME, 11, 1, 9_000)).isTrue();
        assertThat(attachments.resume(VOLUME, new Wish(2, 20, 1, false), 9_000)).isEmpty();
        assertThat(attachments.resume(VOLUME, new Wish(1, 12, 2, false), 9_000)).isEmpty();
    }

    @Test
    void shouldGiveItAnew_toTheNodeThatHasIt() {
        attachments.attach(VOLUME, 0, by(1, 10), 0);

        assertThat(attachments.attach(VOLUME, 1, by(1, 11), 1)).isEqualTo(granted(2, 10));
    }
}
