package dev.retier.state.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HelpHistoryTest {
    private final HelpHistory history = new HelpHistory();

    @Test
    void shouldHelpInEveryWait_whenItIsOfUse() {
        for (int wait = 0; wait < 1000; wait++) {
            assertThat(history.isPromising()).isTrue();
            history.ended(true);
        }
    }

    @Test
    void shouldHelpMoreAndMoreRarely_whenItIsOfNoUse() {
        int helped = 0;
        for (int wait = 0; wait < 10_000; wait++) {
            if (history.isPromising()) {
                helped++;
                history.ended(false);
            }
        }
        assertThat(helped).isBetween(10_000 / HelpHistory.MOST_SKIPPED, 10_000 / HelpHistory.MOST_SKIPPED + 10);

        while (!history.isPromising()) {
            assertThat(helped++).isLessThan(10_000);
        }
        history.ended(true);
        assertThat(history.isPromising()).isTrue();
    }
}
