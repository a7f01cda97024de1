package dev.retier.agent.render;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EdgeWordTest {
    @Test
    void shouldBeReadAsItWasWritten() {
        EdgeWord word = new EdgeWord("front", 12, false);

        assertThat(word.header()).isEqualTo("front; stamp=12; sends=no");
        assertThat(EdgeWord.parse(word.header())).contains(word);
        assertThat(EdgeWord.parse("front;stamp=0;sends=yes")).contains(EdgeWord.unknown("front"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "front",
                "front; stamp=12",
                "front; stamp=12; sends=maybe",
                "front; stamp=12; sends=no; sends=yes",
                "front; stamp=-12; sends=no",
                "front; stamp=1234567890123456789; sends=no",
                "; stamp=12; sends=no",
                "-front; stamp=12; sends=no",
                "a name of more than one word; stamp=12; sends=no",
                "front; stamp=12; sends=no, front; stamp=12; sends=no",
                "0123456789012345678901234567890123456789012345678901234567890123; stamp=12; sends=no"
            })
    void shouldBeNone_whenItIsNoSuchThing(String header) {
        assertThat(EdgeWord.parse(header)).isEmpty();
    }

    @Test
    void shouldHaveLetGo_whenItSendsNothingByAListThatIsNoOlder() {
        assertThat(new EdgeWord("front", 12, false).hasLetGo(12)).isTrue();
        assertThat(new EdgeWord("front", 13, false).hasLetGo(12)).isTrue();
        assertThat(new EdgeWord("front", 11, false).hasLetGo(12)).isFalse();
        assertThat(new EdgeWord("front", 12, true).hasLetGo(12)).isFalse();
        assertThat(EdgeWord.unknown("front").hasLetGo(0)).isFalse();
    }
}
