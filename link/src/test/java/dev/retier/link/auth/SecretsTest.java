package dev.retier.link.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretsTest {
    private static final String FIRST = "the first secret of a cell";
    private static final String SECOND = "the second secret of a cell";

    @Test
    void shouldTakeOneSecretOfEachLine_whenThereAreOneOrTwo() {
        ClusterSecret first = ClusterSecret.of(FIRST);

        assertThat(Secrets.parse(FIRST)).isEqualTo(Secrets.only(first));
        assertThat(Secrets.parse("\n " + FIRST + "\r\n\n" + SECOND + " \n\n"))
                .isEqualTo(new Secrets(first, ClusterSecret.of(SECOND)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            ""                                      | no cluster secret is there: make one with retier secret new
            "
             "                                      | no cluster secret is there
            "the first secret of a cell
            hush"                                   | the cluster secret has 4 characters
            "the first secret of a cell
            the first secret of a cell"             | the same cluster secret stands there twice: take one away
            "the first secret of a cell
            the second secret of a cell
            the third secret of a cell"             | 3 lines are there, each a cluster secret, and two are the most
            """)
    void shouldSayWhatIsWrong_whenThereAreNotOneOrTwo(String text, String problem) {
        assertThatThrownBy(() -> Secrets.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(problem)
                .hasMessageNotContaining("first secret")
                .hasMessageNotContaining("hush");
    }
}
