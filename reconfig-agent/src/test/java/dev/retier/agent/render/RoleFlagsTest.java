package dev.retier.agent.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RoleFlagsTest {
    private final RoleFlags flags = new RoleFlags(Path.of("/etc/retier/retier.conf"));

    @Test
    void shouldLetGoATenthAtLeast_whenAnyAreToGo() {
        assertThat(flags.letGoParts(new LetGo(1, 0))).isEmpty();
        assertThat(flags.letGoParts(new LetGo(1, 5))).hasSize(1);
        assertThat(flags.letGoParts(new LetGo(1, 11))).hasSize(2);
        assertThat(flags.letGoParts(new LetGo(1, 100))).isEqualTo(flags.letGoParts());
    }

    @Test
    void shouldAskAllInTurn_whenATenthGoesInEachRound() {
        Set<Path> asked = new HashSet<>();
        for (int round = 1; round <= 10; round++) {
            asked.addAll(flags.letGoParts(new LetGo(round, 10)));
        }
        assertThat(asked).isEqualTo(flags.letGoParts());
    }
}
