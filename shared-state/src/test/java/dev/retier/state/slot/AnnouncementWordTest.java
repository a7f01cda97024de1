package dev.retier.state.slot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.state.RoleWord;
import org.junit.jupiter.api.Test;

class AnnouncementWordTest {
    @Test
    void shouldCarryTheEpochAndItsComplement_whenEncoded() {
        assertThat(AnnouncementWord.encode(5)).isEqualTo(0x0000_0005_FFFF_FFFAL);
        assertThat(AnnouncementWord.decode(0x0000_0005_FFFF_FFFAL)).isEqualTo(5);
        assertThat(AnnouncementWord.decode(AnnouncementWord.encode(RoleWord.MAX_EPOCH)))
                .isEqualTo(RoleWord.MAX_EPOCH);
    }

    @Test
    void shouldSayNothing_whenTheWordIsZeroOrHalfWritten() {
        long before = AnnouncementWord.encode(5);
        long after = AnnouncementWord.encode(6);

        assertThat(AnnouncementWord.decode(0)).isZero();
        assertThat(AnnouncementWord.decode((before & 0xFFFF_FFFFL) | (after & ~0xFFFF_FFFFL)))
                .isZero();
    }

    @Test
    void shouldRefuse_whenTheEpochDoesNotFit() {
        assertThatThrownBy(() -> AnnouncementWord.encode(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> AnnouncementWord.encode(RoleWord.MAX_EPOCH + 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
