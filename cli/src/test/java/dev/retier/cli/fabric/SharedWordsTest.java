package dev.retier.cli.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class SharedWordsTest {
    private static final int TRIES = 100;

    private final long[] words = {4711, 0};

    private SharedWords busyFor(int operations) {
        return new SharedWords(new WordsInMemory(words, Integer.MAX_VALUE).busyFor(operations));
    }

    @Test
    void shouldTryAgain_whenTheHomeIsBusyForAMoment() {
        assertThat(busyFor(TRIES - 1).get(0)).isEqualTo(4711);
        busyFor(TRIES - 1).set(1, 5);
        assertThat(words[1]).isEqualTo(5);
        assertThat(busyFor(TRIES - 1).replace(1, 5, 6)).isEqualTo(SharedWords.Tried.DONE);
    }

    @Test
    void shouldSayLost_whenTheHomeIsBusyForTooLong() {
        lost(() -> busyFor(TRIES).get(0));
        lost(() -> busyFor(TRIES).set(1, 5));
        lost(() -> busyFor(TRIES).replace(0, 4711, 6));
        assertThat(words).containsExactly(4711, 0);
    }

    private static void lost(ThrowingCallable operation) {
        assertThatThrownBy(operation).isInstanceOf(LostException.class).hasMessage("the home is busy");
    }
}
