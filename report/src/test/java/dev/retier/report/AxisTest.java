package dev.retier.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class AxisTest {
    @Test
    void shouldHaveRoundTicks_whenLinear() {
        assertThat(Axis.linear("s", 1850).ticks(4)).containsExactly(0.0, 500.0, 1000.0, 1500.0);
        assertThat(new Axis("s", 95, 112, Axis.Scale.LINEAR).ticks(4)).containsExactly(95.0, 100.0, 105.0, 110.0);
        assertThat(Axis.linear("s", 10).share(2.5)).isEqualTo(0.25);
        assertThat(Axis.linear("s", 10).share(11)).isEqualTo(1);
    }

    @Test
    void shouldReachFromDecadeToDecade_whenLogarithmic() {
        Axis axis = Axis.log("ms", 0.5, 180);

        assertThat(List.of(axis.from(), axis.to())).containsExactly(0.1, 1000.0);
        assertThat(axis.ticks(4)).hasSize(5);
        assertThat(axis.share(10)).isCloseTo(0.5, within(1e-9));
        assertThat(axis.share(0)).isZero();
        assertThat(Axis.log("ms", 0, 0).to()).isEqualTo(10);
    }

    @Test
    void shouldLabelPercentiles_whenValuesAreOneInSoMany() {
        Axis axis = Axis.percentile(20_000);

        assertThat(axis.ticks(5).stream().map(axis::label))
                .containsExactly("0 %", "90 %", "99 %", "99.9 %", "99.99 %", "99.999 %");
        assertThat(axis.share(100)).isCloseTo(0.4, within(1e-9));
    }

    @Test
    void shouldLabelWithoutNeedlessDigits() {
        Axis axis = Axis.linear("n", 1);

        assertThat(List.of(axis.label(0.5), axis.label(1500), axis.label(25_000), axis.label(2e6), axis.label(0)))
                .containsExactly("0.5", "1500", "25k", "2M", "0");
    }

    @Test
    void shouldRefuse_whenItHasNoLength() {
        assertThatThrownBy(() -> Axis.linear("s", 0)).hasMessageContaining("no length");
        assertThatThrownBy(() -> Axis.linear("s", Double.NaN)).hasMessageContaining("no length");
        assertThatThrownBy(() -> new Axis("s", 0, 1, Axis.Scale.LOG)).hasMessageContaining("above 0");
    }

    @Test
    void shouldMakeTextHarmless() {
        assertThat(Text.escape("<a href='x'>&\"\u0000\u202e")).isEqualTo("&lt;a href=&#39;x&#39;&gt;&amp;&quot;  ");
        assertThat(Text.printable("a\u001b[2J\r\nb\u202e\u2028ü")).isEqualTo("a?[2J??b??ü");
    }
}
