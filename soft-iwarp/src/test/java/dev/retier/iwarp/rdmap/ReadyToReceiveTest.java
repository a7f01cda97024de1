package dev.retier.iwarp.rdmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.iwarp.mpa.Agreement;
import dev.retier.iwarp.mpa.RtrKind;
import dev.retier.iwarp.wire.Hex;
import dev.retier.iwarp.wire.RdmapOpcode;
import dev.retier.iwarp.wire.Segment;
import dev.retier.iwarp.wire.TerminateReason;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The zero-length message that an initiator sends first, and what a responder makes of it (RFC 6581 section 9). */
class ReadyToReceiveTest {
    private static final String EMPTY_WRITE = "000ec14000000001" + "0000000000000000" + "ebd34c5f";

    private static Node node(int stream, boolean initiator, RtrKind... kinds) {
        return new Node(stream, new Agreement(initiator, true, false, false, Set.of(kinds), 8, 8, 0, false), 1442);
    }

    private static Segment send(int msn) {
        return new Segment().untagged(RdmapOpcode.SEND, msn, 0, true);
    }

    private static Segment response(boolean last) {
        return new Segment().tagged(RdmapOpcode.READ_RESPONSE, 1, 0, last);
    }

    @ParameterizedTest
    @EnumSource(RtrKind.class)
    void shouldSpeakBothWays_whenInitiatorSaidReady(RtrKind kind) {
        Node one = node(1, true, kind);
        Node two = node(2, false, kind);
        one.receive(1, 0, 8);
        two.receive(2, 0, 8);
        two.post(WorkOpcode.SEND, 0, 8, one, 0);
        assertThat(Node.settle(one, two, 10)).isTrue();
        assertThat(one.received).hasSize(1);
        one.post(WorkOpcode.SEND, 0, 8, two, 0);
        one.post(WorkOpcode.READ, 8, 8, two, 0);
        assertThat(Node.settle(one, two, 10)).isTrue();
        assertThat(two.received).hasSize(1);
        assertThat(one.sent).hasSize(2).allMatch(done -> done.status() == WorkStatus.SUCCESS);
    }

    @Test
    void shouldSendOneEmptyWrite_whenWriteWasAgreed() {
        Node node = node(1, true, RtrKind.WRITE);
        assertThat(Hex.of(node.output())).isEqualTo(EMPTY_WRITE);
        assertThat(node.output()).isEmpty();
    }

    @Test
    void shouldSendOneEmptyRead_whenReadWasAgreed() {
        Node node = node(1, true, RtrKind.READ);
        assertThat(Hex.of(node.output()))
                .startsWith("002e4141" + "00000000" + "00000001" + "00000001" + "00000000")
                .contains("00000001" + "0000000000000000" + "00000000" + "00000001" + "0000000000000000")
                .hasSize(2 * (2 + 18 + 28 + 4));
        assertThat(node.output()).isEmpty();
    }

    @Test
    void shouldSendOneEmptySend_whenSendWasAgreed() {
        Node node = node(1, true, RtrKind.SEND);
        assertThat(Hex.of(node.output()))
                .startsWith("00124143" + "00000000" + "00000000" + "00000001" + "00000000")
                .hasSize(2 * (2 + 18 + 4));
        assertThat(node.output()).isEmpty();
    }

    @Test
    void shouldSayNothingOfItsOwn_whenItIsTheResponder() {
        Node node = node(1, false, RtrKind.WRITE);
        node.take(new Segment().tagged(RdmapOpcode.WRITE, 1, 0, true));
        assertThat(node.output()).isEmpty();
    }

    @Test
    void shouldSayNothing_whenNoKindWasAgreed() {
        assertThat(node(1, true).output()).isEmpty();
    }

    /** The empty Send has a message number of its own, but consumes no receive. */
    @Test
    void shouldDeliverTheNextSend_whenTheFirstSaidReady() {
        Node node = node(1, false, RtrKind.SEND);
        node.take(send(1));
        assertThat(node.engine.state()).isEqualTo(QpState.RTS);
        node.receive(1, 0, 8);
        node.take(send(2), (byte) 1);
        assertThat(node.received).singleElement().matches(done -> done.bytes() == 1);
    }

    @Test
    void shouldWantReceive_whenSecondSendIsEmpty() {
        Node node = node(1, false, RtrKind.SEND);
        node.take(send(1));
        node.take(send(2));
        assertThat(node.engine.failure()).isEqualTo(TerminateReason.DDP_NO_BUFFER);
    }

    @Test
    void shouldWantReceive_whenEmptySendComesBehindWrite() {
        Node node = node(1, false, RtrKind.SEND, RtrKind.WRITE);
        node.take(new Segment().tagged(RdmapOpcode.WRITE, 1, 0, true));
        node.take(send(1));
        assertThat(node.engine.failure()).isEqualTo(TerminateReason.DDP_NO_BUFFER);
    }

    @Test
    void shouldWantReceive_whenSendWasNotAgreed() {
        Node node = node(1, false, RtrKind.WRITE);
        node.take(send(1));
        assertThat(node.engine.failure()).isEqualTo(TerminateReason.DDP_NO_BUFFER);
    }

    @Test
    void shouldWantReceive_whenItIsTheInitiator() {
        Node node = node(1, true, RtrKind.SEND);
        node.take(send(1));
        assertThat(node.engine.failure()).isEqualTo(TerminateReason.DDP_NO_BUFFER);
    }

    @Test
    void shouldWantReceive_whenFirstSendCarriesByte() {
        Node node = node(1, false, RtrKind.SEND);
        node.take(send(1), (byte) 1);
        assertThat(node.engine.failure()).isEqualTo(TerminateReason.DDP_NO_BUFFER);
    }

    @Test
    void shouldWantReceive_whenFirstSendIsSolicited() {
        Node node = node(1, false, RtrKind.SEND);
        node.take(new Segment().untagged(RdmapOpcode.SEND_SOLICITED, 1, 0, true));
        assertThat(node.engine.failure()).isEqualTo(TerminateReason.DDP_NO_BUFFER);
    }

    @Test
    void shouldWantReceive_whenFirstSendGoesOn() {
        Node node = node(1, false, RtrKind.SEND);
        node.take(new Segment().untagged(RdmapOpcode.SEND, 1, 0, false));
        assertThat(node.engine.failure()).isEqualTo(TerminateReason.DDP_NO_BUFFER);
    }

    @Test
    void shouldAcceptOneAnswer_whenReadSaidReady() {
        Node node = node(1, true, RtrKind.READ);
        node.output();
        node.take(response(true));
        assertThat(node.engine.state()).isEqualTo(QpState.RTS);
        node.take(response(true));
        assertThat(node.engine.failure()).isEqualTo(TerminateReason.RDMAP_UNEXPECTED_OPCODE);
    }

    @Test
    void shouldReportOpcode_whenAnswerToReadyCarriesByte() {
        Node node = node(1, true, RtrKind.READ);
        node.take(response(true), (byte) 1);
        assertThat(node.engine.failure()).isEqualTo(TerminateReason.RDMAP_UNEXPECTED_OPCODE);
    }

    @Test
    void shouldReportOpcode_whenAnswerToReadyGoesOn() {
        Node node = node(1, true, RtrKind.READ);
        node.take(response(false));
        assertThat(node.engine.failure()).isEqualTo(TerminateReason.RDMAP_UNEXPECTED_OPCODE);
    }

    @Test
    void shouldReportOpcode_whenAnswerComesThoughWriteSaidReady() {
        Node node = node(1, true, RtrKind.WRITE);
        node.take(response(true));
        assertThat(node.engine.failure()).isEqualTo(TerminateReason.RDMAP_UNEXPECTED_OPCODE);
    }

    @Test
    void shouldReportOpcode_whenResponderGetsAnswer() {
        Node node = node(1, false, RtrKind.READ);
        node.take(response(true));
        assertThat(node.engine.failure()).isEqualTo(TerminateReason.RDMAP_UNEXPECTED_OPCODE);
    }

    /** A response to a read of ours cannot overtake the one that says ready, so it is none. */
    @Test
    void shouldPlaceNothing_whenLongAnswerToReadyArrives() {
        Node node = new Node(1, new Agreement(true, false, false, false, Set.of(RtrKind.READ), 8, 8, 0, false), 64_000);
        node.post(WorkOpcode.READ, 0, 50_000, node, 0);
        node.output();
        Segment header =
                new Segment().tagged(RdmapOpcode.READ_RESPONSE, node.region.stag(), node.region.address(), true);
        byte[] payload = new byte[50_000];
        payload[0] = 1;
        node.input(Node.fpdu(Node.ulpdu(header, payload)));
        assertThat(node.engine.failure()).isEqualTo(TerminateReason.RDMAP_UNEXPECTED_OPCODE);
        assertThat(node.bytes().get(0)).isZero();
    }
}
