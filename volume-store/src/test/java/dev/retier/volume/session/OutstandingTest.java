package dev.retier.volume.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.testsupport.Repeats;
import dev.retier.volume.Volume;
import dev.retier.volume.session.Outstanding.Asked;
import dev.retier.volume.session.Outstanding.Effect;
import dev.retier.volume.session.Outstanding.Range;
import dev.retier.volume.session.Outstanding.Sent;
import dev.retier.volume.session.Outstanding.Standing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class OutstandingTest {
    private static final int VOLUME = 3;
    private static final Range FLUSH = new Range(VOLUME, 0, 0, Effect.FLUSH);

    private final Outstanding<String> requests = new Outstanding<>(new Replay.Parts<>() {
        @Override
        public String part(Replay.Piece<String> piece) {
            return piece.of();
        }

        @Override
        public String merged(Range range, List<Replay.Piece<String>> pieces) {
            return pieces.stream().map(Replay.Piece::of).collect(Collectors.joining(" and "));
        }
    });

    private static Range write(long offset, long length) {
        return new Range(VOLUME, offset, length, Effect.CHANGE);
    }

    private static Range forced(long offset, long length) {
        return new Range(VOLUME, offset, length, Effect.FORCED_CHANGE);
    }

    private static Range read(long offset, long length) {
        return new Range(VOLUME, offset, length, Effect.NONE);
    }

    private List<String> due() {
        return requests.due().stream().map(sent -> sent.asked().what()).toList();
    }

    private void done(int slot, long sequence) {
        assertThat(requests.answered(slot, sequence, true)).isPresent();
    }

    @Test
    void shouldSendNoMoreThanThereAreSlots() {
        requests.connected(2, true);
        for (String what : List.of("a", "b", "c")) {
            requests.ask(read(0, 1), what);
        }

        assertThat(requests.due()).extracting(Sent::slot).containsExactly(0, 1);
        assertThat(due()).isEmpty();

        assertThat(requests.answered(0, 1, true)).map(Asked::what).contains("a");
        assertThat(requests.due()).containsExactly(new Sent<>(0, new Asked<>(3, 3, read(0, 1), "c", Standing.SENT)));
    }

    @Test
    void shouldLetChangesWait_whileOthersChangeTheSame() {
        requests.connected(9, true);
        requests.ask(write(0, 10), "first");
        requests.ask(write(9, 2), "second");
        requests.ask(write(10, 5), "behind the second");
        requests.ask(write(20, 5), "elsewhere");
        requests.ask(new Range(VOLUME + 1, 0, 10, Effect.CHANGE), "another volume");
        requests.ask(read(0, 10), "a read");
        requests.ask(FLUSH, "a flush");

        assertThat(due()).containsExactly("first", "elsewhere", "another volume", "a read", "a flush");
        done(0, 1);
        assertThat(due()).containsExactly("second");
        done(0, 2);
        assertThat(due()).containsExactly("behind the second");
    }

    @Test
    void shouldSendAgainInOrder_whatWasUnderWay() {
        requests.connected(9, true);
        requests.ask(write(0, 10), "first");
        requests.ask(write(20, 10), "second");
        assertThat(due()).hasSize(2);
        requests.ask(write(5, 1), "third");

        requests.lost();
        assertThat(due()).as("no connection").isEmpty();
        requests.connected(9, true);

        assertThat(due()).containsExactly("first", "second");
        done(0, 1);
        assertThat(due()).containsExactly("third");
        assertThat(requests.size()).isEqualTo(2);
    }

    @Test
    void shouldRefuseAnAnswerToNothing() {
        requests.connected(2, true);
        requests.ask(read(0, 1), "a");
        assertThat(due()).hasSize(1);

        assertThatThrownBy(() -> requests.answered(1, 1, true)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> requests.answered(0, 2, true)).isInstanceOf(IllegalStateException.class);
        done(0, 1);
        assertThatThrownBy(() -> requests.answered(0, 1, true)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldTellAllOfAVolumeThatIsGivenUp_andTakeItsAnswers() {
        requests.connected(1, true);
        requests.ask(read(0, 1), "a");
        requests.ask(write(0, 1), "b");
        requests.ask(new Range(VOLUME + 1, 0, 1, Effect.NONE), "of another");
        assertThat(due()).containsExactly("a");

        assertThat(requests.giveUp(VOLUME)).extracting(Asked::what).containsExactly("a", "b");
        assertThat(due()).as("its slot is not free yet").isEmpty();
        assertThat(requests.answered(0, 1, true)).as("nobody waits for it").isEmpty();
        assertThat(due()).containsExactly("of another");
        assertThat(requests.ask(read(0, 1), "c")).as("numbers go on").isEqualTo(4);
    }

    @Test
    void shouldSendAgainWhatWasAnsweredAndNotFlushed_whenTheMachineHasStartedAnew() {
        requests.connected(9, true);
        requests.ask(write(0, 10), "flushed");
        assertThat(due()).hasSize(1);
        done(0, 1);
        requests.ask(write(20, 10), "answered after the flush was sent");
        requests.ask(FLUSH, "flush");
        assertThat(due()).hasSize(2);
        done(0, 2);
        done(1, 3);
        requests.ask(read(40, 10), "nothing to keep");
        requests.ask(write(60, 10), "failed");
        assertThat(due()).hasSize(2);
        done(1, 4);
        requests.answered(0, 5, false);
        assertThat(requests.keptBytes(VOLUME)).isEqualTo(10);

        requests.connected(9, true);
        assertThat(due()).as("the same run of the machine").isEmpty();
        requests.connected(9, false);
        requests.ask(read(25, 1), "read of it");
        requests.ask(read(0, 1), "read of something else");
        requests.ask(FLUSH, "another flush");
        assertThat(due()).containsExactly("answered after the flush was sent", "read of something else");
        assertThat(requests.answered(0, 6, true)).as("it was told before").isEmpty();
        assertThat(due()).containsExactly("read of it", "another flush");
        assertThat(requests.keptBytes(VOLUME)).as("until the next flush").isEqualTo(10);
        requests.answered(2, 9, true);
        assertThat(requests.keptBytes(VOLUME)).isZero();
    }

    @Test
    void shouldKeepThatItWasAnswered_whenTheConnectionIsLostAgain() {
        requests.connected(9, true);
        requests.ask(write(0, 10), "a");
        assertThat(due()).hasSize(1);
        done(0, 1);
        requests.connected(9, false);
        assertThat(due()).containsExactly("a");
        requests.connected(9, true);
        assertThat(due()).containsExactly("a");
        assertThat(requests.answered(0, 2, true)).isEmpty();
        requests.connected(9, false);
        assertThat(due()).as("kept once more").containsExactly("a");
        assertThat(requests.giveUp(VOLUME)).as("its caller was told").isEmpty();
    }

    @Test
    void shouldSendAgainWhatWasAnswered_thoughNobodyWaitsForTheRestAnyLonger() {
        requests.connected(9, true);
        requests.ask(write(0, 10), "answered");
        assertThat(due()).hasSize(1);
        done(0, 1);
        requests.ask(write(20, 10), "under way");
        requests.ask(write(20, 10), "waiting");
        assertThat(due()).containsExactly("under way");
        requests.lost();
        assertThat(requests.expire()).extracting(Asked::what).containsExactly("under way", "waiting");
        requests.connected(9, false);
        assertThat(requests.expire()).isEmpty();
        assertThat(due()).as("and what the server may have done").containsExactly("answered", "under way");
    }

    @Test
    void shouldKeepNothingOfAForcedChange_norOfWhatWasAnsweredBeforeIt() {
        requests.connected(9, true);
        requests.ask(write(0, 10), "before");
        assertThat(due()).hasSize(1);
        done(0, 1);
        requests.ask(forced(5, 10), "forced");
        assertThat(due()).containsExactly("forced");
        requests.ask(write(20, 10), "answered after it was sent");
        assertThat(due()).hasSize(1);
        done(1, 3);
        requests.connected(9, false);
        assertThat(due()).as("of one block").containsExactly("before and forced", "answered after it was sent");
        assertThat(requests.answered(0, 4, true)).isEmpty();
        assertThat(requests.answered(1, 5, true)).isEmpty();
        assertThat(due()).containsExactly("forced");
        done(1, 2);
        assertThat(requests.keptBytes(VOLUME)).isZero();
    }

    @Test
    void shouldTell_whenWhatWasAnsweredIsRefusedTheSecondTime() {
        requests.connected(9, true);
        requests.ask(write(0, 10), "a");
        assertThat(due()).hasSize(1);
        done(0, 1);
        requests.connected(9, false);
        assertThat(due()).hasSize(1);
        assertThat(requests.answered(0, 2, false)).map(Asked::isAgain).contains(true);
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
        assertThat(merged).as("changes of one block that were made again as one").isGreaterThan(1000);
    }

    /** Numbers of changes, one for each part from the first on. */
    private record Content(int first, int[] numbers) {
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
        private final List<Range> changes = new ArrayList<>(List.of(write(0, 0)));

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
                Range range = write((long) first * PART, (long) count * PART);
                Content content = Content.of(first, count, changes.size());
                changes.add(range);
                client.ask(what == 2 ? forced(range.offset(), range.length()) : range, content);
                content.putTo(wanted, 0);
            } else if (what == 3 && step < 400) {
                client.ask(FLUSH, Content.of(0, 0, 0));
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
                boolean isTold = client.answered(sent.slot(), sent.asked().sequence(), true)
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

    /** The server says that it is busy: that is a pause, and nothing overtakes what it did not do. */
    @Test
    void shouldSendAgainWhatWasPostponed_andNothingBeforeItThatItTouches() {
        requests.connected(9, true);
        requests.ask(write(0, 10), "first");
        assertThat(due()).containsExactly("first");
        requests.postpone(0, 1);
        requests.ask(write(5, 1), "second");
        requests.ask(write(20, 1), "elsewhere");
        assertThat(due()).containsExactly("elsewhere");
        assertThat(requests.size()).isEqualTo(3);

        requests.lost();
        requests.connected(9, true);
        assertThat(due()).as("still not").containsExactly("elsewhere");
        requests.again();
        assertThat(requests.due()).extracting(sent -> sent.asked().sequence()).containsExactly(1L);
        requests.postpone(1, 1);
        assertThat(requests.giveUp(VOLUME)).extracting(Asked::what).containsExactly("first", "second", "elsewhere");
        requests.again();
        assertThat(due()).isEmpty();
    }

    @Test
    void shouldForgetWhatWasPostponed_whenNobodyWaitsForIt() {
        requests.connected(1, true);
        requests.ask(write(0, 10), "given up");
        assertThat(due()).hasSize(1);
        requests.giveUp(VOLUME);
        requests.postpone(0, 1);
        requests.again();
        assertThat(due()).isEmpty();
        assertThatThrownBy(() -> requests.postpone(0, 1)).isInstanceOf(IllegalStateException.class);
    }
}
