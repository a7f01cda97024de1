package dev.retier.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class VolumeNameTest {
    @Test
    void shouldTakeNames() {
        assertThat(new VolumeName("accounts").value()).isEqualTo("accounts");
        assertThat(VolumeName.parse("0.a-b")).isPresent();
        assertThat(VolumeName.parse("a".repeat(VolumeName.MAX_LENGTH))).isPresent();
        assertThat(new VolumeName("a")).isLessThan(new VolumeName("b"));
    }

    @Test
    void shouldRefuseWhatIsNone() {
        for (String bad : new String[] {"", "A", "-a", ".a", "a/b", "a b", "a\n", "a".repeat(64)}) {
            assertThat(VolumeName.parse(bad)).as(bad).isEmpty();
            assertThatThrownBy(() -> new VolumeName(bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("write 1 to 63 of");
        }
    }
}
