package dev.retier.agent.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class GainsTest {
    private static Gains gains(double members, double promised, double lower, double all) {
        return new Gains(List.of(members, promised, lower, all));
    }

    @Test
    void shouldBeDecidedByTheFirstPart_thatIsNotAboutZero() {
        assertThat(gains(1, -1, -1, -1).isWorthIt(0.1)).isTrue();
        assertThat(gains(0, 0.02, -1, -1).isWorthIt(0.1)).isTrue();
        assertThat(gains(0, -0.02, 1, 1).isWorthIt(0.1)).isFalse();
        assertThat(gains(0, -0.005, 0.2, -0.3).isWorthIt(0.1)).isTrue();
        assertThat(gains(0, 0, 0.05, 0.2).isWorthIt(0.1)).isTrue();
        assertThat(gains(0, 0, 0, 0.09).isWorthIt(0.1)).isFalse();
        assertThat(gains(0, 0, 0, 0.09).isWorthIt(0.05)).isTrue();
        assertThat(Gains.none(2).isWorthIt(0)).isFalse();
    }

    @Test
    void shouldBeAbove_byTheFirstPartThatDiffers() {
        assertThat(gains(0, 0.1, 0, 0).isAbove(gains(0, 0, 1, 1))).isTrue();
        assertThat(gains(0, 0.1, 0, 0).isAbove(gains(0, 0.095, 1, 0))).isFalse();
        assertThat(gains(0, 0, 0.3, 0).isAbove(gains(0, 0, 0.3, 0))).isFalse();
        assertThat(gains(0, 0, 0.3, 0).isAbove(Gains.none(2))).isTrue();
    }
}
