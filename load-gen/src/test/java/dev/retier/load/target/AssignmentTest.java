package dev.retier.load.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.testsupport.Seeded;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AssignmentTest {
    @Seeded(tries = 300)
    void shouldStayEvenAndMoveAsFewAsPossible_whenTheListChanges(SplittableRandom random) {
        int clients = random.nextInt(1, 100);
        Assignment assignment = Assignment.spread(clients, pick(random));
        for (int change = 0; change < 10; change++) {
            List<Target> next = pick(random);
            Assignment after = assignment.over(next);

            Map<Target, Integer> counts = new HashMap<>();
            next.forEach(target -> counts.put(target, 0));
            int kept = 0;
            for (int client = 0; client < clients; client++) {
                counts.merge(after.targetOf(client), 1, Integer::sum);
                kept += after.targetOf(client).equals(assignment.targetOf(client)) ? 1 : 0;
            }
            assertThat(counts).hasSize(next.size());
            int most =
                    counts.values().stream().mapToInt(Integer::intValue).max().orElseThrow();
            int least =
                    counts.values().stream().mapToInt(Integer::intValue).min().orElseThrow();
            assertThat(most - least).isLessThanOrEqualTo(1);
            assertThat(kept).isEqualTo(mostThatCanStay(assignment, next, clients));
            assignment = after;
        }
    }

    @Test
    void shouldRefuse_whenThereIsNoTarget() {
        assertThatThrownBy(() -> Assignment.spread(1, List.of())).hasMessageContaining("at least one target");
    }

    /** With floor f and r targets of f+1: everyone up to f stays, and one more at up to r targets that have more. */
    private static int mostThatCanStay(Assignment before, List<Target> next, int clients) {
        int floor = clients / next.size();
        int[] stayers = next.stream()
                .mapToInt(target -> (int) IntStream.range(0, clients)
                        .filter(client -> before.targetOf(client).equals(target))
                        .count())
                .toArray();
        int withinFloor =
                IntStream.of(stayers).map(count -> Math.min(count, floor)).sum();
        int above = (int) IntStream.of(stayers).filter(count -> count > floor).count();
        return withinFloor + Math.min(above, clients % next.size());
    }

    private static List<Target> pick(SplittableRandom random) {
        List<Target> targets = new ArrayList<>();
        for (int port = 1; port <= 9; port++) {
            if (random.nextBoolean()) {
                targets.add(new Target("h", port));
            }
        }
        return targets.isEmpty() ? List.of(new Target("h", 1)) : targets;
    }
}
