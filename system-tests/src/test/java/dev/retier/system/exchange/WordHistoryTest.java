package dev.retier.system.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The word is 0 at first; times are in nanoseconds, and the swaps' own. */
class WordHistoryTest {
    @TempDir
    Path folder;

    private static WordHistory history(long last, WordHistory.Swap... swaps) {
        WordHistory history = new WordHistory();
        for (WordHistory.Swap swap : swaps) {
            history.add(swap);
        }
        history.ends(0, last);
        return history;
    }

    private static WordHistory.Swap done(long begin, long end, long from, long to) {
        return new WordHistory.Swap(begin, end, from, to, from);
    }

    private static WordHistory.Swap failed(long begin, long end, long found) {
        return new WordHistory.Swap(begin, end, 99, 100, found);
    }

    private static void assertWrong(WordHistory history, String how) {
        assertThatThrownBy(history::check).isInstanceOf(Wrong.class).hasMessageContaining(how);
    }

    @Test
    void shouldBelieve_whenChangesFollowOneAnother() throws Wrong {
        assertThat(history(2, done(0, 1, 0, 1), done(2, 3, 1, 2)).check()).contains("linearizable, 2 changes");
    }

    @Test
    void shouldBelieve_whenOverlappingChangesTookPlaceTheOtherWayRound() throws Wrong {
        assertThat(history(2, done(0, 10, 1, 2), done(5, 15, 0, 1)).check()).contains("2 changes in 2 swaps");
    }

    @Test
    void shouldBelieve_whenFailedSwapOverlapsTheChangeOfWhatItFound() throws Wrong {
        assertThat(history(1, done(0, 10, 0, 1), failed(1, 2, 0), failed(3, 4, 1))
                        .check())
                .contains("1 changes in 3 swaps");
    }

    @Test
    void shouldRefuse_whenTwoReplacedTheSameValue() {
        assertWrong(history(2, done(0, 1, 0, 1), done(2, 3, 0, 2)), "replaced twice");
    }

    @Test
    void shouldRefuse_whenChangeWasLost() {
        assertWrong(history(1, done(0, 1, 0, 1), done(2, 3, 1, 2)), "ends with 2, the word was 1");
    }

    @Test
    void shouldRefuse_whenChangeIsMissing() {
        assertWrong(history(1, done(0, 1, 0, 1), done(2, 3, 7, 8)), "do not belong to the chain");
    }

    @Test
    void shouldRefuse_whenValueComesBack() {
        assertWrong(history(0, done(0, 1, 0, 1), done(2, 3, 1, 0)), "same value twice");
    }

    @Test
    void shouldRefuse_whenValueWasNeverThere() {
        assertWrong(history(1, done(0, 1, 0, 1), failed(2, 3, 5)), "never had");
    }

    @Test
    void shouldRefuse_whenChangeTookPlaceBeforeOneThatHadEnded() {
        assertWrong(history(2, done(0, 1, 1, 2), done(2, 3, 0, 1)), "had ended already");
    }

    @Test
    void shouldRefuse_whenFailedSwapFoundWhatHadBeenReplaced() {
        assertWrong(history(1, done(0, 10, 0, 1), failed(11, 12, 0)), "had ended already");
    }

    @Test
    void shouldRefuse_whenFailedSwapFoundWhatWasYetToCome() {
        assertWrong(history(1, failed(0, 1, 1), done(2, 3, 0, 1)), "had ended already");
    }

    @Test
    void shouldRefuse_whenFailedSwapsSawTheWordGoBack() {
        assertWrong(history(1, done(0, 20, 0, 1), failed(1, 2, 1), failed(3, 4, 0)), "had ended already");
    }

    @Test
    void shouldRefuse_whenSwapEndedBeforeItBegan() {
        assertWrong(history(1, done(1, 0, 0, 1)), "before it began");
    }

    @Test
    void shouldRefuse_whenNothingWasChanged() {
        assertWrong(history(0), "nothing was changed");
    }

    @Test
    void shouldFindBothClients_whenLogsAreReadBack() throws Exception {
        List<Path> logs = List.of(folder.resolve("one"), folder.resolve("two"));
        history(2, done(0, 1, 0, 1)).write(logs.get(0));
        history(2, done(2, 3, 1, 2), failed(4, 5, 2)).write(logs.get(1));
        assertThat(WordHistory.read(logs).check()).contains("2 changes in 3 swaps");
    }

    @Test
    void shouldRefuse_whenLogsAreOfTwoRuns() throws IOException {
        List<Path> logs = List.of(folder.resolve("one"), folder.resolve("two"));
        history(1, done(0, 1, 0, 1)).write(logs.get(0));
        history(2, done(2, 3, 1, 2)).write(logs.get(1));
        assertThatThrownBy(() -> WordHistory.read(logs)).hasMessageContaining("another run");
    }

    @Test
    void shouldRefuse_whenLogIsCutOff() throws IOException {
        Path log = folder.resolve("one");
        Files.writeString(log, "0 1\n5 6 0");
        assertThatThrownBy(() -> WordHistory.read(List.of(log))).hasMessageContaining("no whole log");
    }
}
