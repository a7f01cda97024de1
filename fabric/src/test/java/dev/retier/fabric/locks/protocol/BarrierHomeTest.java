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
    void shouldRefuse_whenThereIsNobodyToWaitFor() {
        assertThatThrownBy(() -> new BarrierHome<String>(new LeaseTimes(LEASE), 0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
