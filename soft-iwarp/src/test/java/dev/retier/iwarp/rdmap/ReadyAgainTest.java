package dev.retier.iwarp.rdmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.iwarp.mpa.Agreement;
import dev.retier.iwarp.mpa.RtrKind;
import dev.retier.iwarp.wire.Hex;
import dev.retier.iwarp.wire.RdmapOpcode;
import dev.retier.iwarp.wire.Segment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an initiator sends in its first moments, towards peers that may not have looked yet. Times are arguments. */
class ReadyAgainTest {
    private static final String EMPTY_WRITE = "000ec14000000001" + "0000000000000000" + "ebd34c5f";
    private static final long START = 77;
    private static final long PAUSE = ReadyAgain.PAUSE_NANOS;

    private static Node node(boolean initiator, int peerUlpdu, RtrKind... kinds) {
        return new Node(1, new Agreement(initiator, true, false, false, Set.of(kinds), 8, 8, peerUlpdu, false), 1442);
    }

    private static void hear(Node node) {
        node.take(new Segment().tagged(RdmapOpcode.WRITE, 1, 0, true));
    }

    @Test
    void shouldSayReadyAgainFourTimes_whenNothingComes() {
        Node node = node(true, 0, RtrKind.WRITE);
        List<Long> waits = new ArrayList<>();
        long now = START;
        long wait = node.engine.attend(now);
        assertThat(Hex.of(node.output())).isEqualTo(EMPTY_WRITE);
        while (wait >= 0) {
            waits.add(wait / PAUSE);
            now += wait;
            wait = node.engine.attend(now);
            assertThat(Hex.of(node.output())).isEqualTo(EMPTY_WRITE);
        }
        assertThat(waits).containsExactly(1L, 2L, 4L, 8L);
        assertThat(node.engine.attend(now + 100 * PAUSE)).isNegative();
        assertThat(node.output()).isEmpty();
    }

    @Test
    void shouldWaitForTheRest_whenItIsAskedTooEarly() {
        Node node = node(true, 0, RtrKind.WRITE);
        node.engine.attend(START);
        node.output();
        assertThat(node.engine.attend(START + PAUSE - 3)).isEqualTo(3);
        assertThat(node.output()).isEmpty();
    }

    @Test
    void shouldSayNothingMore_whenPeerHasSpoken() {
        Node node = node(true, 0, RtrKind.WRITE);
        node.engine.attend(START);
        node.output();
        hear(node);
        assertThat(node.engine.attend(START + PAUSE)).isNegative();
        assertThat(node.output()).isEmpty();
    }

    @Test
    void shouldSayItOnce_whenPeerIsOfOurKind() {
        Node node = node(true, 64_768, RtrKind.WRITE);
        assertThat(node.engine.attend(START)).isNegative();
        assertThat(Hex.of(node.output())).isEqualTo(EMPTY_WRITE);
        assertThat(node.output()).isEmpty();
    }

    @Test
    void shouldSayItOnce_whenPeerIsLikeUs() {
        Node node = new Node(1, new Agreement(true, true, false, false, Set.of(RtrKind.WRITE), 8, 8, 0, true), 1442);
        assertThat(node.engine.attend(START)).isNegative();
        assertThat(Hex.of(node.output())).isEqualTo(EMPTY_WRITE);
        assertThat(node.output()).isEmpty();
    }

    @Test
    void shouldSayNothing_whenItIsTheResponder() {
        Node node = node(false, 0, RtrKind.WRITE);
        assertThat(node.engine.attend(START)).isNegative();
        assertThat(node.output()).isEmpty();
    }

    @Test
    void shouldSayNothingMore_whenStreamEnds() {
        Node node = node(true, 0, RtrKind.WRITE);
        node.engine.attend(START);
        node.output();
        node.engine.disconnect();
        assertThat(node.engine.attend(START + PAUSE)).isNegative();
        assertThat(node.output()).isEmpty();
    }

    /** An empty Write is a message, and messages do not interleave. */
    @Test
    void shouldFinishTheMessageFirst_whenItIsDueInTheMiddle() {
        Node node = node(true, 0, RtrKind.WRITE);
        node.engine.attend(START);
        node.post(WorkOpcode.WRITE, 0, 500_000, node, 0);
        node.output();
        node.engine.attend(START + PAUSE);
        StringBuilder rest = new StringBuilder();
        for (byte[] more = node.output(); more.length > 0; more = node.output()) {
            rest.append(Hex.of(more));
        }
        assertThat(rest.toString()).endsWith(EMPTY_WRITE);
        assertThat(rest.length()).isGreaterThan(2 * 400_000);
    }

    @Test
    void shouldWaitBeforeItsFirstMessage_whenNoKindWasAgreed() {
        Node node = node(true, 0);
        node.post(WorkOpcode.WRITE, 0, 4, node, 0);
        assertThat(node.engine.attend(START)).isEqualTo(PAUSE);
        assertThat(node.output()).isEmpty();
        assertThat(node.engine.attend(START + PAUSE)).isNegative();
        assertThat(node.output()).hasSize(2 + 14 + 4 + 4);
    }

    /** Neither can be repeated: a Read has a number and is answered, a Send may take a buffer. */
    @ParameterizedTest
    @EnumSource(
            value = RtrKind.class,
            names = {"READ", "SEND"})
    void shouldWaitBeforeItSaysReady_whenThatCannotBeRepeated(RtrKind kind) {
        Node node = node(true, 0, kind);
        assertThat(node.engine.attend(START)).isEqualTo(PAUSE);
        assertThat(node.output()).isEmpty();
        assertThat(node.engine.attend(START + PAUSE)).isNegative();
        assertThat(node.output()).isNotEmpty();
        assertThat(node.output()).isEmpty();
    }

    @Test
    void shouldSpeakAtOnce_whenPeerDoesSoDuringThePause() {
        Node node = node(true, 0);
        node.post(WorkOpcode.WRITE, 0, 4, node, 0);
        node.engine.attend(START);
        hear(node);
        assertThat(node.output()).hasSize(2 + 14 + 4 + 4);
        assertThat(node.engine.attend(START + PAUSE)).isNegative();
    }

    /** RFC 5040 section 4.8: a Terminate waits for nothing. */
    @Test
    void shouldTerminateAtOnce_whenStreamFailsDuringThePause() {
        Node node = node(true, 0);
        node.engine.attend(START);
        node.take(new Segment().tagged(RdmapOpcode.READ_RESPONSE, 1, 0, true));
        assertThat(node.output()).isNotEmpty();
    }

    @Test
    void shouldTakeAsManyAsAreSaid_whenItIsTheResponder() {
        Node one = node(true, 0, RtrKind.WRITE);
        Node two = new Node(2, new Agreement(false, true, false, false, Set.of(RtrKind.WRITE), 8, 8, 0, false), 1442);
        one.engine.attend(START);
        two.input(one.output());
        one.engine.attend(START + PAUSE);
        two.input(one.output());
        assertThat(two.engine.state()).isEqualTo(QpState.RTS);
        one.receive(1, 0, 8);
        two.post(WorkOpcode.SEND, 0, 8, one, 0);
        assertThat(Node.settle(one, two, 10)).isTrue();
        assertThat(one.received).hasSize(1);
    }
}
