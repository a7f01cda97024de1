package dev.retier.agent.move;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class UpstreamWaitTest {
    private static final long MS = 1_000_000;

    private final UpstreamWait wait = new UpstreamWait(Duration.ofMillis(100));

    @Test
    void shouldBeOver_whenAllHaveLetGo() {
        wait.begin(Duration.ZERO, 5 * MS);
        assertThat(wait.isOver(false, 6 * MS)).isFalse();
        assertThat(wait.isOver(true, 7 * MS)).isTrue();
    }

    @Test
    void shouldCountTheHoldFromTheFirstLook_whenThereIsOne() {
        wait.begin(Duration.ofMillis(300), 0);
        assertThat(wait.isOver(true, 20 * MS)).isFalse();
        assertThat(wait.isOver(true, 319 * MS)).isFalse();
        assertThat(wait.isInVain(319 * MS)).as("the hold is not the deadline").isFalse();
        assertThat(wait.isOver(true, 320 * MS)).isTrue();
    }

    @Test
    void shouldBeInVain_whenSomebodyHasNotLetGoForTheDeadline() {
        wait.begin(Duration.ofMillis(300), 0);
        assertThat(wait.isOver(false, 99 * MS)).isFalse();
        assertThat(wait.isInVain(99 * MS)).isFalse();
        assertThat(wait.isInVain(100 * MS)).isTrue();
    }

    @Test
    void shouldCountTheDeadlineAnew_whenSomebodySendsAgain() {
        wait.begin(Duration.ofMillis(300), 0);
        assertThat(wait.isOver(true, 10 * MS)).isFalse();
        assertThat(wait.isOver(false, 200 * MS)).isFalse();
        assertThat(wait.isInVain(299 * MS)).isFalse();
        assertThat(wait.isInVain(300 * MS)).isTrue();
        assertThat(wait.isOver(true, 301 * MS)).isFalse();
        assertThat(wait.isInVain(399 * MS)).isFalse();
        assertThat(wait.isInVain(400 * MS)).as("hold and deadline together").isTrue();
    }
}
