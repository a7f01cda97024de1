package dev.retier.rnic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UsableTest {
    private final Usable usable = new Usable("queue");

    /** Else one who comes again and again, as a poller does, would keep it from ever being destroyed. */
    @Test
    void shouldLetNobodyIn_whenItWaitsForTheLastOneToLeave() throws Exception {
        long stamp = usable.enter();
        Thread ending = Thread.ofPlatform().start(usable::end);
        while (ending.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }

        assertThatThrownBy(usable::enter).isInstanceOf(IOException.class).hasMessage("the queue was destroyed");

        usable.leave(stamp);
        assertThat(ending.join(Duration.ofSeconds(5))).isTrue();
        assertThat(usable.end()).as("once").isFalse();
    }
}
