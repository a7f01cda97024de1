package dev.retier.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.command.Answer;
import dev.retier.agent.http.CommandKeys.Keyed;
import dev.retier.agent.http.CommandKeys.Taken;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CommandKeysTest {
    private static final Answer DONE = Answer.of(Answer.Outcome.DONE);

    private final CommandKeys keys = new CommandKeys();

    private Keyed fresh(String key) {
        return ((Taken.Fresh) keys.take(key, "anna", "{}")).command();
    }

    @Test
    void shouldCarryOutOnce_whenItIsSentAgain() {
        Keyed first = fresh("a");

        assertThat(keys.take("a", "anna", "{}")).isEqualTo(new Taken.Again(first));
        first.end().complete(DONE);
        assertThat(keys.take("a", "anna", "{}")).isEqualTo(new Taken.Again(first));
        assertThat(keys.get("a")).hasValue(first);
    }

    @Test
    void shouldTellAnotherCommand_whenTheKeyIsTaken() {
        fresh("a");

        assertThat(keys.take("a", "anna", "{ }")).isEqualTo(new Taken.Clash());
        assertThat(keys.take("a", "bert", "{}")).isEqualTo(new Taken.Clash());
    }

    @Test
    void shouldTakeNoMore_whenManyAreUnderWay() {
        Keyed first = fresh("k0");
        IntStream.range(1, CommandKeys.MOST_UNDER_WAY).forEach(i -> fresh("k" + i));

        assertThat(keys.take("more", "anna", "{}")).isEqualTo(new Taken.Full());
        assertThat(keys.take("k0", "anna", "{}")).isEqualTo(new Taken.Again(first));
        first.end().complete(DONE);
        assertThat(keys.take("more", "anna", "{}")).isInstanceOf(Taken.Fresh.class);
    }

    @Test
    void shouldForgetTheOldestThatHasEnded_whenThereAreMany() {
        Keyed underWay = fresh("first");
        fresh("second").end().complete(DONE);
        IntStream.range(2, CommandKeys.MOST).forEach(i -> fresh("k" + i).end().complete(DONE));
        fresh("one more");

        assertThat(keys.get("second")).isEmpty();
        assertThat(keys.get("first")).hasValue(underWay);
        assertThat(keys.get("k2")).isPresent();
    }

    @Test
    void shouldTakeTheKeyAnew_whenItWasGivenBack() {
        Keyed first = fresh("a");
        assertThat(keys.take("a", "anna", "{}")).isEqualTo(new Taken.Again(first));
        keys.giveBack("a", Answer.of(Answer.Outcome.REFUSED));

        assertThat(first.end()).as("told to who has sent it again").isCompleted();
        assertThat(fresh("a")).isNotSameAs(first);
    }
}
