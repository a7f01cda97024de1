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

    @Test
    void shouldObeyOperators_whenAPeerHasWrittenTheHighestVersion() {
        PauseWord forged = PauseWord.decode(Integer.MAX_VALUE);
        PauseWord resumed = forged.next(false);
        assertThat(forged.merge(resumed)).isEqualTo(resumed);
        assertThat(resumed.merge(forged)).isEqualTo(resumed);
        assertThat(resumed.next(true).merge(resumed).isPaused()).isTrue();

        PauseWord agreed = PauseWord.NONE.next(true).next(false);
        assertThat(agreed.merge(forged)).as("half a circle ahead or more").isEqualTo(agreed);
        assertThat(forged.merge(agreed)).isEqualTo(agreed);
    }

    @Test
    void shouldTakeAnyWord_whenItHasNone() {
        PauseWord late = PauseWord.decode(Integer.MAX_VALUE - 10);
        assertThat(PauseWord.NONE.merge(late)).isEqualTo(late);
        assertThat(late.merge(PauseWord.NONE)).isEqualTo(late);
    }
}
