package dev.retier.state.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.state.sync.SharedLockHome.Mode;
import dev.retier.state.sync.SharedLockHome.Standing;
import org.junit.jupiter.api.Test;

class SharedLockHomeTest {
    private static final long LEASE = 3_000_000;
    private static final LeaseRule RULE = new LeaseRule(LEASE);

    @Test
    void shouldLetReadersInTogetherAndKeepTheOrder_whenAWriterWaitsBetweenThem() {
        SharedLockHome<String> home = new SharedLockHome<>(RULE, 2, 0, 0);
        long now = LEASE + 1;
        assertThat(home.ask("r1", Mode.READ, now)).isInstanceOf(Standing.Held.class);
        assertThat(home.ask("w", Mode.WRITE, now)).isInstanceOf(Standing.Absent.class);
        assertThat(home.ask("r2", Mode.READ, now)).isInstanceOf(Standing.Absent.class);
        assertThat(home.ask("r3", Mode.READ, now)).isInstanceOf(Standing.TooMany.class);

        home.leave("r1");
        assertThat(home.settle(now)).containsExactly("w");
        home.leave("w");
        assertThat(home.settle(now)).containsExactly("r2");
    }

    @Test
    void shouldGrantNothing_whenTheHomeHasJustStarted() {
        SharedLockHome<String> home = new SharedLockHome<>(RULE, 2, 7, 100);

        assertThat(home.ask("a", Mode.READ, 101)).isInstanceOf(Standing.Absent.class);
        assertThat(home.settle(100 + LEASE)).isEmpty();
        assertThat(home.ask("a", Mode.READ, 101 + LEASE)).isInstanceOf(Standing.Held.class);
        assertThat(home.renew("b", 101 + LEASE)).isInstanceOf(Standing.Absent.class);
    }
}
