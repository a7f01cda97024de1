package dev.retier.volume.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What finds breaches finds each of them. */
class PromisesTest {
    private final Promises promises = new Promises(2);
    private final Promises.Attachment first = promises.attached(1, 0);

    private Promises.Change written(Promises.Attachment by, int from, int end) {
        Promises.Change change = promises.begins(by, false, from, end);
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
        Promises.Change fresh = promises.begins(first, false, 0, 4);
        reads(first, 0, old.number());
        Promises.Reading begun = promises.reads(first, 1, 2);
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
        Promises.Change fresh = promises.begins(first, false, 0, 8);
        reads(first, 0, fresh.number(), fresh.number(), fresh.number(), fresh.number(), old.number());
        assertThat(promises.breaches()).as("another block").isEmpty();
        reads(first, 4, fresh.number(), old.number());
        assertThat(promises.breaches()).singleElement().asString().contains("torn");
    }

    @Test
    void shouldFindWhatAFencedClientDoes() {
        Promises.Change before = promises.begins(first, false, 0, 1);
        Promises.Attachment second = promises.attached(2, 1);
        promises.answered(before);
        assertThat(promises.breaches())
                .as("it was its own when it was asked for")
                .isEmpty();
        reads(first, 0, before.number());
        assertThat(promises.breaches()).hasSize(1);
        promises.answered(promises.begins(first, false, 0, 1));
        assertThat(promises.breaches()).hasSize(2);
        reads(second, 1, before.number() + 1);
        assertThat(promises.breaches()).hasSize(3);
    }

    @Test
    void shouldFindThatAnOldWriterWritesLate() {
        Promises.Change late = promises.begins(first, false, 0, 1);
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
}
