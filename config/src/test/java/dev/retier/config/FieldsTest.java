package dev.retier.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldsTest {
    private static final Pattern ANY = Pattern.compile(".*");

    private final Problems problems = new Problems("f");

    /** YAML leaves the type to the reader, JSON does not. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "7     | 7     |      |      ",
                "\"7\" |       | 7    |      ",
                "1.5   |       |      | 1.5  ",
                "1e3   |       |      | 1000 ",
                "true  |       |      |      ",
                "null  |       |      |      ",
                "\"x\" |       | x    |      ",
            })
    void shouldTellTextsFromNumbers_whenTheFileIsJson(
            String value, @Nullable Long whole, @Nullable String text, @Nullable Double number) {
        assertThat(json(value, fields -> fields.wholeNumber("k", null, 0, 9))).isEqualTo(Optional.ofNullable(whole));
        assertThat(json(value, fields -> fields.text("k", ANY, ""))).isEqualTo(Optional.ofNullable(text));
        Double expected = number == null && whole != null ? Double.valueOf(whole) : number;
        assertThat(json(value, fields -> fields.number("k", null, 0, 1e6))).isEqualTo(Optional.ofNullable(expected));
    }

    @Test
    void shouldReadQuotedNumbers_whenTheFileIsYaml() {
        Fields fields = yaml("a: 7\nb: '7'\nc: 2.5\nd: 250ms\ne: 7");

        assertThat(fields.integer("a", null, 0, 9)).isEqualTo(7);
        assertThat(fields.integer("b", null, 0, 9)).isEqualTo(7);
        assertThat(fields.number("c", null, 0, 9)).isEqualTo(2.5);
        assertThat(fields.duration("d", Duration.ZERO, Duration.ZERO, Duration.ofHours(1)))
                .isEqualTo(Duration.ofMillis(250));
        assertThat(fields.text("e", ANY, "")).isEqualTo("7");
        assertThat(problems.isEmpty()).isTrue();
    }

    @Test
    void shouldTakeTheLeastPortThatIsAllowed() {
        assertThat(yaml("a: h:1").address("a", 1)).isEqualTo(new HostPort("h", 1));
    }

    @Test
    void shouldReadAllOfALong_andNoMore() {
        assertThat(json("9223372036854775807", fields -> fields.wholeNumber("k", null, 0, Long.MAX_VALUE)))
                .contains(Long.MAX_VALUE);
        assertThat(json("9223372036854775808", fields -> fields.wholeNumber("k", null, 0, Long.MAX_VALUE)))
                .isEmpty();
    }

    @Test
    void shouldNameLineAndKey_whenValuesAreWrong() {
        Fields fields = yaml("a: x\nb:\n  c: 99\nlist: [1]\n");
        fields.integer("a", 3, 0, 9);
        fields.section("b").integer("c", 3, 0, 9);
        fields.address("missing", 0);
        fields.finish();

        assertThat(problems.list())
                .extracting(ConfigProblem::toString)
                .containsExactly(
                        "f:1: a: \"x\" is not accepted; write a whole number in 0..9",
                        "f:1: missing: missing; add it",
                        "f:3: b.c: \"99\" is not accepted; write a whole number in 0..9",
                        "f:4: list: unknown key; remove it or use one of a, b, missing");
    }

    @Test
    void shouldKeepToTheBoundsOfLists() {
        Fields fields = yaml("none: []\nmany: [1, 2, 3]\n");

        assertThat(fields.optionalList("absent", 2, (_, where) -> where)).isEmpty();
        assertThat(fields.optionalList("none", 2, (_, where) -> where)).isEmpty();
        assertThat(fields.list("many", 3, (_, where) -> where)).isEqualTo(List.of("many[0]", "many[1]", "many[2]"));
        assertThat(problems.isEmpty()).isTrue();

        fields.list("none", 2, (_, where) -> where);
        fields.optionalList("many", 2, (_, where) -> where);
        assertThat(problems.list())
                .extracting(ConfigProblem::message)
                .containsExactly(
                        "a list of 0 is not accepted; write a list of 1 to 2 items",
                        "a list of 3 is not accepted; write a list of 0 to 2 items");
    }

    private Fields yaml(String text) {
        return Fields.root(ConfigReader.yaml(text, problems), problems);
    }

    /** What is read of {@code {"k": value}}; nothing: it was refused. */
    private static <T> Optional<T> json(String value, Function<Fields, T> read) {
        Problems noted = new Problems("f");
        byte[] bytes = ("{\"k\": " + value + "}").getBytes(StandardCharsets.UTF_8);
        T made = read.apply(Fields.root(ConfigReader.json(bytes, noted), noted));
        return noted.isEmpty() ? Optional.of(made) : Optional.empty();
    }
}
