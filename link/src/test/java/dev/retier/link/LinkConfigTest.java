package dev.retier.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The small values: {@link NodeId}, {@link LeaseTimes}, {@link LinkConfig.Pace}. */
class LinkConfigTest {
    @Test
    void shouldBeANode_whenTheNumberFitsSixteenBits() {
        assertThat(new NodeId(1)).hasToString("node-1");
        assertThat(new NodeId(65_535)).hasToString("node-65535");
        for (int other : new int[] {0, -1, 65_536}) {
            assertThatThrownBy(() -> new NodeId(other))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("node id " + other);
        }
        assertThat(List.of(new NodeId(10), new NodeId(9), new NodeId(11)).stream()
                        .sorted())
                .containsExactly(new NodeId(9), new NodeId(10), new NodeId(11));
    }

    @Test
    void shouldActForTwoThirdsAndRenewAfterOne_whenALeaseIsHeld() {
        LeaseTimes times = LeaseTimes.of(Duration.ofNanos(900));

        assertThat(times.leaseNanos()).isEqualTo(900);
        assertThat(times.safeNanos()).isEqualTo(600);
        assertThat(times.renewNanos()).isEqualTo(300);
    }

    @Test
    void shouldRefuse_whenALeaseHasNoThirds() {
        assertThat(new LeaseTimes(3).renewNanos()).isEqualTo(1);
        assertThatThrownBy(() -> new LeaseTimes(2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2 ns");
    }

    @Test
    void shouldTakeTheMachinesTimeAndThreads_unlessItGoesByHand() {
        long before = System.nanoTime();
        assertThat(LinkConfig.Pace.SYSTEM.nanos().getAsLong()).isBetween(before, System.nanoTime());
        assertThat(LinkConfig.Pace.SYSTEM.byHand()).isFalse();

        LinkConfig.Pace byHand = LinkConfig.Pace.byHand(() -> 42);
        assertThat(byHand.nanos().getAsLong()).isEqualTo(42);
        assertThat(byHand.byHand()).isTrue();
    }
}
