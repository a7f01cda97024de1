package dev.retier.iwarp.rdmap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.iwarp.memory.StreamIdentity;
import dev.retier.iwarp.wire.ReceivedTerminate;
import dev.retier.iwarp.wire.TerminateHeader;
import dev.retier.iwarp.wire.TerminateReason;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** States, reasons, sizes and codes of a stream. */
class StreamStateTest {
    private final StreamStatus status = new StreamStatus();

    @Test
    void shouldAllowTheDrawnTransitionsOnly_whenAnyOtherIsTried() {
        Set<String> allowed = new HashSet<>();
        for (QpState from : QpState.values()) {
            for (QpState to : QpState.values()) {
                if (from.allows(to)) {
                    assertThat(from.transition(to)).isEqualTo(to);
                    allowed.add(from + ">" + to);
                } else {
                    assertThatThrownBy(() -> from.transition(to))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("from " + from + " to " + to);
                }
            }
        }
        assertThat(allowed)
                .containsExactlyInAnyOrder(
                        "IDLE>RTS",
                        "IDLE>ERROR",
                        "RTS>CLOSING",
                        "RTS>TERMINATE",
                        "RTS>ERROR",
                        "CLOSING>ERROR",
                        "TERMINATE>ERROR");
    }

    @ParameterizedTest
    @EnumSource(QpState.class)
    void shouldFlush_whenStreamIsEnding(QpState state) {
        assertThat(state.flushes()).isEqualTo(state != QpState.IDLE && state != QpState.RTS);
    }

    @Test
    void shouldTellNoReason_whenNothingHappened() {
        status.go(QpState.RTS);
        assertThat(status.works()).isTrue();
        assertThat(status.owesTerminate()).isFalse();
        assertThat(status.takeTerminate()).isNull();
        assertThat(status.errorWord()).isZero();
        assertThat(status.firstStatus()).isEqualTo(WorkStatus.FLUSHED);
    }

    @Test
    void shouldOweOneTerminate_whenItFailed() {
        status.go(QpState.RTS);
        status.fail(TerminateHeader.of(TerminateReason.DDP_MSN_RANGE));
        assertThat(status.works()).isFalse();
        assertThat(status.owesTerminate()).isTrue();
        assertThat(status.takeTerminate()).isNotNull();
        assertThat(status.owesTerminate()).isFalse();
        assertThat(status.takeTerminate()).isNull();
        assertThat(status.failure()).isEqualTo(TerminateReason.DDP_MSN_RANGE);
        assertThat(status.errorWord()).isEqualTo(0x1203);
        assertThat(status.failureWord()).isEqualTo(0x1203);
        assertThat(status.firstStatus()).isEqualTo(WorkStatus.FATAL);
    }

    /** RFC 5040 section 5.4: the first half of the peer's word goes into the completions; no Terminate answers it. */
    @Test
    void shouldTellPeersReason_whenItTerminates() {
        status.go(QpState.RTS);
        status.terminatedByPeer(0x9203_E001);
        assertThat(status.state()).isEqualTo(QpState.TERMINATE);
        assertThat(status.remote()).isEqualTo(ReceivedTerminate.of(0x9203_E001));
        assertThat(status.owesTerminate()).isFalse();
        assertThat(status.errorWord()).isEqualTo(0x9203);
        assertThat(status.failureWord()).as("what it did wrong").isZero();
        assertThat(status.firstStatus()).isEqualTo(WorkStatus.REMOTE_ABORT);
    }

    /** As Soft-RoCE does: {@code IBV_WC_REM_ACCESS_ERR}. */
    @Test
    void shouldTellARemoteAccessError_whenThePeerHasRefusedItsMemory() {
        status.go(QpState.RTS);
        status.terminatedByPeer(0x0101_E000);
        assertThat(status.firstStatus()).isEqualTo(WorkStatus.REMOTE_ACCESS);
    }

    /** A version, and errors of that number in MPA and RDMAP. */
    @ParameterizedTest
    @CsvSource({
        "0x1104C000, REMOTE_ABORT",
        "0x1103C000, REMOTE_ACCESS",
        "0x2101C000, REMOTE_ABORT",
        "0x2104C000, REMOTE_ABORT",
        "0x0201C000, REMOTE_ABORT"
    })
    void shouldTellARemoteAccessError_onlyWhenMemoryWasRefused(String word, WorkStatus expected) {
        status.go(QpState.RTS);
        status.terminatedByPeer(Integer.decode(word));
        assertThat(status.firstStatus()).isEqualTo(expected);
    }

    @Test
    void shouldTellNothing_whenItFailsBeforeItWorks() {
        status.fail(TerminateHeader.of(TerminateReason.MPA_CRC));
        status.terminatedByPeer(5);
        assertThat(status.state()).isEqualTo(QpState.IDLE);
        assertThat(status.failure()).isNull();
        assertThat(status.remote()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"0,1,1", "1,0,1", "1,1,0", "-1,1,1"})
    void shouldRefuse_whenQueueHasNoRoom(int sends, int receives, int elements) {
        assertThatThrownBy(() -> new StreamConfig(new StreamIdentity(1, 1), sends, receives, elements))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(sends + ", " + receives + ", " + elements);
    }

    @Test
    void shouldAccept_whenEveryQueueHasRoomForOne() {
        assertThat(new StreamConfig(new StreamIdentity(1, 1), 1, 1, 1).maxElements())
                .isEqualTo(1);
    }

    /** The numbers of {@code ibv_wc_status} and {@code ibv_wc_opcode}. */
    @Test
    void shouldHaveTheVerbsCodes_whenTheyAreCompleted() {
        assertThat(Arrays.stream(WorkStatus.values()).mapToInt(WorkStatus::code))
                .containsExactly(0, 1, 4, 5, 10, 16, 19);
        assertThat(Arrays.stream(CompletionKind.values()).mapToInt(CompletionKind::code))
                .containsExactly(0, 1, 2, 3, 4, 128, 129);
    }

    @Test
    void shouldHoldTheLongest_whenInlineBytesChange() {
        SendWork work = new SendWork(1);
        assertThat(work.isInline()).isFalse();
        work.inline(new byte[] {1, 2, 3}, 3);
        byte[] held = work.inlineBytes();
        work.inline(new byte[] {4, 5, 6, 7}, 3);
        assertThat(work.inlineBytes()).isSameAs(held).containsExactly(4, 5, 6);
        work.inline(new byte[0], 0);
        assertThat(work.isInline()).isTrue();
        assertThat(work.totalBytes()).isZero();
        work.reset();
        assertThat(work.isInline()).isFalse();
        assertThatThrownBy(work::requireOperands)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("operands");
    }

    @Test
    void shouldCopyEveryField_whenCompletionIsCopied() {
        Completion from = new Completion().of(7, CompletionKind.RDMA_READ, WorkStatus.FATAL, 0x1_0000_0009L);
        assertThat(from.solicited).as("errors wake everybody").isTrue();
        from.immediate = 3;
        from.hasImmediate = true;
        from.invalidatedStag = 4;
        from.errorWord = 5;
        Completion to = new Completion();
        to.copy(from);
        assertThat(to.workId).isEqualTo(7);
        assertThat(to.kind).isEqualTo(CompletionKind.RDMA_READ);
        assertThat(to.status).isEqualTo(WorkStatus.FATAL);
        assertThat(to.byteLength).isEqualTo(9);
        assertThat(to.solicited && to.hasImmediate).isTrue();
        assertThat(new int[] {to.immediate, to.invalidatedStag, to.errorWord}).containsExactly(3, 4, 5);
        to.of(8, CompletionKind.SEND, WorkStatus.SUCCESS, 0);
        assertThat(to.solicited || to.hasImmediate).isFalse();
        assertThat(to.immediate + to.invalidatedStag + to.errorWord).isZero();
    }
}
