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

    private boolean parkedForWaiter(int wakes, CompletionChannel channel) {
        boolean parked = false;
        for (int i = 0; i < wakes; i++) {
            parked = watch.parkForWaiter(channel);
        }
        return parked;
    }

    @Test
    void shouldLeaveSocketToWaiter_whenEachWakeUpIsForIt() throws InterruptedException {
        CompletionChannel channel = new CompletionChannel();
        channel.raise();
        assertThat(parkedForWaiter(15, channel)).isFalse();
        watch.parkForWaiter(null);
        assertThat(parkedForWaiter(15, channel)).as("counts anew").isFalse();
        assertThat(channel.await(0)).isTrue();
        watch.parkForWaiter(channel);
        channel.raise();
        assertThat(parkedForWaiter(15, channel)).as("one without an event").isFalse();
        assertThat(parkedForWaiter(1, channel)).isTrue();

        assertThat(watch.isLeftTo(channel)).isTrue();
        assertThat(watch.isHeld(channel)).isTrue();
        CompletionChannel other = new CompletionChannel();
        assertThat(watch.isLeftTo(other)).isFalse();
        assertThat(watch.isHeld(other)).as("nobody waits in it").isFalse();
    }

    @Test
    void shouldKeepReading_whileTcpDoesNotTakeAll() {
        CompletionChannel channel = new CompletionChannel();
        channel.raise();
        watch.isUnsent(true);
        assertThat(parkedForWaiter(40, channel)).isFalse();
        watch.isUnsent(false);
        assertThat(parkedForWaiter(1, channel)).isTrue();
        assertThat(watch.isUnsent(true)).as("the loop has to wait for space").isTrue();
        assertThat(watch.isUnsent(true)).as("once").isFalse();
    }

    /** A poll by who waited, before the loop has looked, must not hide that nobody waits any more. */
    @Test
    void shouldReadAgain_whenWaiterGivesSocketBack() {
        CompletionChannel channel = new CompletionChannel();
        channel.raise();
        parkedForWaiter(16, channel);
        watch.givenBack();
        assertThat(watch.left()).isTrue();
        watch.polled();
        assertThat(watch.isHeld(channel))
                .as("the next wait says again that it leaves")
                .isFalse();
        assertThat(watch.left()).isTrue();
        assertThat(watch.unpark(false)).isTrue();
        assertThat(watch.isParked()).isFalse();
    }

    @Test
    void shouldReadAgain_whenWaiterWasAwayBetweenTwoChecks() {
        CompletionChannel channel = new CompletionChannel();
        channel.raise();
        parkedForWaiter(16, channel);
        watch.polled();
        assertThat(watch.unpark(true)).isFalse();
        assertThat(watch.unpark(true)).isTrue();
        assertThat(watch.isLeftTo(channel)).isFalse();
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
