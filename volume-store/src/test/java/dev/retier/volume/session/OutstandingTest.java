package dev.retier.volume.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.testsupport.Repeats;
import dev.retier.volume.session.Outstanding.Asked;
import dev.retier.volume.session.Outstanding.Range;
import dev.retier.volume.session.Outstanding.Sent;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OutstandingTest {
    private final Outstanding<String> requests = new Outstanding<>();

    private static Range write(long offset, long length) {
        return new Range(offset, length, true);
    }

    private static Range read(long offset, long length) {
        return new Range(offset, length, false);
    }

    private List<String> due() {
        return requests.due().stream().map(sent -> sent.asked().what()).toList();
    }

    @Test
    void shouldSendNoMoreThanThereAreCredits() {
        requests.connected(2);
        for (String what : List.of("a", "b", "c")) {
            requests.ask(read(0, 1), what);
        }

        List<Sent<String>> sent = requests.due();
        assertThat(sent).extracting(Sent::tag).containsExactly(0, 1);
        assertThat(due()).isEmpty();

        assertThat(requests.answered(0, 1, 2)).map(Asked::what).contains("a");
        assertThat(requests.due()).containsExactly(new Sent<>(0, new Asked<>(3, read(0, 1), "c")));
    }

    @Test
    void shouldSendFewer_whenTheServerTakesCreditsBack() {
        requests.connected(3);
        for (String what : List.of("a", "b", "c", "d")) {
            requests.ask(read(0, 1), what);
        }
        assertThat(due()).hasSize(3);

        requests.answered(0, 1, 1);
        assertThat(due()).isEmpty();
        requests.answered(1, 2, 1);
        assertThat(due()).isEmpty();
        requests.answered(2, 3, 1);
        assertThat(due()).containsExactly("d");
    }

    @Test
    void shouldLetChangesWait_whileOthersChangeTheSame() {
        requests.connected(9);
        requests.ask(write(0, 10), "first");
        requests.ask(write(9, 2), "second");
        requests.ask(write(10, 5), "behind the second");
        requests.ask(write(20, 5), "elsewhere");
        requests.ask(read(0, 10), "a read");
        requests.ask(Range.NONE, "a flush");

        assertThat(due()).containsExactly("first", "elsewhere", "a read", "a flush");
        requests.answered(0, 1, 9);
        assertThat(due()).containsExactly("second");
        requests.answered(0, 2, 9);
        assertThat(due()).containsExactly("behind the second");
    }

    @Test
    void shouldSendAgainInOrder_whatWasUnderWay() {
        requests.connected(9);
        requests.ask(write(0, 10), "first");
        requests.ask(write(20, 10), "second");
        assertThat(due()).hasSize(2);
        requests.ask(write(5, 1), "third");

        requests.lost();
        assertThat(due()).as("no connection").isEmpty();
        requests.connected(9);

        assertThat(due()).containsExactly("first", "second");
        assertThat(requests.answered(0, 1, 9)).isPresent();
        assertThat(due()).containsExactly("third");
        assertThat(requests.answeredBelow()).isEqualTo(2);
    }

    @Test
    void shouldTakeNoAnswerToNothing() {
        requests.connected(2);
        requests.ask(read(0, 1), "a");
        assertThat(due()).hasSize(1);

        assertThat(requests.answered(1, 1, 2)).isEmpty();
        assertThat(requests.answered(0, 2, 2)).isEmpty();
        assertThat(requests.answered(0, 1, 2)).isPresent();
        assertThat(requests.answered(0, 1, 2)).as("twice").isEmpty();
    }

    @Test
    void shouldTellAllThatIsGivenUp() {
        requests.connected(1);
        requests.ask(read(0, 1), "a");
        requests.ask(read(0, 1), "b");
        assertThat(due()).hasSize(1);

        assertThat(requests.giveUp()).extracting(Asked::what).containsExactly("a", "b");
        assertThat(requests.size()).isZero();
        assertThat(requests.ask(read(0, 1), "c")).as("numbers go on").isEqualTo(3);
    }

    /** A server that does what is under way in any order, answers or not, and is lost at any time. */
    @Test
    void shouldComeToWhatWasAskedFor_whateverIsDoneTwice() {
        for (long seed = 1; seed <= Repeats.of(300); seed++) {
            Random random = new Random(seed);
            Outstanding<Integer> client = new Outstanding<>();
            int[] wanted = new int[16];
            int[] kept = new int[16];
            List<Sent<Integer>> underWay = new ArrayList<>();
            for (int step = 0; step < 400 || client.size() > 0; step++) {
                int what = random.nextInt(10);
                if (what < 3 && step < 400) {
                    int offset = random.nextInt(16);
                    int length = 1 + random.nextInt(16 - offset);
                    client.ask(write(offset, length), step + 1);
                    java.util.Arrays.fill(wanted, offset, offset + length, step + 1);
                } else if (what == 3) {
                    // What the server had under way may still be done, or not; then nothing of it runs any more.
                    underWay.stream().filter(_ -> random.nextBoolean()).forEach(sent -> perform(sent, kept));
                    underWay.clear();
                    client.connected(1 + random.nextInt(6));
                } else if (!underWay.isEmpty()) {
                    Sent<Integer> sent = underWay.remove(random.nextInt(underWay.size()));
                    perform(sent, kept);
                    assertThat(client.answered(sent.tag(), sent.asked().sequence(), 1 + random.nextInt(6)))
                            .as("seed %d", seed)
                            .isPresent();
                }
                underWay.addAll(client.due());
            }
            assertThat(kept).as("seed %d", seed).isEqualTo(wanted);
        }
    }

    private static void perform(Sent<Integer> sent, int[] kept) {
        Range range = sent.asked().range();
        java.util.Arrays.fill(
                kept,
                (int) range.offset(),
                (int) (range.offset() + range.length()),
                sent.asked().what());
    }
}
