package dev.retier.agent.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.retier.config.tls.PemException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenFilesTest {
    @TempDir
    private Path folder = Path.of("");

    /** To open it would wait for one who writes, on the thread that answers all. */
    @Test
    void shouldRefuseAPipe_withoutOpeningIt() throws Exception {
        Path pipe = folder.resolve("tokens");
        assertThat(new ProcessBuilder("mkfifo", "-m", "600", pipe.toString())
                        .start()
                        .waitFor())
                .isZero();

        assertTimeoutPreemptively(
                Duration.ofSeconds(10),
                () -> assertThatThrownBy(() -> TokenFiles.tokens(pipe))
                        .isInstanceOf(PemException.class)
                        .hasMessageContaining("it is no file"));
        assertTimeoutPreemptively(
                Duration.ofSeconds(10),
                () -> assertThatThrownBy(() -> TokenFiles.token(pipe)).isInstanceOf(PemException.class));
    }
}
