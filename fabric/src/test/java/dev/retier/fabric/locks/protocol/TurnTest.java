package dev.retier.fabric.locks.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TurnTest {
    @Test
    void shouldBeTheSame_whenEncodedAndDecoded() {
        assertThat(NowServing.decode(new NowServing(NowServing.MAX_TICKET, 0xFFFF).encode()))
                .isEqualTo(new NowServing(NowServing.MAX_TICKET, 0xFFFF));
        assertThat(new NowServing(1, 2).encode()).isEqualTo(0x1_0002);
    }

    @Test
    void shouldNeverBeatToZero_whenTheBeatsRunOut() {
        assertThat(new NowServing(7, 0xFFFF).beaten()).isEqualTo(new NowServing(7, 1));
        assertThat(new NowServing(7, 0).beaten()).isEqualTo(new NowServing(7, 1));
        assertThat(new NowServing(7, 9).passed()).isEqualTo(new NowServing(8, 0));
    }

    @Test
    void shouldBeginHigher_whenTheHomeStartsLater() {
        assertThat(NowServing.atBoot(2).ticket()).isEqualTo(NowServing.atBoot(1).ticket() + 64);
        assertThat(NowServing.atBoot((1L << 42) - 1).ticket()).isLessThanOrEqualTo(NowServing.MAX_TICKET);
    }
}
