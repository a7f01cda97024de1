package dev.retier.traces.play;

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
        Assignment<String> assignment = Assignment.spread(clients, pick(random));
        for (int change = 0; change < 10; change++) {
            List<String> next = pick(random);
            Assignment<String> after = assignment.over(next);

            Map<String, Integer> counts = new HashMap<>();
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
    void shouldMoveOneClientToTheOthersInTurn_whenItGoesElsewhere() {
        Assignment<String> before = Assignment.spread(6, List.of("a", "b", "c"));
        List<String> taken = IntStream.range(0, 4)
                .mapToObj(turn -> before.elsewhere(1, turn).targetOf(1))
                .toList();
        assertThat(taken).containsExactly("a", "c", "a", "c");
        Assignment<String> after = before.elsewhere(1, 1);
        assertThat(IntStream.range(0, 6).mapToObj(after::targetOf)).containsExactly("a", "c", "c", "a", "b", "c");
        assertThat(after.staying(List.of("a", "b", "c")).targetOf(1)).isEqualTo("c");
        assertThat(Assignment.spread(2, List.of("a")).elsewhere(1, 7).targetOf(1))
                .isEqualTo("a");
    }

    @Test
    void shouldRefuse_whenThereIsNoTarget() {
        assertThatThrownBy(() -> Assignment.spread(1, List.of())).hasMessageContaining("at least one target");
    }

    /** With floor f and r targets of f+1: everyone up to f stays, and one more at up to r targets that have more. */
    private static int mostThatCanStay(Assignment<String> before, List<String> next, int clients) {
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

    private static List<String> pick(SplittableRandom random) {
        List<String> targets = new ArrayList<>();
        for (int port = 1; port <= 9; port++) {
            if (random.nextBoolean()) {
                targets.add("h:" + port);
            }
        }
        return targets.isEmpty() ? List.of("h:1") : targets;
    }
}
