package dev.retier.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.testsupport.Seeded;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RoleWordTest {
    @Test
    void shouldPlaceEachFieldAsDrawn_whenEncoding() {
        RoleWord word = new RoleWord(
                0x123_4567L,
                0x89AB,
                Role.serving(new SiteId(3), Tier.PROXY),
                Role.serving(new SiteId(63), Tier.APP),
                RoleWord.Phase.ORDERED);

        assertThat(word.encode()).isEqualTo(0x1234_5678_9AB0_CFD1L);
    }

    @Test
    void shouldBeOneInTheLowestBits_whenASpareNodeStarts() {
        assertThat(RoleWord.active(0, 0, Role.SPARE).encode()).isEqualTo(2L);
    }

    @Seeded(tries = 200)
    void shouldGiveTheSameWord_whenDecodedAgain(SplittableRandom random) {
        RoleWord word = any(random);

        assertThat(RoleWord.decode(word.encode())).isEqualTo(word);
    }

    @Test
    void shouldTellHoldersOfTwoSitesApart_whenTheirTermsAreTheSame() {
        RoleWord word = RoleWord.active(5, 0, Role.SPARE);

        assertThat(word.stamped(new SiteId(3), 0x12345).term()).isEqualTo((0x345 << 6 & 0xFFFF) | 3);
        assertThat(word.stamped(new SiteId(3), 7)).isNotEqualTo(word.stamped(new SiteId(4), 7));
        assertThat(word.stamped(new SiteId(3), 7).stamped(new SiteId(4), 9)).isEqualTo(word.stamped(new SiteId(4), 9));
    }

    @Test
    void shouldRefuse_whenBitsAreNoRoleWord() {
        assertThatThrownBy(() -> RoleWord.decode(0)).hasMessageContaining("phase");
        assertThatThrownBy(() -> RoleWord.decode(0x32L)).hasMessageContaining("tier");
        assertThatThrownBy(() -> RoleWord.decode(0x42L)).hasMessageContaining("active");
    }

    private static RoleWord any(SplittableRandom random) {
        Role role = anyRole(random);
        RoleWord active = RoleWord.active(random.nextLong(RoleWord.MAX_EPOCH), random.nextInt(0x10000), role);
        return random.nextBoolean()
                ? active
                : active.ordered(active.epoch() + 1, random.nextInt(0x10000), anyRole(random));
    }

    private static Role anyRole(SplittableRandom random) {
        return random.nextInt(5) == 0
                ? Role.SPARE
                : Role.serving(
                        new SiteId(random.nextInt(1, SiteId.MAX_VALUE + 1)),
                        random.nextBoolean() ? Tier.APP : Tier.PROXY);
    }
}
