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
    void shouldDifferFromEveryEarlierWord_whenFenced() {
        RoleWord word = RoleWord.active(5, 0xFFFE, Role.SPARE);

        assertThat(word.fenced()).isEqualTo(RoleWord.active(5, 0xFFFF, Role.SPARE));
        assertThat(word.fenced().fenced()).isEqualTo(RoleWord.active(5, 0, Role.SPARE));
    }

    @Test
    void shouldCountFencesFromItsStart_whenANodeComesBack() {
        RoleWord word = RoleWord.active(5, 7, Role.SPARE);
        RoleWord ordered = word.ordered(6, 7, Role.serving(new SiteId(1), Tier.APP));

        assertThat(word.atBoot(0x12345)).isEqualTo(RoleWord.active(5, 0x2345, Role.SPARE));
        assertThat(ordered.atBoot(0x12345)).isEqualTo(ordered);
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
