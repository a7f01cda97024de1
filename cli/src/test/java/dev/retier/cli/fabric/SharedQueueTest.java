package dev.retier.cli.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SharedQueueTest {
    private static final int MEMBERS = 2;
    private static final int NEVER = Integer.MAX_VALUE;
    private static final int ITEMS = 100;
    private static final int MOST_TAKES = 10_000;

    private final long[] words = new long[SharedQueue.words(MEMBERS)];

    private SharedQueue member(int self, int steps) {
        return new SharedQueue(new SharedWords(new WordsInMemory(words, steps)), self);
    }

    private static List<SharedQueue.Item> drain(SharedQueue queue) {
        List<SharedQueue.Item> taken = new ArrayList<>();
        for (int i = 0; i < MOST_TAKES && !queue.isEmpty(); i++) {
            queue.take().ifPresent(taken::add);
        }
        return taken;
    }

    @Test
    void shouldKeepTheOrderAndRefuseWhatDoesNotFit_whenOneMakesMoreThanIsTaken() {
        SharedQueue queue = member(0, NEVER);
        int added = 0;
        while (queue.add(added)) {
            added++;
        }
        assertThat(added).isEqualTo(64);
        assertThat(queue.take()).contains(new SharedQueue.Item(0, 0));
        assertThat(queue.add(added)).isTrue();
        assertThat(drain(queue))
                .extracting(SharedQueue.Item::number)
                .startsWith(1, 2)
                .hasSize(64)
                .endsWith(64);
        assertThat(queue.take()).isEmpty();
    }

    /** The member makes and takes in turn, is killed after so many operations, and is started again. */
    @Test
    void shouldTakeEveryItemOnce_whenAMemberIsKilledAtAnyStep() {
        for (int steps = 0; steps < 60; steps++) {
            Arrays.fill(words, 0);
            List<SharedQueue.Item> taken = new ArrayList<>();
            boolean wasKilled = false;
            try {
                work(member(1, steps), 0, taken);
            } catch (WordsInMemory.Killed killed) {
                wasKilled = true;
            }
            assertThat(wasKilled).as("after %s steps", steps).isTrue();
            SharedQueue other = member(0, NEVER);
            assertThat(other.add(0)).isTrue();
            taken.addAll(drain(other));
            SharedQueue again = member(1, NEVER);
            work(again, again.nextNumber(), taken);
            taken.addAll(drain(again));

            assertThat(taken).as("after %s steps", steps).doesNotHaveDuplicates();
            assertThat(other.taken(0, MEMBERS) + other.taken(1, MEMBERS)).isEqualTo(ITEMS + 1);
            // What it took at the very moment of its death it could tell nobody.
            assertThat(taken).hasSizeBetween(ITEMS, ITEMS + 1);
        }
    }

    private static void work(SharedQueue queue, int first, List<SharedQueue.Item> taken) {
        for (int number = first; number < ITEMS; number++) {
            assertThat(queue.add(number)).isTrue();
            Optional<SharedQueue.Item> item = queue.take();
            item.ifPresent(taken::add);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 7})
    void shouldTakeEveryItemOnce_whenAnswersAreLost(int oneIn) {
        SharedQueue queue = new SharedQueue(new SharedWords(new WordsInMemory(words, NEVER).unknownOneIn(oneIn)), 1);
        List<SharedQueue.Item> taken = new ArrayList<>();
        for (int number = 0; number < ITEMS; number++) {
            for (int i = 0; i < MOST_TAKES && !queue.add(number); i++) {
                queue.take().ifPresent(taken::add);
            }
        }
        taken.addAll(drain(queue));

        assertThat(taken).doesNotHaveDuplicates().hasSize(ITEMS);
    }
}
