package dev.retier.cli.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MembersTest {
    private final long[] words = new long[Members.words(2)];
    private final WordsInMemory memory = new WordsInMemory(words, Integer.MAX_VALUE);
    private final Members members = new Members(new SharedWords(memory), 0, 2, 1);

    @Test
    void shouldLeaveInPeace_whenTheHomeEndsAtThatMoment() {
        members.reach(Members.FINISHED);
        memory.loseHome();

        assertThatThrownBy(() -> members.haveMade(5)).isInstanceOf(LostException.class);
        members.leave();

        Members home = new Members(new SharedWords(new WordsInMemory(words, Integer.MAX_VALUE)), 0, 2, 0);
        assertThat(home.state(1)).isEqualTo(Members.ENDED);
        assertThat(home.state(0)).isZero();
    }
}
