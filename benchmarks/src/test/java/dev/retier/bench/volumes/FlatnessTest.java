package dev.retier.bench.volumes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class FlatnessTest {
    @Test
    void shouldCompareTheLastThirdWithTheMiddleOne_byTheirMedians() {
        Flatness flat = Flatness.of(List.of(1.0, 2.0, 3.0, 99.0, 10.0, 10.0, 11.0, 11.0, 500.0));

        assertThat(flat).isEqualTo(new Flatness(2, 10, 11));
        assertThat(flat.growth()).isEqualTo(1.1);
        assertThat(flat.isFlat()).isTrue();
    }

    @Test
    void shouldNotBeFlat_whenTheLastThirdIsMoreThanATenthAbove() {
        assertThat(Flatness.of(List.of(50.0, 100.0, 110.2)).isFlat()).isFalse();
    }

    @Test
    void shouldBeFlat_whenItOnlyGrewInTheBeginning() {
        assertThat(Flatness.of(List.of(1.0, 100.0, 90.0)).isFlat()).isTrue();
    }

    @Test
    void shouldRefuseTooFewSamples() {
        assertThatThrownBy(() -> Flatness.of(List.of(1.0, 2.0))).hasMessageContaining("2 samples");
    }
}
