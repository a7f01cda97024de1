package dev.retier.cli.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SharedCounterTest {
    private static final int MEMBERS = 3;
    private static final int NEVER = Integer.MAX_VALUE;

    private final long[] words = new long[1 + Members.words(MEMBERS)];

    private SharedCounter member(int self, WordsInMemory memory) {
        SharedWords shared = new SharedWords(memory);
        return new SharedCounter(shared, 0, new Members(shared, 1, MEMBERS, self));
    }

    private SharedCounter member(int self) {
        return member(self, new WordsInMemory(words, NEVER));
    }

    @Test
    void shouldTellWhatWasThereBefore_whenMembersTakeTurns() {
        SharedCounter one = member(0);
        SharedCounter two = member(1);
        for (long before = 0; before < 10; before += 2) {
            assertThat(one.add()).isEqualTo(before);
            assertThat(two.add()).isEqualTo(before + 1);
        }

        assertThat(one.total()).isEqualTo(10);
        assertThat(one.made()).isEqualTo(5);
        assertThat(member(1).made()).as("in another life").isEqualTo(5);
    }

    /** It is killed after each step that there is, others add or not, and it is started again. */
    @Test
    void shouldAddEachOnce_whenAMemberIsKilledAtAnyStep() {
        for (int steps = 0; steps < 60; steps++) {
            for (int byOthers = 0; byOthers < 3; byOthers++) {
                Arrays.fill(words, 0);
                member(0).add();
                SharedCounter killed = null;
                try {
                    killed = member(1, new WordsInMemory(words, steps));
                    while (true) {
                        killed.add();
                        if (byOthers == 2) {
                            member(2).add();
                        }
                    }
                } catch (WordsInMemory.Killed _) {
                    for (int i = 0; i < byOthers; i++) {
                        member(2 * i).add();
                    }
                }
                SharedCounter again = member(1);
                long known = killed == null ? 0 : killed.made();
                assertThat(again.made()).as("after %s steps", steps).isBetween(known, known + 1);
                while (again.made() < 30) {
                    again.add();
                }

                assertThat(again.total())
                        .as("after %s steps", steps)
                        .isEqualTo(30 + member(0).made() + member(2).made());
            }
        }
    }

    /** Another adds when the member has added, and has not said so yet. */
    @Test
    void shouldAddEachOnce_whenAMemberIsKilledThatAnotherWasFasterThan() {
        for (int steps = 0; steps < 60; steps++) {
            Arrays.fill(words, 0);
            SharedCounter other = member(2);
            WordsInMemory memory = new WordsInMemory(words, steps).beforeEachWrite(other::add);
            try {
                SharedCounter killed = member(1, memory);
                while (true) {
                    killed.add();
                }
            } catch (WordsInMemory.Killed _) {
                other.add();
            }
            SharedCounter again = member(1);
            again.add();

            assertThat(again.total()).as("after %s steps", steps).isEqualTo(again.made() + other.made());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 7})
    void shouldAddEachOnce_whenAnswersAreLost(int oneIn) {
        Random random = new Random(oneIn);
        SharedCounter[] members = new SharedCounter[MEMBERS];
        for (int i = 0; i < MEMBERS; i++) {
            members[i] = member(i, new WordsInMemory(words, NEVER).unknownOneIn(oneIn + i));
        }
        long last = -1;
        for (int i = 0; i < 300; i++) {
            long before = members[random.nextInt(MEMBERS)].add();
            assertThat(before).isGreaterThan(last);
            last = before;
        }

        assertThat(members[0].total()).isEqualTo(300);
        assertThat(Arrays.stream(members).mapToLong(SharedCounter::made).sum()).isEqualTo(300);
    }
}
