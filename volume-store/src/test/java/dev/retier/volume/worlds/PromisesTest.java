package dev.retier.volume.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.worlds.Promises.Kind;
import org.junit.jupiter.api.Test;

/** What finds breaches finds each of them. */
class PromisesTest {
    private final Promises promises = new Promises(2);
    private final Promises.Attachment first = promises.attached(1, 0);

    private Promises.Change written(Promises.Attachment by, int from, int end) {
        Promises.Change change = promises.begins(by, Kind.WRITE, from, end);
        promises.answered(change);
        return change;
    }

    private void reads(Promises.Attachment by, int from, long... numbers) {
        promises.read(promises.reads(by, from, from + numbers.length), numbers);
    }

    private void flush(Promises.Attachment by) {
        promises.flushed(promises.flushes(by));
    }

    @Test
    void shouldAllowOldAndNew_untilAWriteIsAnswered() {
        Promises.Change old = written(first, 0, 4);
        Promises.Change fresh = promises.begins(first, Kind.WRITE, 0, 4);
        reads(first, 0, old.number());
        Reading begun = promises.reads(first, 1, 2);
        reads(first, 0, fresh.number());
        promises.answered(fresh);
        promises.read(begun, new long[] {old.number()});
        assertThat(promises.breaches()).isEmpty();
        reads(first, 0, old.number());
        assertThat(promises.breaches()).singleElement().asString().contains("part 0 has 1");
    }

    @Test
    void shouldFindThatAnswersAreLost_whileTheirClientLives() {
        Promises.Change kept = written(first, 0, 1);
        promises.cut();
        reads(first, 0, kept.number());
        assertThat(promises.breaches()).isEmpty();
        reads(first, 0, 0);
        assertThat(promises.breaches()).hasSize(1);
    }

    @Test
    void shouldFindThatAFlushIsLost_whoeverLives() {
        written(first, 0, 1);
        Promises.Change flushed = written(first, 0, 1);
        flush(first);
        written(first, 0, 1);
        promises.ended(first);
        promises.cut();
        Promises.Attachment second = promises.attached(2, 1);
        reads(second, 0, flushed.number());
        assertThat(promises.breaches()).as("what was not flushed may be lost").isEmpty();
        reads(second, 0, flushed.number() - 1);
        assertThat(promises.breaches()).hasSize(1);
    }

    @Test
    void shouldFindTornBlocks() {
        Promises.Change old = written(first, 0, 8);
        Promises.Change fresh = promises.begins(first, Kind.WRITE, 0, 8);
        reads(first, 0, fresh.number(), fresh.number(), fresh.number(), fresh.number(), old.number());
        assertThat(promises.breaches()).as("another block").isEmpty();
        reads(first, 4, fresh.number(), old.number());
        assertThat(promises.breaches()).singleElement().asString().contains("torn");
    }

    @Test
    void shouldFindWhatAFencedClientDoes() {
        Promises.Change before = promises.begins(first, Kind.WRITE, 0, 1);
        Promises.Attachment second = promises.attached(2, 1);
        promises.answered(before);
        assertThat(promises.breaches())
                .as("it was its own when it was asked for")
                .isEmpty();
        reads(first, 0, before.number());
        assertThat(promises.breaches()).hasSize(1);
        promises.answered(promises.begins(first, Kind.WRITE, 0, 1));
        assertThat(promises.breaches()).hasSize(2);
        reads(second, 1, before.number() + 1);
        assertThat(promises.breaches()).hasSize(3);
    }

    @Test
    void shouldFindThatAnOldWriterWritesLate() {
        Promises.Change late = promises.begins(first, Kind.WRITE, 0, 1);
        Promises.Change own = written(promises.attached(2, 1), 1, 2);
        reads(own.by(), 1, own.number());
        Promises.Change known = written(own.by(), 0, 1);
        reads(own.by(), 0, known.number());
        assertThat(promises.breaches()).isEmpty();
        reads(own.by(), 0, late.number());
        assertThat(promises.breaches()).hasSize(1);
    }

    @Test
    void shouldFindEpochsThatGoBack() {
        promises.attached(3, 1);
        promises.attached(2, 1);
        assertThat(promises.breaches()).as("asked for before, and told later").isEmpty();
        promises.attached(2, 1);
        promises.attached(3, 3);
        assertThat(promises.breaches()).hasSize(2);
    }

    private void readsBeside(int from, long... numbers) {
        promises.read(promises.readsBeside(from, from + numbers.length), numbers);
    }

    @Test
    void shouldFindThatAReaderSeesLessThanWasAnswered_butBetweenAPowerCutAndWhatIsSentAgain() {
        Promises.Change old = written(first, 0, 1);
        flush(first);
        Promises.Change fresh = written(first, 0, 1);
        readsBeside(0, fresh.number());
        promises.cut();
        readsBeside(0, old.number());
        flush(first);
        readsBeside(0, fresh.number());
        assertThat(promises.breaches()).isEmpty();
        readsBeside(0, old.number());
        assertThat(promises.breaches()).hasSize(1);
    }

    @Test
    void shouldAllowWhatWasFlushed_whenAFlushBetweenTwoPowerCutsIsToldOfLate() {
        written(first, 0, 1);
        promises.cut();
        Promises.Flushing between = promises.flushes(first);
        promises.cut();
        promises.flushed(between);
        Promises.Change fresh = written(first, 0, 1);
        readsBeside(0, fresh.number() - 1);
        assertThat(promises.breaches()).isEmpty();
    }

    @Test
    void shouldFindThatAForcedWriteIsLost() {
        Promises.Change forced = promises.begins(first, Kind.FORCED_WRITE, 0, 1);
        promises.answered(forced);
        promises.cut();
        Promises.Attachment second = promises.attached(2, 1);
        reads(second, 0, forced.number());
        assertThat(promises.breaches()).isEmpty();
        reads(second, 0, 0);
        assertThat(promises.breaches()).hasSize(1);
    }

    @Test
    void shouldFindWhatWasDone_whenItWasSaidThatThereIsNoRoom() {
        Promises.Change refused = promises.begins(first, Kind.WRITE, 0, 2);
        reads(first, 1, 0);
        promises.refused(refused);
        assertThat(promises.breaches()).isEmpty();
        reads(first, 0, refused.number());
        assertThat(promises.breaches()).hasSize(1);
        Promises.Change seen = promises.begins(first, Kind.WRITE, 0, 1);
        readsBeside(0, seen.number());
        promises.refused(seen);
        assertThat(promises.breaches()).hasSize(2);
    }

    private KeptImage snapshot() {
        Reading meanwhile = promises.readsBeside(0, promises.parts());
        promises.ended(meanwhile);
        return KeptImage.of(meanwhile, promises.parts());
    }

    private static long[] numbers(long first, long second) {
        return new long[] {first, second, 0, 0, 0, 0, 0, 0};
    }

    @Test
    void shouldFindThatASnapshotChanges() {
        Promises.Change old = promises.begins(first, Kind.WRITE, 0, 1);
        KeptImage image = snapshot();
        Promises.Change later = written(first, 0, 1);
        assertThat(image.read(numbers(0, 0))).isEmpty();
        assertThat(image.read(numbers(old.number(), 0)))
                .as("it had the other one before")
                .isPresent();
        assertThat(snapshot().read(numbers(old.number(), 0))).isPresent();
        assertThat(snapshot().read(numbers(later.number(), 0))).isEmpty();
    }

    @Test
    void shouldFindThatASnapshotIsOfSeveralMoments() {
        Promises.Change one = promises.begins(first, Kind.WRITE, 0, 1);
        Reading meanwhile = promises.readsBeside(0, promises.parts());
        promises.answered(one);
        Promises.Change other = promises.begins(first, Kind.WRITE, 1, 2);
        KeptImage image = KeptImage.of(meanwhile, promises.parts());
        assertThat(image.copied().read(numbers(0, other.number())))
                .as("a clone may have been changed")
                .isEmpty();
        assertThat(image.read(numbers(0, other.number()))).isPresent();
        assertThat(KeptImage.of(meanwhile, promises.parts()).read(numbers(one.number(), 0)))
                .isEmpty();
    }

    @Test
    void shouldAllowASnapshotOfWhatARollbackBroughtBack_withWhatCameAfterIt() {
        Promises.Change old = written(first, 0, 1);
        KeptImage image = snapshot();
        Promises.Change takenBack = written(first, 0, 1);
        Reading meanwhile = promises.readsBeside(0, promises.parts());
        promises.rolledBack(promises.rollsBack(image, 1));
        Promises.Change next = written(promises.attached(3, 2), 1, 2);
        assertThat(KeptImage.of(meanwhile, promises.parts()).read(numbers(old.number(), next.number())))
                .as("without " + takenBack)
                .isEmpty();
    }

    @Test
    void shouldFindThatARollbackBringsSomethingElse() {
        Promises.Change old = written(first, 0, 1);
        KeptImage image = snapshot();
        Promises.Change fresh = written(first, 0, 1);
        Promises.Rollback rollback = promises.rollsBack(image, 1);
        readsBeside(0, old.number());
        readsBeside(0, fresh.number());
        promises.rolledBack(rollback);
        readsBeside(0, old.number());
        assertThat(promises.breaches()).isEmpty();
        readsBeside(0, fresh.number());
        assertThat(promises.breaches()).hasSize(1);
        reads(first, 0, old.number());
        assertThat(promises.breaches()).as("who had the volume is fenced").hasSize(2);
        promises.attached(2, 1);
        assertThat(promises.breaches()).as("the rollback's own epoch").hasSize(3);
    }

    @Test
    void shouldAllowARollbackOfWhichNobodyKnows_untilSomebodyHasWrittenSince() {
        Promises.Change old = written(first, 0, 1);
        KeptImage image = snapshot();
        Promises.Change fresh = written(first, 0, 1);
        var _ = promises.rollsBack(image, 1);
        assertThat(promises.isSettled()).isFalse();
        Promises.Attachment next = promises.attached(3, 1);
        assertThat(promises.isSettled()).isTrue();
        readsBeside(0, fresh.number());
        reads(next, 0, old.number());
        Promises.Change newest = written(next, 0, 1);
        reads(next, 0, newest.number());
        assertThat(promises.breaches()).isEmpty();
        readsBeside(0, old.number());
        assertThat(promises.breaches()).hasSize(1);
    }

    @Test
    void shouldFindDamage_whereNothingHasRotted() {
        promises.damaged("block 1");
        assertThat(promises.breaches()).hasSize(1);
        promises.rots();
        promises.damaged("block 1");
        assertThat(promises.breaches()).hasSize(1);
    }
}
