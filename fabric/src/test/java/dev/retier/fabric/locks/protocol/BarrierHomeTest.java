package dev.retier.fabric.locks.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.fabric.locks.protocol.BarrierHome.State;
import dev.retier.fabric.locks.protocol.BarrierHome.Verdict;
import dev.retier.link.LeaseTimes;
import org.junit.jupiter.api.Test;

class BarrierHomeTest {
    private static final long LEASE = 300;

    private final BarrierHome<String> barrier = new BarrierHome<>(new LeaseTimes(LEASE), 3);

    @Test
    void shouldLetAllPass_whenTheLastHasCome() {
        assertThat(barrier.await("a", 0)).isEqualTo(new Verdict(State.WAITING, 1));
        assertThat(barrier.await("b", 1)).isEqualTo(new Verdict(State.WAITING, 1));
        assertThat(barrier.await("a", 2)).isEqualTo(new Verdict(State.WAITING, 1));
        assertThat(barrier.await("c", 3)).isEqualTo(new Verdict(State.PASSED, 1));

        assertThat(barrier.await("a", 4)).isEqualTo(new Verdict(State.PASSED, 1));
        assertThat(barrier.leave("b")).isEqualTo(new Verdict(State.PASSED, 1));
        assertThat(barrier.await("d", 5)).isEqualTo(new Verdict(State.WAITING, 2));
    }

    @Test
    void shouldBreakForAll_whenOneLeaves() {
        barrier.await("a", 0);
        barrier.await("b", 0);

        assertThat(barrier.leave("a")).isEqualTo(new Verdict(State.BROKEN, 1));
        assertThat(barrier.await("b", 1)).isEqualTo(new Verdict(State.BROKEN, 1));
        assertThat(barrier.await("c", 2)).isEqualTo(new Verdict(State.WAITING, 2));
    }

    @Test
    void shouldBreak_whenOneIsNotHeardOfForALease() {
        barrier.await("silent", 0);
        barrier.await("b", LEASE - 1);

        assertThat(barrier.await("b", LEASE + 1)).isEqualTo(new Verdict(State.BROKEN, 1));
    }

    @Test
    void shouldNotBreak_whenSomebodyLeavesWhoNeverCame() {
        barrier.await("a", 0);
        barrier.leave("stranger");

        assertThat(barrier.waiting()).containsExactly("a");
    }

    @Test
    void shouldForgetOldWaits_whenManyRoundsHavePassed() {
        for (int round = 0; round < 1000; round++) {
            barrier.await("a" + round, round);
            barrier.await("b" + round, round);
            assertThat(barrier.await("c" + round, round)).isEqualTo(new Verdict(State.PASSED, round + 1L));
        }

        assertThat(barrier.await("a999", 1000)).isEqualTo(new Verdict(State.PASSED, 1000));
        assertThat(barrier.await("a5", 1000)).isEqualTo(new Verdict(State.WAITING, 1001));
    }

    @Test
    void shouldWait_whenALeaseHasJustPassed() {
        barrier.await("a", 10);
        barrier.settle(10 + LEASE);
        assertThat(barrier.waiting()).containsExactly("a");

        barrier.settle(10 + LEASE + 1);
        assertThat(barrier.waiting()).isEmpty();
        assertThat(barrier.leave("a")).isEqualTo(new Verdict(State.BROKEN, 1));
        assertThat(barrier.leave("stranger")).isEqualTo(new Verdict(State.BROKEN, 2));
    }

    @Test
    void shouldRememberEightWaitsOfEachParty_whenMoreHaveEnded() {
        BarrierHome<String> alone = new BarrierHome<>(new LeaseTimes(LEASE), 1);
        for (int wait = 1; wait <= 8; wait++) {
            assertThat(alone.await("wait " + wait, 0)).isEqualTo(new Verdict(State.PASSED, wait));
        }
        assertThat(alone.leave("wait 1")).isEqualTo(new Verdict(State.PASSED, 1));

        alone.await("wait 9", 0);
        assertThat(alone.leave("wait 1")).isEqualTo(new Verdict(State.BROKEN, 10));
        assertThat(alone.leave("wait 2")).isEqualTo(new Verdict(State.PASSED, 2));
    }

    @Test
    void shouldRefuse_whenTooManyWouldWait() {
        LeaseTimes lease = new LeaseTimes(LEASE);

        assertThat(new BarrierHome<String>(lease, 4096).parties()).isEqualTo(4096);
        assertThatThrownBy(() -> new BarrierHome<String>(lease, 4097))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("4097");
    }

    @Test
    void shouldRefuse_whenThereIsNobodyToWaitFor() {
        assertThatThrownBy(() -> new BarrierHome<String>(new LeaseTimes(LEASE), 0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
