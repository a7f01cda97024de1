package dev.retier.state.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.link.Gathering;
import dev.retier.link.MemoryLink;
import dev.retier.link.NodeId;
import dev.retier.link.Work;
import dev.retier.link.auth.Identity;
import dev.retier.link.auth.Versions;
import dev.retier.state.slot.SlotGrant;
import dev.retier.state.slot.SlotLayout;
import dev.retier.testsupport.verbs.Kind;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SessionTest {
    private final MemoryCell cell = new MemoryCell();
    private final Session session = cell.session(2);
    private final MemorySegment read = Arena.ofAuto().allocate(SlotLayout.LENGTH_BYTES, Long.BYTES);

    SessionTest() throws IOException {
        cell.memory(2).publish(MemoryCell.LOAD);
    }

    @Test
    void shouldReadTheSlot_whenTheAnswerComes() {
        Gathering<Integer> reads = reads(1);

        assertThat(endings(reads)).containsExactly(Work.Ending.DONE);
        assertThat(read.mismatch(cell.slot(2))).isEqualTo(-1);
    }

    @Test
    void shouldAnnounceToAMemberOfThisVersionAlone_whenTheOneBeforeTakesNoMessage() throws IOException {
        MemoryLink link = new MemoryLink(cell.world, new Identity(new NodeId(5), 45));
        SlotGrant grant = cell.memory(2).grant(link.answering(), Optional.empty());

        assertThat(session.hears()).isTrue();
        assertThat(new Session(link.ready(Versions.FORMER), cell.operations, grant).hears())
                .isFalse();
    }

    /** The buffers are still the device's: given to the next operation, a late answer would land in it. */
    @Test
    void shouldRefuseMore_whenAllCallersHaveGivenUpAndNoAnswerHasCome() {
        cell.world.hold(Kind.READ);
        Gathering<Integer> reads = reads(Session.DEPTH);
        assertThat(endings(reads)).containsOnly(Work.Ending.TIMED_OUT);

        assertThat(session.read(0, Long.BYTES, new Gathering<>(), 0)).isFalse();
        cell.world.release();
        take();
        reads(Session.DEPTH);
    }

    @Test
    void shouldRefuseMore_whenAllAnswersHaveComeAndNoCallerIsDone() {
        Gathering<Integer> reads = reads(Session.DEPTH);
        take();

        assertThat(session.read(0, Long.BYTES, new Gathering<>(), 0)).isFalse();
        endings(reads);
        reads(Session.DEPTH);
    }

    /** A fault while one is judged must not keep the buffers of all. */
    @Test
    void shouldGiveEveryBufferBack_whenAnAnswerCannotBeJudged() {
        Gathering<Integer> reads = reads(Session.DEPTH);

        assertThatThrownBy(() -> reads.await(0, (_, _) -> {
                    throw new IllegalStateException("a fault");
                }))
                .hasMessage("a fault");
        reads(Session.DEPTH);
    }

    @Test
    void shouldTellTheOldest_whenAnswersAreHeld() {
        assertThat(session.oldestNanos(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
        cell.world.hold(Kind.READ);
        long firstNanos = cell.nowNanos;
        reads(1);
        cell.nowNanos++;
        reads(1);

        assertThat(session.oldestNanos(Long.MAX_VALUE)).isEqualTo(firstNanos);
    }

    @Test
    void shouldEndAllAsFailed_whenItIsAborted() {
        cell.world.hold(Kind.READ);
        Gathering<Integer> reads = reads(Session.DEPTH);

        session.abort("over");

        assertThat(endings(reads)).hasSize(Session.DEPTH).containsOnly(Work.Ending.FAILED);
        assertThat(endings(reads(1))).as("nothing is posted any more").containsExactly(Work.Ending.FAILED);
    }

    @Test
    void shouldBreakTheConnection_whenThePeerWritesWithAnImmediate() {
        session.immediate(1);

        assertThat(link().broken()).containsExactly("it sent what nobody asked for");
    }

    @Test
    void shouldTellWhetherItBegan_whenItSwapsOrAnnounces() {
        cell.world.hold(Kind.ATOMIC, Kind.SEND);
        Gathering<Integer> operations = new Gathering<>();
        for (int i = 0; i < Session.DEPTH; i += 2) {
            assertThat(session.compareAndSwap(SlotLayout.ROLE_OFFSET, 0, 0, operations, i))
                    .isTrue();
            assertThat(session.announce(operations, i + 1)).isTrue();
        }

        assertThat(session.compareAndSwap(SlotLayout.ROLE_OFFSET, 0, 0, operations, Session.DEPTH))
                .isFalse();
        assertThat(session.announce(operations, Session.DEPTH)).isFalse();
    }

    /** Each has a buffer of its own. */
    @Test
    void shouldGiveEachItsOwnAnswer_whenSeveralReadAtOnce() {
        Gathering<Integer> reads = new Gathering<>();
        for (int i = 0; i < Session.DEPTH; i++) {
            assertThat(session.read(Long.BYTES * i, Long.BYTES, reads, i)).isTrue();
        }
        Map<Integer, Long> words = new HashMap<>();
        reads.await(0, (i, work) -> words.put(i, work.buffer().get(SlotLayout.WORD_LAYOUT, 0)));

        assertThat(words).hasSize(Session.DEPTH);
        words.forEach((i, word) ->
                assertThat(word).isEqualTo(cell.slot(2).get(SlotLayout.WORD_LAYOUT, (long) Long.BYTES * i)));
    }

    @Test
    void shouldBreakTheConnection_whenAnOperationFails() {
        cell.world.fail("postSend", 1);

        assertThat(endings(reads(1))).containsExactly(Work.Ending.FAILED);
        assertThat(link().broken()).contains("an operation failed");
    }

    private Gathering<Integer> reads(int count) {
        Gathering<Integer> reads = new Gathering<>();
        for (int i = 0; i < count; i++) {
            assertThat(session.read(0, SlotLayout.LENGTH_BYTES, reads, i)).isTrue();
        }
        return reads;
    }

    private List<Work.Ending> endings(Gathering<Integer> reads) {
        List<Work.Ending> endings = new ArrayList<>();
        reads.await(0, (_, work) -> {
            endings.add(work.ending());
            read.copyFrom(work.buffer().asSlice(0, SlotLayout.LENGTH_BYTES));
        });
        return endings;
    }

    /** Takes what has come, as whoever awaits something on another connection does. */
    private void take() {
        Gathering<Integer> other = new Gathering<>();
        assertThat(cell.session(3).read(0, Long.BYTES, other, 0)).isTrue();
        other.await(0, (_, _) -> {});
    }

    private MemoryLink link() {
        return Objects.requireNonNull(cell.links.get(new NodeId(2)));
    }
}
