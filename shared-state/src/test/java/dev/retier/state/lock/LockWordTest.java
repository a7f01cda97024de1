package dev.retier.state.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.link.NodeId;
import dev.retier.testsupport.Seeded;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LockWordTest {
    @Test
    void shouldPlaceEachFieldAsDrawn_whenEncoding() {
        assertThat(new LockWord(0x1234_5678L, 0x9ABC, 0xDEF0).encode()).isEqualTo(0x1234_5678_9ABC_DEF0L);
        assertThat(new LockWord(0, 0, 0).encode()).isZero();
    }

    @Seeded(tries = 200)
    void shouldGiveTheSameBits_whenDecoded(SplittableRandom random) {
        long bits = random.nextLong();

        assertThat(LockWord.decode(bits).encode()).isEqualTo(bits);
    }

    @Test
    void shouldKeepTheTermAndWrapTheCount_whenRenewedAndReleased() {
        LockWord held = new LockWord(9, 4, 0xFFFF);

        assertThat(held.renewed()).isEqualTo(new LockWord(9, 4, 0));
        assertThat(held.released()).isEqualTo(new LockWord(9, 0, 0));
        assertThat(held.holder()).contains(new NodeId(4));
        assertThat(held.released().holder()).isEmpty();
    }

    @Test
    void shouldRefuse_whenAFieldDoesNotFit() {
        assertThat(new LockWord(LockWord.MAX_TERM, 0xFFFF, 0xFFFF).encode()).isEqualTo(-1);
        assertThatThrownBy(() -> new LockWord(0, 0x1_0000, 0)).hasMessageContaining("holder 65536");
        assertThatThrownBy(() -> new LockWord(0, 0, 0x1_0000)).hasMessageContaining("renewals 65536");
        assertThatThrownBy(() -> new LockWord(-1, 0, 0)).hasMessageContaining("term -1");
    }

    @Test
    void shouldRefuse_whenTheTermIsSpent() {
        assertThatThrownBy(() -> LockWord.heldBy(new NodeId(1), LockWord.MAX_TERM + 1))
                .hasMessageContaining("term");
    }
}
