package dev.retier.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PollWatchTest {
    private final PollWatch watch = new PollWatch();

    private boolean parkedAfter(int wakes, boolean polling) {
        boolean parked = false;
        for (int i = 0; i < wakes; i++) {
            if (polling) {
                watch.polled();
            }
            parked = watch.park();
        }
        return parked;
    }

    @Test
    void shouldLeaveSocketToPoller_whenPollerKeepsComing() {
        assertThat(parkedAfter(15, true)).isFalse();
        assertThat(parkedAfter(1, true)).isTrue();
        assertThat(watch.isParked()).isTrue();
    }

    @Test
    void shouldKeepReading_whenNobodyPolls() {
        assertThat(parkedAfter(100, false)).isFalse();
        parkedAfter(15, true);
        assertThat(parkedAfter(1, false)).as("one wake-up without a poll").isFalse();
        assertThat(parkedAfter(15, true)).as("counts anew").isFalse();
    }

    @Test
    void shouldReadAgain_whenPollerWasAwayBetweenTwoChecks() {
        parkedAfter(16, true);
        watch.polled();
        assertThat(watch.unpark(true)).isFalse();
        assertThat(watch.unpark(false)).as("no check").isFalse();
        assertThat(watch.unpark(true)).isTrue();
        assertThat(watch.isParked()).isFalse();
    }

    @Test
    void shouldReadAgainAtOnce_whenPollerSaysThatItLeaves() {
        parkedAfter(16, true);
        watch.polled();
        assertThat(watch.left()).isTrue();
        assertThat(watch.unpark(false)).isTrue();
        watch.polled();
        assertThat(watch.left()).as("not parked any more").isFalse();
    }
}
