package dev.retier.iwarp.rdmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.iwarp.memory.MemoryRegion;
import dev.retier.iwarp.mpa.Fpdu;
import dev.retier.iwarp.wire.Hex;
import dev.retier.iwarp.wire.RdmapOpcode;
import dev.retier.iwarp.wire.ReadRequestHeader;
import dev.retier.iwarp.wire.Segment;
import dev.retier.iwarp.wire.TerminateReason;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How work and responses become segments, and what happens when their memory goes meanwhile. */
class TransmitterTest {
    private static final int BYTES = 300;
    private static final int REFERRED = 8192;
    private static final Node.Style SMALL = new Node.Style(true, false, 128);
    private static final Node.Style LARGE = new Node.Style(false, false, 64_000);

    private final Node one = new Node(1, true, SMALL);
    private final Node two = new Node(2, false, SMALL);

    /** The lengths of the ULPDUs of a stream without markers. */
    private static List<Integer> lengths(byte[] stream) {
        List<Integer> lengths = new ArrayList<>();
        for (int at = 0; at < stream.length; at += Fpdu.totalLength(lengths.getLast())) {
            lengths.add((int) ByteBuffer.wrap(stream).getShort(at));
        }
        return lengths;
    }

    private static byte[] pattern(Node node) {
        byte[] pattern = new byte[BYTES];
        new SplittableRandom(5).nextBytes(pattern);
        node.bytes().put(pattern);
        return pattern;
    }

    private static byte[] memory(Node node, int at) {
        byte[] bytes = new byte[BYTES];
        node.bytes().get(at, bytes);
        return bytes;
    }

    private void readRequest(Node node, MemoryRegion region, int size) {
        ByteBuffer body = ByteBuffer.allocate(ReadRequestHeader.LENGTH);
        new ReadRequestHeader(0x11, 0x22, size, region.stag(), region.address()).emit(body, 0);
        node.take(new Segment().untagged(RdmapOpcode.READ_REQUEST, 1, 0, true), body.array());
        assertThat(node.engine.failure()).isNull();
    }

    private void atomicRequest(MemoryRegion region) {
        ByteBuffer body = ByteBuffer.allocate(52);
        body.putInt(8, region.stag()).putLong(12, region.address()).putLong(20, 5);
        two.take(new Segment().untagged(RdmapOpcode.ATOMIC_REQUEST, 1, 0, true), body.array());
        assertThat(two.engine.failure()).isNull();
    }

    /** RFC 5041 section 5.2: no segment is longer than the lower layer takes, and all but the last are as long. */
    @Test
    void shouldFillEverySegment_whenSendIsLong() {
        byte[] pattern = pattern(one);
        two.receive(1, 1000, BYTES);
        one.post(WorkOpcode.SEND, 0, BYTES, two, 0);
        byte[] stream = one.output();
        assertThat(lengths(stream)).containsExactly(128, 128, 18 + 80);
        two.input(stream);
        assertThat(two.received).singleElement().matches(done -> done.bytes() == BYTES);
        assertThat(memory(two, 1000)).isEqualTo(pattern);
    }

    @Test
    void shouldFillEverySegment_whenWriteIsLong() {
        byte[] pattern = pattern(one);
        one.post(WorkOpcode.WRITE, 0, BYTES, two, 1000);
        byte[] stream = one.output();
        assertThat(lengths(stream)).containsExactly(128, 128, 14 + 72);
        two.input(stream);
        assertThat(memory(two, 1000)).isEqualTo(pattern);
    }

    @Test
    void shouldFillEverySegment_whenReadResponseIsLong() {
        byte[] pattern = pattern(two);
        one.post(WorkOpcode.READ, 1000, BYTES, two, 0);
        two.input(one.output());
        byte[] stream = two.output();
        assertThat(lengths(stream)).containsExactly(128, 128, 14 + 72);
        one.input(stream);
        assertThat(memory(one, 1000)).isEqualTo(pattern);
        assertThat(one.sent).singleElement().matches(done -> done.bytes() == BYTES);
    }

    @ParameterizedTest
    @EnumSource(
            value = WorkOpcode.class,
            names = {"SEND", "WRITE"})
    void shouldSendTheCopy_whenWorkIsInline(WorkOpcode opcode) {
        byte[] pattern = pattern(one);
        two.receive(1, 1000, BYTES);
        SendWork work = one.prepare(opcode, 0, 0, two, 1000);
        work.inline(pattern, BYTES);
        one.engine.sends().commit();
        one.bytes().put(new byte[BYTES]);
        assertThat(Node.settle(one, two, 10)).isTrue();
        assertThat(memory(two, 1000)).isEqualTo(pattern);
        assertThat(one.sent).singleElement().matches(done -> done.bytes() == BYTES);
    }

    /** RFC 5040 section 4.3, figure 4: four opcodes for a Send. */
    @ParameterizedTest
    @CsvSource({"false,false,43", "false,true,44", "true,false,45", "true,true,46"})
    void shouldChooseOpcode_whenSendIsSolicitedOrInvalidates(boolean solicited, boolean invalidates, String control) {
        var grant = new MemoryRegion.Grant(Node.DOMAIN, 2, Node.ALL_RIGHTS);
        MemoryRegion own = Objects.requireNonNull(two.table.register(grant, two.memory));
        int stag = invalidates ? own.stag() : 0;
        two.receive(1, 0, 8);
        SendWork work = one.prepare(WorkOpcode.SEND, 0, 8, two, 0);
        work.solicited = solicited;
        work.invalidateStag = stag;
        one.engine.sends().commit();
        byte[] stream = one.output();
        assertThat(Hex.of(stream)).startsWith("001a" + "41" + control);
        two.input(stream);
        assertThat(two.received)
                .singleElement()
                .matches(done ->
                        done.flags().solicited() == solicited && done.flags().invalidated() == stag);
        assertThat(own.revoked()).isEqualTo(invalidates);
    }

    /** RFC 7306 section 6: the Immediate behind a Write, here with the Write's length. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldDeliverImmediate_whenWriteCarriesOne(boolean solicited) {
        two.receive(4, 0, 0);
        SendWork work = one.prepare(WorkOpcode.WRITE_IMMEDIATE, 0, BYTES, two, 0);
        work.immediate = 0x01020304;
        work.solicited = solicited;
        one.engine.sends().commit();
        assertThat(Node.settle(one, two, 10)).isTrue();
        assertThat(two.received)
                .containsExactly(new Node.Done(
                        4,
                        CompletionKind.RECEIVE_IMMEDIATE,
                        WorkStatus.SUCCESS,
                        BYTES,
                        new Node.Flags(0x01020304, solicited, 0, 0)));
    }

    /** The write's bytes never pass through the receiver's buffer, but they are counted. */
    @Test
    void shouldTellLengthOfWrite_whenItWasPlacedWhileItArrived() {
        Node left = new Node(1, true, LARGE);
        Node right = new Node(2, false, LARGE);
        right.receive(4, 0, 0);
        left.post(WorkOpcode.WRITE_IMMEDIATE, 0, 50_000, right, 0);
        byte[] stream = left.output();
        right.input(Arrays.copyOfRange(stream, 0, 100));
        right.input(Arrays.copyOfRange(stream, 100, stream.length));
        assertThat(right.received).singleElement().matches(done -> done.bytes() == 50_000);
    }

    @ParameterizedTest
    @EnumSource(WorkOpcode.class)
    void shouldFailWorkAndSendTerminateOnly_whenItsRegionIsRevoked(WorkOpcode opcode) {
        one.post(opcode, 0, 8, two, 0);
        one.post(WorkOpcode.WRITE, 8, 8, two, 0);
        assertThat(one.table.deregister(one.region)).isTrue();
        assertThat(Hex.of(one.output())).startsWith("0016" + "4147").hasSize(2 * (2 + 18 + 4 + 4));
        assertThat(one.engine.failure()).isEqualTo(TerminateReason.RDMAP_LOCAL);
        one.engine.reap();
        assertThat(one.sent)
                .extracting(Node.Done::status)
                .containsExactly(WorkStatus.LOCAL_PROTECTION, WorkStatus.FLUSHED);
    }

    @ParameterizedTest
    @EnumSource(
            value = WorkOpcode.class,
            names = {"READ", "FETCH_ADD", "COMPARE_SWAP"})
    void shouldFailWork_whenItsAnswerMayNotBeWritten(WorkOpcode opcode) {
        MemoryRegion readOnly = one.register(4);
        SendWork work = one.prepare(opcode, 0, 0, two, 0);
        work.scatter().add(readOnly.address(), 8, readOnly.stag());
        one.engine.sends().commit();
        assertThat(Hex.of(one.output())).startsWith("00164147");
        assertThat(one.sent).singleElement().matches(done -> done.status() == WorkStatus.LOCAL_PROTECTION);
    }

    @Test
    void shouldReportStag_whenSourceIsRevokedBeforeResponse() {
        readRequest(two, two.region, 8);
        assertThat(two.table.deregister(two.region)).isTrue();
        two.output();
        assertThat(two.engine.failure()).isEqualTo(TerminateReason.RDMAP_INVALID_STAG);
    }

    /** RFC 5040 section 4.8: the Terminate's Read Request names what is left of the read. */
    @Test
    void shouldReportProgress_whenSourceIsRevokedWithinResponse() {
        long source = two.region.address();
        readRequest(two, two.region, 10_000);
        byte[] part = two.output();
        int sent = 64 * 114;
        assertThat(part).as("64 segments").hasSize(64 * (2 + 128 + 2 + 4));
        assertThat(two.table.deregister(two.region)).isTrue();
        ByteBuffer terminate = ByteBuffer.wrap(two.output());
        assertThat(terminate.getInt(20)).as("stag, with all headers").isEqualTo(0x0100_E000);
        assertThat(terminate.getShort(24)).isEqualTo((short) 46);
        ReadRequestHeader left = ReadRequestHeader.parse(terminate, 26 + 18);
        assertThat(left)
                .isEqualTo(new ReadRequestHeader(0x11, 0x22 + sent, 10_000 - sent, two.region.stag(), source + sent));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldReportStagAndChangeNothing_whenAtomicsRegionIsRevokedBeforeIt(boolean forgotten) {
        atomicRequest(two.region);
        assertThat(forgotten ? two.table.deregister(two.region) : two.region.revoke())
                .isTrue();
        ByteBuffer terminate = ByteBuffer.wrap(two.output());
        assertThat(terminate.getInt(20)).as("no read header").isEqualTo(0x0100_C000);
        assertThat(two.engine.failure()).isEqualTo(TerminateReason.RDMAP_INVALID_STAG);
        assertThat(two.bytes().getLong(0)).isZero();
    }

    @Test
    void shouldFreeRegion_whenAtomicIsDone() {
        atomicRequest(two.region);
        assertThat(two.output()).isNotEmpty();
        assertThat(two.bytes().getLong(0)).isEqualTo(5);
        assertThat(two.table.deregister(two.region)).isTrue();
    }

    @Test
    void shouldStopAfter64Segments_whenThereAreMore() {
        one.post(WorkOpcode.WRITE, 0, 114 * 65, two, 0);
        assertThat(lengths(one.output())).hasSize(64);
        assertThat(lengths(one.output())).hasSize(1);
        assertThat(one.output()).isEmpty();
    }

    private static void postInFour(Node from, Node to) {
        SendWork work = from.prepare(WorkOpcode.WRITE, 0, 0, to, 0);
        for (int i = 0; i < 4; i++) {
            work.scatter().add(from.region.address() + 4096L * i, REFERRED / 4, from.region.stag());
        }
        from.engine.sends().commit();
    }

    /** A batch refers to 64 pieces of memory, and those of the segment that gets it there. */
    @Test
    void shouldWaitForTcp_whenBatchRefersToManyPieces() {
        Node left = new Node(1, true, LARGE);
        Node right = new Node(2, false, LARGE);
        for (int i = 0; i < 20; i++) {
            postInFour(left, right);
        }
        assertThat(lengths(left.output())).hasSize(17);
        assertThat(lengths(left.output())).hasSize(3);
        assertThat(left.sent).hasSize(20).allMatch(done -> done.status() == WorkStatus.SUCCESS);
        assertThat(left.table.deregister(left.region)).isTrue();
    }

    /** From 4 KiB on payload is not copied, so that a revocation cuts it off. */
    @ParameterizedTest
    @CsvSource({"4095,true", "4096,false"})
    void shouldCopyOrRefer_whenPayloadIsShortOrLong(int bytes, boolean copied) {
        Node left = new Node(1, true, LARGE);
        left.post(WorkOpcode.WRITE, 0, bytes, left, 0);
        assertThat(left.output(100)).hasSize(100);
        assertThat(left.table.deregister(left.region)).isTrue();
        assertThat(left.output().length > 0).isEqualTo(copied);
    }

    @Test
    void shouldNeedNoMemoryOfItsOwn_whenPayloadIsReferredTo() {
        Node left = new Node(1, true, LARGE);
        int held = left.heldBytes();
        left.post(WorkOpcode.WRITE, 0, 50_000, left, 0);
        assertThat(left.output()).hasSize(Fpdu.totalLength(14 + 50_000));
        assertThat(left.heldBytes()).isEqualTo(held);
    }

    @Test
    void shouldFreeMemory_whenBatchIsWritten() {
        Node left = new Node(1, true, LARGE);
        left.post(WorkOpcode.WRITE, 0, 50_000, left, 0);
        left.output();
        assertThat(left.table.deregister(left.region)).isTrue();
        assertThat(left.engine.resume()).isTrue();
    }

    @Test
    void shouldFreeMemory_whenConnectionBreaksAfterResume() {
        Node left = new Node(1, true, LARGE);
        left.post(WorkOpcode.WRITE, 0, 50_000, left, 0);
        left.output(10_000);
        assertThat(left.engine.resume()).isTrue();
        left.engine.closed();
        left.engine.closed();
        assertThat(left.table.deregister(left.region)).isTrue();
    }

    @Test
    void shouldFreeMemory_whenConnectionBreaksWhileTcpIsStuck() {
        Node left = new Node(1, true, LARGE);
        left.post(WorkOpcode.WRITE, 0, 50_000, left, 0);
        left.output(10_000);
        left.engine.closed();
        assertThat(left.table.deregister(left.region)).isTrue();
    }
}
