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
    void shouldGoToTheOldRoleOrTheNew_whenAMoveEnds() {
        Role old = Role.serving(new SiteId(1), Tier.APP);
        RoleWord ordered = RoleWord.active(5, 7, old).ordered(6, 8, Role.DRAINED);

        assertThat(ordered.completed()).isEqualTo(RoleWord.active(6, 8, Role.DRAINED));
        assertThat(ordered.rolledBack()).isEqualTo(RoleWord.active(6, 8, old));
    }

    @Test
    void shouldServeARole_whenItHasProvenSo() {
        RoleWord drained = RoleWord.active(5, 7, Role.DRAINED);

        assertThat(drained.serves(Role.DRAINED)).isTrue();
        assertThat(drained.serves(Role.SPARE)).isFalse();
        assertThat(drained.ordered(6, 8, Role.SPARE).serves(Role.SPARE)).isFalse();
        assertThat(drained.ordered(6, 8, Role.SPARE).serves(Role.DRAINED)).isFalse();
    }

    @Test
    void shouldRefuse_whenItIsNoWordOfThisNode() {
        Role role = Role.SPARE;

        assertThat(RoleWord.active(RoleWord.MAX_EPOCH, RoleWord.MAX_FENCE, role).epoch())
                .isEqualTo(RoleWord.MAX_EPOCH);
        assertThatThrownBy(() -> RoleWord.active(-1, 0, role)).hasMessageContaining("epoch -1");
        assertThatThrownBy(() -> RoleWord.active(RoleWord.MAX_EPOCH + 1, 0, role))
                .hasMessageContaining("epoch 268435456");
        assertThatThrownBy(() -> RoleWord.active(0, -1, role)).hasMessageContaining("fence -1");
        assertThatThrownBy(() -> RoleWord.active(0, RoleWord.MAX_FENCE + 1, role))
                .hasMessageContaining("fence 65536");
        assertThatThrownBy(() -> new RoleWord(0, 0, role, Role.DRAINED, RoleWord.Phase.ACTIVE))
                .hasMessageContaining("names one role");
    }

    @Test
    void shouldGiveAValue_whenBitsAreNoRoleWord() {
        assertThat(RoleWord.parse(0)).isEqualTo(new RoleWord.Malformed(0, "phase bits 0 name no phase"));
        assertThat(RoleWord.parse(0x32L)).isEqualTo(new RoleWord.Malformed(0x32L, "role bits 3 name no tier"));
        assertThat(RoleWord.parse(0x2001L)).isEqualTo(new RoleWord.Malformed(0x2001L, "role bits 2 name no tier"));
        assertThat(RoleWord.parse(0x42L))
                .isEqualTo(new RoleWord.Malformed(0x42L, "an active role word names one role, not 0 and 4"));
        assertThatThrownBy(() -> RoleWord.decode(0)).hasMessageContaining("phase");
    }

    @Seeded(tries = 2000)
    void shouldNeverThrow_whenBitsAreAnybodys(SplittableRandom random) {
        long bits = random.nextLong();

        switch (RoleWord.parse(bits)) {
            case RoleWord.Valid(RoleWord word) -> assertThat(word.encode()).isEqualTo(bits);
            case RoleWord.Malformed(long kept, String _) -> assertThat(kept).isEqualTo(bits);
        }
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
