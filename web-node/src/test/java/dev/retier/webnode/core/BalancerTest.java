package dev.retier.webnode.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.testsupport.Seeded;
import dev.retier.webnode.core.Balancer.Candidate;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BalancerTest {
    @Test
    void shouldPickNone_whenThereIsNoneOrAllWereTried() {
        assertThat(Balancer.pick(List.of(), 3)).isEqualTo(-1);
        assertThat(Balancer.pick(List.of(new Candidate(0, 100, false, true)), 3))
                .isEqualTo(-1);
    }

    @Test
    void shouldPickTheLeastBusyForItsWeight() {
        List<Candidate> candidates = List.of(
                new Candidate(2, 100, false, false),
                new Candidate(5, 400, false, false),
                new Candidate(1, 50, false, false));
        assertThat(Balancer.pick(candidates, 0)).isEqualTo(1);
    }

    @Test
    void shouldPickABenchedOne_whenNoOtherIsLeft() {
        List<Candidate> candidates = List.of(
                new Candidate(0, 100, true, false), new Candidate(9, 1, false, false), new Candidate(0, 1, true, true));
        assertThat(Balancer.pick(candidates, 0)).isEqualTo(1);
        assertThat(Balancer.pick(candidates.subList(0, 1), 0)).isZero();
    }

    @Test
    void shouldSpreadEqualCandidates_whenTheTurnChanges() {
        Candidate same = new Candidate(0, 100, false, false);
        List<Candidate> candidates = List.of(same, same, same);
        assertThat(List.of(
                        Balancer.pick(candidates, 0),
                        Balancer.pick(candidates, 1),
                        Balancer.pick(candidates, 5),
                        Balancer.pick(candidates, Integer.MIN_VALUE)))
                .containsExactly(0, 1, 2, Math.floorMod(Integer.MIN_VALUE, 3));
    }

    @Seeded(tries = 50)
    void shouldShareByWeight_whenAllRequestsStay(SplittableRandom random) {
        int count = 2 + random.nextInt(5);
        int[] inFlight = new int[count];
        int[] weights = new int[count];
        int weightSum = 0;
        for (int i = 0; i < count; i++) {
            weights[i] = 1 + random.nextInt(100);
            weightSum += weights[i];
        }
        int requests = 20 * weightSum;
        for (int i = 0; i < requests; i++) {
            List<Candidate> candidates = new ArrayList<>();
            for (int j = 0; j < count; j++) {
                candidates.add(new Candidate(inFlight[j], weights[j], false, false));
            }
            inFlight[Balancer.pick(candidates, random.nextInt())]++;
        }
        for (int i = 0; i < count; i++) {
            assertThat(inFlight[i]).isBetween(20 * weights[i] - count, 20 * weights[i] + count);
        }
    }
}
