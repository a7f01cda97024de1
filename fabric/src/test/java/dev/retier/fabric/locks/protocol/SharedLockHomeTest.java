package dev.retier.fabric.locks.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.fabric.locks.protocol.ReadWriteLockHome.Mode;
import dev.retier.fabric.locks.protocol.ReadWriteLockHome.Standing;
import dev.retier.link.LeaseTimes;
import org.junit.jupiter.api.Test;

class SharedLockHomeTest {
    private static final long LEASE = 3_000_000;
    private static final LeaseTimes RULE = new LeaseTimes(LEASE);

    @Test
    void shouldLetReadersInTogetherAndKeepTheOrder_whenAWriterWaitsBetweenThem() {
        ReadWriteLockHome<String> home = new ReadWriteLockHome<>(RULE, 2, 0, 0);
        long now = LEASE + 1;
        assertThat(home.ask("r1", Mode.READ, now)).isInstanceOf(Standing.Held.class);
        assertThat(home.ask("w", Mode.WRITE, now)).isInstanceOf(Standing.Absent.class);
        assertThat(home.ask("r2", Mode.READ, now)).isInstanceOf(Standing.Absent.class);
        assertThat(home.ask("r3", Mode.READ, now)).isInstanceOf(Standing.Absent.class);

        home.leave("r1");
        assertThat(home.settle(now)).containsExactly("w");
        home.leave("w");
        assertThat(home.settle(now)).containsExactly("r2");
    }

    @Test
    void shouldGrantNothing_whenTheHomeHasJustStarted() {
        ReadWriteLockHome<String> home = new ReadWriteLockHome<>(RULE, 2, 7, 100);

        assertThat(home.ask("a", Mode.READ, 101)).isInstanceOf(Standing.Absent.class);
        assertThat(home.settle(100 + LEASE)).isEmpty();
        assertThat(home.ask("a", Mode.READ, 101 + LEASE)).isInstanceOf(Standing.Held.class);
        assertThat(home.renew("b", 101 + LEASE)).isInstanceOf(Standing.Absent.class);
    }
}
