package dev.retier.iwarp.rdmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.iwarp.mpa.Agreement;
import dev.retier.iwarp.wire.RdmapOpcode;
import dev.retier.iwarp.wire.Segment;
import dev.retier.iwarp.wire.TerminateReason;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A read of nothing, then one of four bytes, and a peer that answers the first with something. */
@SuppressWarnings("NullAway.Init") // set by post
class EmptyReadTest {
    private Node node;

    @BeforeEach
    void post() {
        node = new Node(1, new Agreement(true, false, false, false, Set.of(), 8, 8, 64_768, false), 64_000);
        node.post(WorkOpcode.READ, 0, 0, node, 0);
        node.post(WorkOpcode.READ, 8, 4, node, 0);
        node.output();
    }

    private static Segment answer(long offset, boolean last) {
        return new Segment().tagged(RdmapOpcode.READ_RESPONSE, 0, offset, last);
    }

    private void answerSecond() {
        Segment second =
                new Segment().tagged(RdmapOpcode.READ_RESPONSE, node.region.stag(), node.region.address() + 8, true);
        node.take(second, new byte[] {1, 2, 3, 4});
        node.output();
    }

    private void assertBothDone() {
        assertThat(node.sent).hasSize(2).allMatch(done -> done.status() == WorkStatus.SUCCESS);
        assertThat(node.sent.getFirst().bytes()).isZero();
        assertThat(node.bytes().getInt(0)).isZero();
    }

    @Test
    void shouldComplete_whenAnswerIsEmpty() {
        node.take(answer(0, true));
        answerSecond();
        assertBothDone();
    }

    @Test
    void shouldDropIt_whenAnswerCarriesBytes() {
        node.take(answer(0, true), new byte[] {9, 9});
        answerSecond();
        assertBothDone();
    }

    @Test
    void shouldDropAll_whenAnswerHasSeveralSegments() {
        node.take(answer(0, false), new byte[1000]);
        node.take(answer(1000, true), new byte[1000]);
        answerSecond();
        assertBothDone();
    }

    @Test
    void shouldDropIt_whenLongAnswerIsOnItsWayPiecemeal() {
        byte[] fpdu = Node.fpdu(Node.ulpdu(answer(0, true), new byte[50_000]));
        for (int at = 0; at < fpdu.length; at += 10_000) {
            node.input(Arrays.copyOfRange(fpdu, at, Math.min(fpdu.length, at + 10_000)));
        }
        answerSecond();
        assertBothDone();
    }

    @Test
    void shouldRefuseTheNext_whenItIsNotWhatWasAskedFor() {
        node.take(answer(0, true), new byte[] {9, 9});
        node.take(answer(0, true), new byte[] {9, 9});
        assertThat(node.engine.failure()).isEqualTo(TerminateReason.DDP_INVALID_STAG);
    }
}
