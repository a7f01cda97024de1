package dev.retier.sim.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.sim.run.Shops;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.Tier;
import org.junit.jupiter.api.Test;

class ToAndFroTest {
    private static final Role PROXY = Role.serving(Shops.SHOP, Tier.PROXY);
    private static final Role APP = Role.serving(Shops.SHOP, Tier.APP);

    private final RoleWord[] words = {RoleWord.active(0, 0, PROXY), RoleWord.active(0, 0, APP)};
    private final ToAndFro circle = new ToAndFro(2, node -> words[node]);
    private long epoch;

    private void move(int node, boolean isUndone) {
        Role to = words[node].to().equals(APP) ? PROXY : APP;
        RoleWord ordered = words[node].ordered(++epoch, 0, to);
        words[node] = isUndone ? ordered.rolledBack() : ordered.completed();
        circle.wordChanged(node, ordered, words[node]);
    }

    private void round(int node) {
        move(node, false);
        move(node, false);
    }

    @Test
    void shouldTell_whenASplitComesForTheThirdTime() {
        round(0);
        round(1);
        assertThat(circle.isBack()).isFalse();
        move(1, false);
        move(1, false);
        assertThat(circle.isBack()).isTrue();
    }

    @Test
    void shouldNotTakeMovesThatComeToNothingForACircle() {
        round(0);
        round(0);
        round(0);
        assertThat(circle.isBack()).isTrue();
        move(0, true);
        assertThat(circle.isBack()).isFalse();
        round(0);
        assertThat(circle.isBack()).isFalse();
    }
}
