package dev.retier.state.sync;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TurnTest {
    @Test
    void shouldBeTheSame_whenEncodedAndDecoded() {
        assertThat(Turn.decode(new Turn(Turn.MAX_TICKET, 0xFFFF).encode()))
                .isEqualTo(new Turn(Turn.MAX_TICKET, 0xFFFF));
        assertThat(new Turn(1, 2).encode()).isEqualTo(0x1_0002);
    }

    @Test
    void shouldNeverBeatToZero_whenTheBeatsRunOut() {
        assertThat(new Turn(7, 0xFFFF).beaten()).isEqualTo(new Turn(7, 1));
        assertThat(new Turn(7, 0).beaten()).isEqualTo(new Turn(7, 1));
        assertThat(new Turn(7, 9).passed()).isEqualTo(new Turn(8, 0));
    }

    @Test
    void shouldBeginHigher_whenTheHomeStartsLater() {
        assertThat(Turn.atBoot(2).ticket()).isEqualTo(Turn.atBoot(1).ticket() + 64);
        assertThat(Turn.atBoot((1L << 42) - 1).ticket()).isLessThanOrEqualTo(Turn.MAX_TICKET);
    }
}
