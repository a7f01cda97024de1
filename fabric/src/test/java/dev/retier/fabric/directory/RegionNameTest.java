package dev.retier.fabric.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class RegionNameTest {
    @Test
    void shouldRefuse_whenNobodyShouldHaveTheName() {
        for (String bad : List.of("", "x".repeat(65), "a b", "../x", "a\nb", "\u00e9")) {
            assertThatThrownBy(() -> new RegionName(bad)).isInstanceOf(IllegalArgumentException.class);
        }
        for (String good : List.of("x", "x".repeat(64), "A/z.0-9_")) {
            assertThat(new RegionName(good).value()).isEqualTo(good);
        }
    }
}
