package dev.retier.agent.files;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.config.ConfigException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ConfigFileTest {
    @Test
    void shouldNameTheFile_whenItCannotBeRead() {
        assertThatThrownBy(() -> ConfigFile.read(Path.of("missing.yaml")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("missing.yaml:1: cannot be read");
    }

    @Test
    void shouldReadNoMoreThanItNeeds_ofWhatHasNoEnd() {
        assertThatThrownBy(() -> ConfigFile.read(Path.of("/dev/zero")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("/dev/zero:1:");
    }
}
