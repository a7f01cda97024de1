package dev.retier.state.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.Gathering;
import dev.retier.link.MemoryLink;
import dev.retier.link.NodeId;
import dev.retier.link.Work;
import dev.retier.state.slot.SlotLayout;
import dev.retier.testsupport.verbs.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SessionTest {
    private final MemoryCell cell = new MemoryCell();
    private final Session session = cell.session(2);

    SessionTest() throws IOException {
        cell.memory(2).publish(MemoryCell.LOAD);
    }

    @Test
    void shouldReadTheSlot_whenTheAnswerComes() {
        Gathering gathering = new Gathering();
        Work read = session.read(0, SlotLayout.LENGTH_BYTES, gathering).orElseThrow();
        await(gathering);

        assertThat(read.ending()).isEqualTo(Work.Ending.DONE);
        assertThat(read.buffer().asSlice(0, SlotLayout.LENGTH_BYTES).mismatch(cell.slot(2)))
                .isEqualTo(-1);
        read.release();
    }

    /** The buffers are still the device's: given to the next operation, a late answer would land in it. */
    @Test
    void shouldRefuseMore_whenAllCallersHaveGivenUpAndNoAnswerHasCome() {
        cell.world.hold(Kind.READ);
        giveUp(reads());

        assertThat(session.read(0, Long.BYTES, new Gathering())).isEmpty();
        cell.world.release();
        take();
        assertThat(reads()).hasSize(Session.DEPTH);
    }

    @Test
    void shouldRefuseMore_whenAllAnswersHaveComeAndNoCallerIsDone() {
        List<Work> reads = reads();
        take();

        assertThat(session.read(0, Long.BYTES, new Gathering())).isEmpty();
        giveUp(reads);
        assertThat(reads()).hasSize(Session.DEPTH);
    }

    @Test
    void shouldTellTheOldest_whenAnswersAreHeld() {
        assertThat(session.oldestNanos(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
        cell.world.hold(Kind.READ);
        List<Work> reads = reads();

        assertThat(session.oldestNanos(Long.MAX_VALUE))
                .isEqualTo(reads.getFirst().startedNanos());
    }

    @Test
    void shouldEndAllAsFailed_whenItIsAborted() {
        cell.world.hold(Kind.READ);
        List<Work> reads = reads();

        session.abort("over");

        assertThat(reads).allMatch(read -> read.ending() == Work.Ending.FAILED);
        giveUp(reads);
    }

    @Test
    void shouldBreakTheConnection_whenAnOperationFails() {
        cell.world.fail("postSend", 1);
        Work read = session.read(0, Long.BYTES, new Gathering()).orElseThrow();

        assertThat(read.ending()).isEqualTo(Work.Ending.FAILED);
        assertThat(link().broken()).contains("an operation failed");
    }

    private List<Work> reads() {
        List<Work> reads = new ArrayList<>();
        for (int i = 0; i < Session.DEPTH; i++) {
            reads.add(session.read(0, Long.BYTES, new Gathering()).orElseThrow());
        }
        return reads;
    }

    private static void giveUp(List<Work> works) {
        works.forEach(Work::release);
    }

    /** Takes what has come, as whoever awaits something on another connection does. */
    private void take() {
        Gathering gathering = new Gathering();
        Work other = cell.session(3).read(0, Long.BYTES, gathering).orElseThrow();
        await(gathering);
        other.release();
    }

    private MemoryLink link() {
        return Objects.requireNonNull(cell.links.get(new NodeId(2)));
    }

    private static void await(Gathering gathering) {
        gathering.await(System.nanoTime() + MemoryCell.LEASE.toNanos());
    }
}
