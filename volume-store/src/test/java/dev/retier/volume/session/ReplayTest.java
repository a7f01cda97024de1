package dev.retier.volume.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.testsupport.Repeats;
import dev.retier.volume.Volume;
import dev.retier.volume.session.Outstanding.Effect;
import dev.retier.volume.session.Outstanding.Outcome;
import dev.retier.volume.session.Outstanding.Range;
import dev.retier.volume.session.Outstanding.Sent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReplayTest {
    private static Range range(long offset, long length, Effect effect) {
        return new Range(3, offset, length, effect);
    }

    /**
     * A server that does what is under way in any order, answers or not, is lost at any time, and sometimes forgets
     * the newest of what no flush has brought to the disk; a client that may die at any time.
     */
    @Test
    void shouldComeToWhatWasAskedForAndTearNoBlock_whateverIsDoneTwiceOrForgotten() {
        int merged = 0;
        for (long seed = 1; seed <= Repeats.of(300); seed++) {
            World world = new World(seed);
            for (int step = 0; step < 400 || world.client.size() > 0; step++) {
                world.step(step);
            }
            merged += world.merged;
        }
        assertThat(merged)
                .as("changes of one block that were made again as one")
                .isGreaterThan(1000);
    }

    /** Numbers of changes, one for each part from the first on. */
    private static final class Content {
        private final int first;
        private final int[] numbers;

        private Content(int first, int[] numbers) {
            this.first = first;
            this.numbers = numbers;
        }

        static Content of(int first, int count, int number) {
            int[] numbers = new int[count];
            Arrays.fill(numbers, number);
            return new Content(first, numbers);
        }

        Content of(Range range) {
            int from = World.first(range) - first;
            return new Content(World.first(range), Arrays.copyOfRange(numbers, from, from + World.count(range)));
        }

        void putTo(int[] parts, int at) {
            System.arraycopy(numbers, 0, parts, first - at, numbers.length);
        }
    }

    /** Quarters of four blocks, each with the number of its last change. */
    private static final class World implements Replay.Parts<Content> {
        private static final int PARTS_OF_BLOCK = 4;
        private static final int PART = Volume.BLOCK_BYTES / PARTS_OF_BLOCK;
        private static final int PARTS = 4 * PARTS_OF_BLOCK;

        private final Random random;
        private final long seed;
        private final Outstanding<Content> client = new Outstanding<>(this);
        private final int[] wanted = new int[PARTS];
        private int[] parts = new int[PARTS];
        /** After a power cut the disk has one of these: what was forced last, and what there was since. */
        private final List<int[]> states = new ArrayList<>(List.of(new int[PARTS]));
        /** By their numbers; of none there is nothing. */
        private final List<Range> changes = new ArrayList<>(List.of(range(0, 0, Effect.CHANGE)));

        private final List<Sent<Content>> underWay = new ArrayList<>();
        private int merged;

        World(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
        }

        private static int first(Range range) {
            return (int) range.offset() / PART;
        }

        private static int count(Range range) {
            return (int) range.length() / PART;
        }

        @Override
        public Content part(Replay.Piece<Content> piece) {
            return piece.of().of(piece.range());
        }

        @Override
        public Content merged(Range range, List<Replay.Piece<Content>> pieces) {
            merged++;
            Content all = Content.of(first(range), count(range), 0);
            pieces.forEach(piece -> part(piece).putTo(all.numbers, all.first));
            return all;
        }

        void step(int step) {
            int what = random.nextInt(12);
            if (what < 3 && step < 400) {
                int first = random.nextInt(PARTS);
                int count = 1 + random.nextInt(Math.min(PARTS - first, 6));
                Effect effect = what == 2 ? Effect.FORCED_CHANGE : Effect.CHANGE;
                Range range = range((long) first * PART, (long) count * PART, effect);
                Content content = Content.of(first, count, changes.size());
                changes.add(range);
                client.ask(range, content);
                content.putTo(wanted, 0);
            } else if (what == 3 && step < 400) {
                client.ask(range(0, 0, Effect.FLUSH), Content.of(0, 0, 0));
            } else if (what == 4) {
                // What the server had under way may still be done, or not; then nothing of it runs any more.
                underWay.stream().filter(_ -> random.nextBoolean()).forEach(this::perform);
                underWay.clear();
                boolean isSameBoot = random.nextInt(3) > 0;
                if (!isSameBoot) {
                    parts = states.get(random.nextInt(states.size())).clone();
                    states.clear();
                    states.add(parts.clone());
                }
                client.connected(1 + random.nextInt(6), isSameBoot);
            } else if (!underWay.isEmpty()) {
                Sent<Content> sent = underWay.remove(random.nextInt(underWay.size()));
                perform(sent);
                boolean isTold = client.answered(sent.slot(), sent.asked().sequence(), Outcome.DONE)
                        .isPresent();
                assertThat(isTold).as("seed %d", seed).isEqualTo(!sent.asked().isAgain());
            }
            underWay.addAll(client.due());
            if (client.size() == 0) {
                assertThat(parts).as("seed %d: all is answered", seed).isEqualTo(wanted);
            }
        }

        private void perform(Sent<Content> sent) {
            Range range = sent.asked().range();
            if (range.isChange()) {
                sent.asked().what().putTo(parts, 0);
                requireWholeBlocks();
                states.add(parts.clone());
            }
            if (range.isFlush()) {
                states.clear();
                states.add(parts.clone());
            }
        }

        /** Where a block has something of a change it has nothing older in what that changed, whoever dies now. */
        private void requireWholeBlocks() {
            for (int part = 0; part < PARTS; part++) {
                int block = part - part % PARTS_OF_BLOCK;
                Range change = changes.get(parts[part]);
                for (int other = Math.max(block, first(change));
                        other < Math.min(block + PARTS_OF_BLOCK, first(change) + count(change));
                        other++) {
                    assertThat(parts[other])
                            .as("seed %d: part %d beside part %d", seed, other, part)
                            .isGreaterThanOrEqualTo(parts[part]);
                }
            }
        }
    }
}
