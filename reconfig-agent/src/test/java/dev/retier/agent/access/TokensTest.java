package dev.retier.agent.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.config.ConfigException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokensTest {
    /** SHA-256 of "abc" (FIPS 180-4, as the examples of NIST give it). */
    private static final String ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @Test
    void shouldKnowWhoseATokenIs_byItsDigest() {
        Tokens tokens = Tokens.parse(
                "# who may\n\nprometheus:viewer:" + "0".repeat(64) + "\n ann:operator:" + ABC + " \r\n", "file");
        assertThat(tokens.owner("abc")).contains(new Tokens.Owner("ann", CallerRole.OPERATOR));
        assertThat(tokens.owner("abd")).isEmpty();
        assertThat(tokens.owner("")).isEmpty();
        assertThat(tokens.owner(ABC)).as("who reads the file has no token").isEmpty();
    }

    @Test
    void shouldTakeTheLineThatItWrites() {
        String line = Tokens.line("ann", CallerRole.VIEWER, "abc");
        assertThat(line).isEqualTo("ann:viewer:" + ABC);
        assertThat(Tokens.parse(line, "file").owner("abc")).contains(new Tokens.Owner("ann", CallerRole.VIEWER));
        assertThatThrownBy(() -> Tokens.line("a:b", CallerRole.VIEWER, "abc")).hasMessageContaining("is no name");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ann:operator:secret",
                "ann:none:" + ABC,
                "ann:admin:" + ABC,
                ":viewer:" + ABC,
                "ann:viewer:" + ABC + "00",
                "a b:viewer:" + ABC,
                "secret"
            })
    void shouldNameTheLineAndNotShowIt_whenItIsNone(String line) {
        assertThatThrownBy(() -> Tokens.parse("# one\n" + line, "tokens"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("tokens:2: ")
                .hasMessageContaining("retier token new")
                .message()
                .doesNotContain("secret")
                .doesNotContain(ABC);
    }

    @Test
    void shouldRefuseTwoOfOneName() {
        String line = "ann:viewer:" + ABC + "\n";
        assertThatThrownBy(() -> Tokens.parse(line + line, "tokens")).hasMessageContaining("tokens:2: ");
    }

    @Test
    void shouldRefuseMoreThanAnAgentLooksThrough() {
        String most = IntStream.range(0, Tokens.MOST)
                .mapToObj(i -> "n" + i + ":viewer:" + ABC)
                .collect(Collectors.joining("\n"));
        assertThat(Tokens.parse(most, "tokens").owner("abc")).isPresent();
        assertThatThrownBy(() -> Tokens.parse(most + "\nmore:viewer:" + ABC, "tokens"))
                .hasMessageContaining("more than 1024");
    }
}
