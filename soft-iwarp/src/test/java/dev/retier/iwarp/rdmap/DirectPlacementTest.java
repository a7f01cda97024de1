package dev.retier.iwarp.rdmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.iwarp.memory.MemoryRegion;
import dev.retier.iwarp.mpa.Agreement;
import dev.retier.iwarp.mpa.RtrKind;
import dev.retier.iwarp.wire.TerminateReason;
import java.util.Arrays;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Long tagged segments: placed while they arrive where no CRC has to prove them first. */
class DirectPlacementTest {
    private static final int BYTES = 50_000;
    private static final int PART = 30_000;
    private static final Node.Style CRC_OFF = new Node.Style(false, false, 64_000);
    private static final Node.Style CRC_ON = new Node.Style(true, false, 64_000);

    private final Node left = new Node(1, true, CRC_OFF);
    private final Node right = new Node(2, false, CRC_OFF);
    private final byte[] pattern = new byte[BYTES];

    @BeforeEach
    void fill() {
        new SplittableRandom(7).nextBytes(pattern);
        left.bytes().put(pattern);
    }

    private static byte[] memory(Node node) {
        byte[] bytes = new byte[BYTES];
        node.bytes().get(bytes);
        return bytes;
    }

    /** How many bytes at the start of the memory are the pattern's. */
    private int placed(Node node) {
        int mismatch = Arrays.mismatch(memory(node), pattern);
        return mismatch < 0 ? BYTES : mismatch;
    }

    private static void inputPart(Node node, byte[] stream, int from, int to) {
        node.input(Arrays.copyOfRange(stream, from, to));
    }

    @Test
    void shouldPlaceWriteWhileItArrives_whenCrcIsOff() {
        left.post(WorkOpcode.WRITE, 0, BYTES, right, 0);
        byte[] stream = left.output();
        inputPart(right, stream, 0, PART);
        assertThat(placed(right)).isGreaterThan(PART - 100);
        inputPart(right, stream, PART, stream.length);
        assertThat(placed(right)).isEqualTo(BYTES);
        assertThat(right.engine.state()).isEqualTo(QpState.RTS);
    }

    /** RFC 5044 section 4.4: no byte of an FPDU is passed up before its CRC has proved it. */
    @Test
    void shouldPlaceNothingBeforeFpduIsWhole_whenCrcIsOn() {
        Node sender = new Node(1, true, CRC_ON);
        Node receiver = new Node(2, false, CRC_ON);
        sender.bytes().put(pattern);
        sender.post(WorkOpcode.WRITE, 0, BYTES, receiver, 0);
        byte[] stream = sender.output();
        inputPart(receiver, stream, 0, stream.length - 1);
        assertThat(memory(receiver)).containsOnly(0);
        inputPart(receiver, stream, stream.length - 1, stream.length);
        assertThat(placed(receiver)).isEqualTo(BYTES);
    }

    @Test
    void shouldPlaceReadResponseWhileItArrives_whenCrcIsOff() {
        right.post(WorkOpcode.WRITE, 0, 0, left, 0);
        left.post(WorkOpcode.WRITE, 0, 0, right, 0);
        assertThat(Node.settle(left, right, 10)).isTrue();
        right.post(WorkOpcode.READ, 0, BYTES, left, 0);
        left.input(right.output());
        byte[] stream = left.output();
        inputPart(right, stream, 0, PART);
        assertThat(placed(right)).isGreaterThan(PART - 100);
        assertThat(right.sent).as("the empty write only").hasSize(1);
        inputPart(right, stream, PART, stream.length);
        assertThat(placed(right)).isEqualTo(BYTES);
        assertThat(right.sent).last().matches(done -> done.status() == WorkStatus.SUCCESS && done.bytes() == BYTES);
    }

    /** RFC 5042 section 6.2.3: once revoked, no further byte changes, though the peer has yet to send the rest. */
    @Test
    void shouldStopAndReport_whenRegionIsRevokedWhileItIsFilled() {
        left.post(WorkOpcode.WRITE, 0, BYTES, right, 0);
        byte[] stream = left.output();
        inputPart(right, stream, 0, PART);
        assertThat(right.table.deregister(right.region)).isTrue();
        byte[] before = memory(right);
        inputPart(right, stream, PART, stream.length);
        assertThat(memory(right)).isEqualTo(before);
        assertThat(right.engine.failure()).isEqualTo(TerminateReason.DDP_INVALID_STAG);
        left.input(right.output());
        assertThat(left.engine.remoteTerminate()).isNotNull();
    }

    @Test
    void shouldPlaceNothingAndReport_whenLongWriteLeavesRegion() {
        left.post(WorkOpcode.WRITE, 0, BYTES, right, Node.MEMORY_BYTES - BYTES + 1);
        byte[] stream = left.output();
        inputPart(right, stream, 0, stream.length - 1);
        assertThat(right.engine.failure()).isNull();
        inputPart(right, stream, stream.length - 1, stream.length);
        assertThat(right.engine.failure()).isEqualTo(TerminateReason.DDP_BOUNDS);
        byte[] all = new byte[Node.MEMORY_BYTES];
        right.bytes().get(all);
        assertThat(all).containsOnly(0);
    }

    @Test
    void shouldDropTheRest_whenStreamEndsWhileRegionIsFilled() {
        left.post(WorkOpcode.WRITE, 0, BYTES, right, 0);
        byte[] stream = left.output();
        inputPart(right, stream, 0, PART);
        right.engine.disconnect();
        byte[] before = memory(right);
        inputPart(right, stream, PART, stream.length);
        assertThat(memory(right)).isEqualTo(before);
    }

    /** Long segments that are wrong wait until they are whole, like short ones; nothing of them is placed. */
    @ParameterizedTest
    @CsvSource({
        "0xC1, 0x4C, RDMAP_UNEXPECTED_OPCODE",
        "0xC1, 0x43, RDMAP_UNEXPECTED_OPCODE",
        "0xC1, 0x00, RDMAP_VERSION",
        "0xC2, 0x40, DDP_TAGGED_VERSION",
        "0xC1, 0x42, RDMAP_UNEXPECTED_OPCODE"
    })
    void shouldPlaceNothingAndReport_whenLongSegmentIsOfAnotherKind(int ddp, int rdmap, TerminateReason reason) {
        left.post(WorkOpcode.WRITE, 0, BYTES, right, 0);
        byte[] stream = left.output();
        stream[2] = (byte) ddp;
        stream[3] = (byte) rdmap;
        inputPart(right, stream, 0, stream.length - 1);
        assertThat(right.engine.failure()).isNull();
        assertThat(right.engine.spaces()[0].remaining())
                .as("into the decoder's buffer")
                .isPositive();
        assertThat(right.engine.spaceCount()).isEqualTo(1);
        inputPart(right, stream, stream.length - 1, stream.length);
        assertThat(right.engine.failure()).isEqualTo(reason);
        assertThat(memory(right)).containsOnly(0);
    }

    @Test
    void shouldDeliverWhole_whenLongSegmentIsUntagged() {
        right.receive(1, 0, BYTES);
        left.post(WorkOpcode.SEND, 0, BYTES, right, 0);
        byte[] stream = left.output();
        inputPart(right, stream, 0, PART);
        assertThat(memory(right)).containsOnly(0);
        inputPart(right, stream, PART, stream.length);
        assertThat(placed(right)).isEqualTo(BYTES);
        assertThat(right.received).singleElement().matches(done -> done.bytes() == BYTES);
    }

    /** Starts a read of ours into such a sink, and returns what the peer answers. */
    private byte[] answerTo(MemoryRegion sink, int... lengths) {
        left.post(WorkOpcode.WRITE, 0, 0, right, 0);
        right.input(left.output());
        SendWork work = right.prepare(WorkOpcode.READ, 0, 0, left, 0);
        long at = sink.address();
        for (int length : lengths) {
            work.scatter().add(at, length, sink.stag());
            at += length;
        }
        right.engine.sends().commit();
        left.input(right.output());
        return left.output();
    }

    @Test
    void shouldPlaceWhole_whenSinkIsInTwoPieces() {
        byte[] stream = answerTo(right.region, PART, BYTES - PART);
        inputPart(right, stream, 0, PART);
        assertThat(memory(right)).containsOnly(0);
        inputPart(right, stream, PART, stream.length);
        assertThat(placed(right)).isEqualTo(BYTES);
        assertThat(right.sent).singleElement().matches(done -> done.status() == WorkStatus.SUCCESS);
        assertThat(right.table.deregister(right.region)).isTrue();
    }

    /** Our own region went, not one that the peer named: it is told no more than that. */
    @Test
    void shouldReportLocal_whenSinkIsRevokedWhileItIsFilled() {
        byte[] stream = answerTo(right.region, BYTES);
        inputPart(right, stream, 0, PART);
        assertThat(right.table.deregister(right.region)).isTrue();
        inputPart(right, stream, PART, stream.length);
        assertThat(right.engine.failure()).isEqualTo(TerminateReason.RDMAP_LOCAL);
        assertThat(right.sent).singleElement().matches(done -> done.status() == WorkStatus.FATAL);
    }

    /** RFC 5040 section 4.8: the header of the segment that was cut short goes along. */
    @Test
    void shouldCarryHeader_whenRegionIsRevokedWhileItIsFilled() {
        left.post(WorkOpcode.WRITE, 0, BYTES, right, 0);
        byte[] stream = left.output();
        inputPart(right, stream, 0, PART);
        assertThat(right.table.deregister(right.region)).isTrue();
        inputPart(right, stream, PART, stream.length);
        byte[] terminate = right.output();
        assertThat(Arrays.copyOfRange(terminate, 26, 40)).isEqualTo(Arrays.copyOfRange(stream, 2, 16));
    }

    /** RFC 6581 section 9: only the very first message says ready-to-receive. */
    @Test
    void shouldWantReceive_whenEmptySendFollowsLongWrite() {
        Node node =
                new Node(3, new Agreement(false, false, false, false, Set.of(RtrKind.SEND), 8, 8, 0, false), 64_000);
        left.post(WorkOpcode.WRITE, 0, BYTES, node, 0);
        left.post(WorkOpcode.SEND, 0, 0, node, 0);
        byte[] stream = left.output();
        inputPart(node, stream, 0, PART);
        inputPart(node, stream, PART, stream.length);
        assertThat(node.engine.failure()).isEqualTo(TerminateReason.DDP_NO_BUFFER);
    }
}
