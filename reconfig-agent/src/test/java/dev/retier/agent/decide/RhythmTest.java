package dev.retier.agent.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.decide.TierTrend.Direction;
import dev.retier.link.NodeId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RhythmTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long LOOK = SECOND / 5;

    private long now;
    private Rhythm rhythm = Rhythm.none(0);
    private Direction direction = Direction.CALM;
    private long directionSince;
    private Set<NodeId> members = Set.of(new NodeId(1), new NodeId(2));
    private long membersSince;

    private void looks(Direction seen, double seconds) {
        long end = now + Math.round(seconds * SECOND);
        while (now < end) {
            if (seen != direction) {
                direction = seen;
                directionSince = now;
            }
            TierTrend trend = new TierTrend(
                    members, membersSince, 0, 0, Map.of(), direction, directionSince, true, RecentPeak.none(0), false);
            rhythm = rhythm.after(trend, SECOND, now);
            now += LOOK;
        }
    }

    @Test
    void shouldKnowNothing_whenNoLullHasEnded() {
        looks(Direction.PRESSED, 1);
        looks(Direction.CALM, 2);

        assertThat(rhythm.lullNanos()).isEmpty();
        assertThat(rhythm.lullLeftNanos(now)).isEmpty();
        assertThat(rhythm.cycleNanos(now)).isInfinite();
    }

    @Test
    void shouldExpectTheRestOfTheLongerLulls_whenSomeWereLonger() {
        looks(Direction.PRESSED, 1);
        for (double lull : new double[] {1, 2, 4}) {
            looks(Direction.CALM, lull);
            looks(Direction.PRESSED, 1);
        }
        looks(Direction.CALM, 1.2);

        assertThat(rhythm.lullLeftNanos(now).orElseThrow() / SECOND).isEqualTo(3 - 1.2);
    }

    @Test
    void shouldExpectAsMuchAgain_whenTheLullIsTheLongestYet() {
        looks(Direction.PRESSED, 1);
        for (int i = 0; i < 3; i++) {
            looks(Direction.CALM, 1);
            looks(Direction.PRESSED, 1);
        }
        looks(Direction.CALM, 5);

        assertThat(rhythm.lullLeftNanos(now).orElseThrow() / SECOND).isEqualTo(5);
    }

    @Test
    void shouldCountThePresentLull_whenItIsLongerThanTheOthers() {
        looks(Direction.PRESSED, 1);
        looks(Direction.CALM, 1);
        looks(Direction.PRESSED, 1);
        looks(Direction.CALM, 1);
        assertThat(rhythm.cycleNanos(now)).isInfinite();
        looks(Direction.PRESSED, 1);
        looks(Direction.CALM, 9);

        assertThat(rhythm.cycleNanos(now) / SECOND).isEqualTo(10);
    }

    @Test
    void shouldForgetTheOldLulls_whenFourNewOnesHaveEnded() {
        looks(Direction.PRESSED, 1);
        for (double lull : new double[] {9, 9, 9, 1, 1, 1, 1}) {
            looks(Direction.CALM, lull);
            looks(Direction.PRESSED, 1);
        }

        assertThat(rhythm.lullNanos()).isEqualTo(List.of(SECOND, SECOND, SECOND, SECOND));
    }

    @Test
    void shouldNotEndALull_whenPressedAtOneLookOnly() {
        looks(Direction.PRESSED, 1);
        looks(Direction.CALM, 2);
        looks(Direction.PRESSED, 0.2);
        looks(Direction.CALM, 2);

        assertThat(rhythm.isBusy()).isFalse();
        assertThat(rhythm.lullNanos()).isEmpty();
    }

    @Test
    void shouldShareTheTime_whenBusyAThirdOfIt() {
        looks(Direction.PRESSED, 1);
        for (int i = 0; i < 5; i++) {
            looks(Direction.CALM, 2);
            looks(Direction.PRESSED, 1);
        }

        assertThat(rhythm.busyShare()).isBetween(0.3, 0.35);
    }

    @Test
    void shouldRememberItsMembers_whenItWasBusy() {
        looks(Direction.PRESSED, 1);
        looks(Direction.CALM, 1);

        assertThat(rhythm.membersWhenBusy()).isEqualTo(2);
    }

    private void membersBecome(NodeId... nodes) {
        members = Set.of(nodes);
        membersSince = now;
    }

    @Test
    void shouldKnowThatItGaveInVain_whenPressureComesAtOnce() {
        looks(Direction.CALM, 5);
        membersBecome(new NodeId(1));
        looks(Direction.CALM, 0.8);
        looks(Direction.PRESSED, 1);
        assertThat(rhythm.giving().isInVain()).isTrue();

        membersBecome(new NodeId(1), new NodeId(2));
        looks(Direction.CALM, 5);
        assertThat(rhythm.giving().isInVain()).as("until a lull ends otherwise").isTrue();
        looks(Direction.PRESSED, 1);
        assertThat(rhythm.giving().isInVain()).isFalse();
    }

    @Test
    void shouldBlameTheLoad_whenPressureComesLaterOrNothingWasGiven() {
        looks(Direction.CALM, 5);
        looks(Direction.PRESSED, 1);
        assertThat(rhythm.giving().isInVain()).isFalse();
        looks(Direction.CALM, 1);
        membersBecome(new NodeId(1));
        looks(Direction.CALM, 1.2);
        looks(Direction.PRESSED, 1);
        assertThat(rhythm.giving().isInVain()).isFalse();
    }
}
