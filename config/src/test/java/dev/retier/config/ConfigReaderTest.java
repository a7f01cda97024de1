package dev.retier.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigReaderTest {
    private static final int MOST = 1 << 20;

    private final Problems problems = new Problems("f");

    @Test
    void shouldReadTheSame_whenTheTextIsYamlOrJson() {
        String text = "{\"a\": [\"x\",\n {}]}";

        assertThat(ConfigReader.yaml(text, problems)).isEqualTo(tree(ConfigValue.ScalarType.OPEN));
        assertThat(json(text)).isEqualTo(tree(ConfigValue.ScalarType.TEXT));
        assertThat(problems.isEmpty()).isTrue();
    }

    private static ConfigValue tree(ConfigValue.ScalarType type) {
        return new ConfigValue.Mapping(
                Map.of(
                        "a",
                        new ConfigValue.Items(
                                List.of(new ConfigValue.Scalar("x", type, 1), new ConfigValue.Mapping(Map.of(), 2)),
                                1)),
                1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``                  | f:1: the file is empty",
                "{\"a\": 1,\\n\"b\" 2} | f:2: not valid JSON, at column",
                "{} x                | f:1: not valid JSON",
                "{} {}               | f:1: not valid JSON, at column",
                "{\"a\":1,\"a\":2}     | f:1: a: appears twice; keep one",
                "a: 1                | f:1: not valid JSON",
            })
    void shouldNameTheLine_whenJsonIsBroken(String text, String expected) {
        json(text.replace("\\n", "\n"));

        assertThat(problems.list()).singleElement().asString().startsWith(expected);
    }

    @Test
    void shouldRefuseWithOneProblem_whenTextsAreLongOrDeepOrNoText() {
        ConfigReader.yaml("a".repeat(MOST + 1), problems);
        ConfigReader.json(new byte[MOST + 1], problems);
        ConfigReader.yaml("[".repeat(18) + "]".repeat(18), problems);
        json("[".repeat(100_000));
        ConfigReader.json(new byte[] {'{', (byte) 0xC3, '}'}, problems);

        assertThat(problems.list())
                .extracting(ConfigProblem::message)
                .satisfiesExactly(
                        longYaml -> assertThat(longYaml).contains("longer than"),
                        longJson -> assertThat(longJson).contains("larger than"),
                        deepYaml -> assertThat(deepYaml).contains("nested deeper than 16 levels"),
                        deepJson -> assertThat(deepJson).contains("nested deeper than 16 levels"),
                        noText -> assertThat(noText).contains("UTF-8"));
    }

    @Test
    void shouldRefuseASecondDocument() {
        assertThat(ConfigReader.yaml("a: 1\n---\nb: 2\n", problems)).isNull();

        assertThat(problems.list())
                .singleElement()
                .asString()
                .startsWith("f:3: not valid YAML: a second document begins");
    }

    @Test
    void shouldRefuseAliases() {
        ConfigReader.yaml("a: &x 1\nb: *x\n", problems);

        assertThat(problems.list()).singleElement().asString().startsWith("f:2: aliases are not supported");
    }

    private @Nullable ConfigValue json(String text) {
        return ConfigReader.json(text.getBytes(StandardCharsets.UTF_8), problems);
    }
}
