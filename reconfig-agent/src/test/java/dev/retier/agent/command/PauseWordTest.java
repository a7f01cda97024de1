package dev.retier.agent.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PauseWordTest {
    @Test
    void shouldBeNothing_whenNobodyHasSaidAnything() {
        assertThat(PauseWord.decode(0)).isEqualTo(PauseWord.NONE);
        assertThat(PauseWord.decode(-1)).isEqualTo(PauseWord.NONE);
        assertThat(PauseWord.NONE.isPaused()).isFalse();
    }

    @Test
    void shouldLetTheNewerWin_inWhateverOrderTheyMeet() {
        PauseWord paused = PauseWord.NONE.next(true);
        PauseWord resumed = paused.next(false);
        assertThat(paused.merge(resumed)).isEqualTo(resumed);
        assertThat(resumed.merge(paused)).isEqualTo(resumed);
        assertThat(PauseWord.decode(resumed.encode())).isEqualTo(resumed);
    }

    @Test
    void shouldPause_whenTwoOperatorsMeet() {
        PauseWord before = PauseWord.NONE.next(true).next(false);
        assertThat(before.next(false).merge(before.next(true)).isPaused()).isTrue();
        assertThat(before.next(true).merge(before.next(false)).isPaused()).isTrue();
    }
}
