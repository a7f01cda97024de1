package dev.retier.agent.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.agent.config.ConfigException;
import dev.retier.agent.config.SecretSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigFileTest {
    @TempDir
    @Nullable
    Path temporary;

    private Path file(String name) {
        return Objects.requireNonNull(temporary).resolve(name);
    }

    @Test
    void shouldReadTheFirstLine_whenTheSecretIsInAFile() throws IOException {
        Files.writeString(file("secret"), "  0123456789abcdef \nanything\n");
        assertThat(ConfigFile.secret(new SecretSource.InFile(file("secret")), Map.of()))
                .isEqualTo("0123456789abcdef".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shouldReadTheVariable_whenTheSecretIsInTheEnvironment() {
        assertThat(ConfigFile.secret(new SecretSource.InEnvironment("S"), Map.of("S", "0123456789abcdef")))
                .hasSize(16);
    }

    @Test
    void shouldNotSayTheSecret_whenItIsTooShort() {
        assertThatThrownBy(() -> ConfigFile.secret(new SecretSource.InEnvironment("S"), Map.of("S", "hunter2")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("$S:1: holds no secret of at least 16 characters")
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void shouldNameTheFile_whenItCannotBeRead() {
        assertThatThrownBy(() -> ConfigFile.read(file("missing.yaml")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("missing.yaml:1: cannot be read");
        assertThatThrownBy(() -> ConfigFile.secret(new SecretSource.InFile(file("none")), Map.of()))
                .hasMessageContaining("secret-file: cannot be read");
    }
}
