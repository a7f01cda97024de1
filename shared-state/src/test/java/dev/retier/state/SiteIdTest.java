package dev.retier.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SiteIdTest {
    @Test
    void shouldFitTheSixBitsOfARoleWord_whenItIsASite() {
        assertThat(new SiteId(63).value()).isEqualTo(SiteId.MAX_VALUE);
        assertThatThrownBy(() -> new SiteId(0)).hasMessage("site id 0 is not in 1..63");
        assertThatThrownBy(() -> new SiteId(64)).hasMessage("site id 64 is not in 1..63");
    }

    @Test
    void shouldOrderByNumber_whenCompared() {
        assertThat(new SiteId(2)).isGreaterThan(new SiteId(1)).isLessThan(new SiteId(3));
    }

    @Test
    void shouldNameTheDonor_whenATierIsPressed() {
        assertThat(Tier.PROXY.other()).isEqualTo(Tier.APP);
        assertThat(Tier.APP.other()).isEqualTo(Tier.PROXY);
    }
}
