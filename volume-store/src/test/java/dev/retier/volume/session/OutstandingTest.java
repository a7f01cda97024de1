package dev.retier.volume.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.volume.session.Outstanding.Asked;
import dev.retier.volume.session.Outstanding.Effect;
import dev.retier.volume.session.Outstanding.Outcome;
import dev.retier.volume.session.Outstanding.Range;
import dev.retier.volume.session.Outstanding.Sent;
import dev.retier.volume.session.Outstanding.Standing;
import java.util.List;
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
        assertThat(requests.answered(slot, sequence, Outcome.DONE)).isPresent();
    }

    @Test
    void shouldSendNoMoreThanThereAreSlots() {
        requests.connected(2, true);
        for (String what : List.of("a", "b", "c")) {
            requests.ask(read(0, 1), what);
        }

        assertThat(requests.due()).extracting(Sent::slot).containsExactly(0, 1);
        assertThat(due()).isEmpty();

        assertThat(requests.answered(0, 1, Outcome.DONE)).map(Asked::what).contains("a");
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

    /** It is sent again to nobody, and keeps nothing waiting. */
    @Test
    void shouldEndAdvice_whenTheConnectionIsOver() {
        Range advice = new Range(VOLUME, 0, 100, Effect.ADVICE);
        requests.connected(3, true);
        requests.ask(advice, "under way");
        requests.ask(advice, "postponed");
        requests.ask(write(0, 10), "a write");
        assertThat(due()).containsExactly("under way", "postponed", "a write");
        requests.ask(advice, "waiting");
        requests.postpone(1, 2);

        assertThat(requests.lost()).extracting(Asked::what).containsExactly("under way", "waiting", "postponed");
        requests.ask(advice, "asked too late");
        assertThat(requests.connected(9, true)).extracting(Asked::what).containsExactly("asked too late");
        requests.again();
        assertThat(due()).containsExactly("a write");
    }

    @Test
    void shouldRefuseAnAnswerToNothing() {
        requests.connected(2, true);
        requests.ask(read(0, 1), "a");
        assertThat(due()).hasSize(1);

        assertThatThrownBy(() -> requests.answered(1, 1, Outcome.DONE)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> requests.answered(0, 2, Outcome.DONE)).isInstanceOf(IllegalStateException.class);
        done(0, 1);
        assertThatThrownBy(() -> requests.answered(0, 1, Outcome.DONE)).isInstanceOf(IllegalStateException.class);
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
        assertThat(requests.answered(0, 1, Outcome.DONE))
                .as("nobody waits for it")
                .isEmpty();
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
        requests.answered(0, 5, Outcome.REFUSED);
        assertThat(requests.keptBytes(VOLUME)).isEqualTo(10);

        requests.connected(9, true);
        assertThat(due()).as("the same run of the machine").isEmpty();
        requests.connected(9, false);
        requests.ask(read(25, 1), "read of it");
        requests.ask(read(0, 1), "read of something else");
        requests.ask(FLUSH, "another flush");
        assertThat(due()).containsExactly("answered after the flush was sent", "read of something else");
        assertThat(requests.answered(0, 6, Outcome.DONE))
                .as("it was told before")
                .isEmpty();
        assertThat(due()).containsExactly("read of it", "another flush");
        assertThat(requests.keptBytes(VOLUME)).as("until the next flush").isEqualTo(10);
        requests.answered(2, 9, Outcome.DONE);
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
        assertThat(requests.answered(0, 2, Outcome.DONE)).isEmpty();
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
        assertThat(requests.expire(_ -> true)).extracting(Asked::what).containsExactly("under way", "waiting");
        requests.connected(9, false);
        assertThat(requests.expire(_ -> true)).isEmpty();
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
        assertThat(requests.answered(0, 4, Outcome.DONE)).isEmpty();
        assertThat(requests.answered(1, 5, Outcome.DONE)).isEmpty();
        assertThat(due()).containsExactly("forced");
        done(1, 2);
        assertThat(requests.keptBytes(VOLUME)).isZero();
    }

    /** Else what was answered before would be done again over what the server may have kept of it. */
    @Test
    void shouldKeepWhatTheServerMayHaveDone_thoughItFailedInIt() {
        requests.connected(9, true);
        requests.ask(write(0, 10), "older");
        assertThat(due()).hasSize(1);
        done(0, 1);
        requests.ask(write(0, 4096), "failed");
        requests.ask(forced(4096, 4096), "forced");
        requests.ask(write(8192, 4096), "refused");
        assertThat(due()).hasSize(3);
        assertThat(requests.answered(0, 2, Outcome.FAILED)).map(Asked::what).contains("failed");
        assertThat(requests.answered(1, 3, Outcome.FAILED)).map(Asked::what).contains("forced");
        assertThat(requests.answered(2, 4, Outcome.REFUSED)).map(Asked::what).contains("refused");
        requests.connected(9, false);
        assertThat(due()).containsExactly("failed", "forced");
    }

    @Test
    void shouldTell_whenWhatWasAnsweredIsRefusedTheSecondTime() {
        requests.connected(9, true);
        requests.ask(write(0, 10), "a");
        assertThat(due()).hasSize(1);
        done(0, 1);
        requests.connected(9, false);
        assertThat(due()).hasSize(1);
        assertThat(requests.answered(0, 2, Outcome.REFUSED)).map(Asked::isAgain).contains(true);
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
