package dev.retier.iwarp.rdmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.iwarp.memory.MemoryRegion;
import dev.retier.iwarp.memory.StagTable;
import dev.retier.iwarp.memory.StreamIdentity;
import dev.retier.iwarp.mpa.Agreement;
import dev.retier.iwarp.mpa.FpduDecoder;
import dev.retier.iwarp.mpa.TransmitBatch;
import dev.retier.iwarp.wire.RdmapOpcode;
import dev.retier.iwarp.wire.ReceivedTerminate;
import dev.retier.iwarp.wire.Segment;
import dev.retier.iwarp.wire.TerminateReason;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the engine takes from TCP, what it tells its sinks, and how it ends. */
class StreamEngineTest {
    private static final int BYTES = 50_000;
    private static final Node.Style CRC_OFF = new Node.Style(false, false, 64_000);

    private final Node one = new Node(1, true, Node.Style.STANDARD);
    private final Node two = new Node(2, false, Node.Style.STANDARD);

    private static StreamEngine idle(CompletionSink sends) {
        StagTable table = new StagTable(new SplittableRandom(1), 10);
        return new StreamEngine(new StreamConfig(new StreamIdentity(1, 1), 4, 4, 4), table, sends, c -> true);
    }

    private static void finishSend(StreamEngine engine) {
        SendWork work = Objects.requireNonNull(engine.sends().claim());
        work.workId = 1;
        engine.sends().commit();
        engine.fill(new TransmitBatch());
        engine.flushed();
        engine.reap();
    }

    private static StreamEngine started(CompletionSink sends) {
        StreamEngine engine = idle(sends);
        engine.start(new Agreement(true, false, false, false, Set.of(), 8, 8, 0, false), 1442);
        return engine;
    }

    /** The FPDU of a write without CRC. */
    private static byte[] write(Node to, int bytes) {
        Segment header = new Segment().tagged(RdmapOpcode.WRITE, to.region.stag(), to.region.address(), true);
        return Node.fpdu(Node.ulpdu(header, new byte[bytes]));
    }

    @Test
    void shouldHoldNothingAndSayNothing_whenNotStarted() {
        StreamEngine engine = idle(c -> true);
        TransmitBatch batch = new TransmitBatch();
        engine.fill(batch);
        assertThat(batch.isEmpty()).isTrue();
        assertThat(engine.heldBytes()).isZero();
        assertThat(engine.hasReceived()).isFalse();
        assertThat(engine.mayRead()).isTrue();
        assertThat(engine.resume()).isTrue();
        assertThat(engine.remoteTerminate()).isNull();
        engine.closed();
        assertThat(engine.state()).isEqualTo(QpState.ERROR);
    }

    @Test
    void shouldHoldTheDecodersBuffer_whenStarted() {
        assertThat(one.engine.heldBytes()).isEqualTo(FpduDecoder.INITIAL_CAPACITY);
    }

    @Test
    void shouldHaveReceived_whenOneFpduWasValid() {
        one.post(WorkOpcode.WRITE, 0, 0, two, 0);
        byte[] stream = one.output();
        two.input(Arrays.copyOf(stream, stream.length - 1));
        assertThat(two.engine.hasReceived()).isFalse();
        two.input(Arrays.copyOfRange(stream, stream.length - 1, stream.length));
        assertThat(two.engine.hasReceived()).isTrue();
    }

    /** RFC 5044 section 8: the stream ends, and nothing behind the damage is looked at or kept. */
    @Test
    void shouldReportCrcAndDropTheRest_whenByteIsDamaged() {
        one.post(WorkOpcode.WRITE, 0, 8, two, 0);
        byte[] stream = one.output();
        stream[20] ^= 1;
        two.input(stream);
        assertThat(two.engine.failure()).isEqualTo(TerminateReason.MPA_CRC);
        assertThat(two.bytes().getLong(0)).isZero();
        two.input(new byte[64 * 1024]);
        assertThat(two.engine.heldBytes()).isEqualTo(FpduDecoder.INITIAL_CAPACITY);
        one.input(two.output());
        assertThat(one.engine.remoteTerminate()).isEqualTo(ReceivedTerminate.of(0x20020000));
    }

    /** RFC 5044 section 4.1: no ULPDU is longer than 64768 bytes. */
    @Test
    void shouldReportMarkerAndDropTheRest_whenLengthIsImpossible() {
        byte[] bytes = new byte[64 * 1024];
        Arrays.fill(bytes, (byte) 0xFF);
        for (int i = 0; i < 3; i++) {
            two.input(bytes);
        }
        assertThat(two.engine.failure()).isEqualTo(TerminateReason.MPA_MARKER);
        assertThat(two.engine.heldBytes()).isEqualTo(FpduDecoder.INITIAL_CAPACITY);
    }

    @ParameterizedTest
    @CsvSource({"8191,1", "8192,2"})
    void shouldReadIntoRegion_whenEnoughIsMissing(int missing, int spaces) {
        Node node = new Node(2, false, CRC_OFF);
        byte[] stream = write(node, 10_000);
        assertThat(node.engine.spaces()[0].remaining()).isEqualTo(FpduDecoder.INITIAL_CAPACITY);
        node.input(Arrays.copyOf(stream, 2 + 14 + 10_000 - missing));
        ByteBuffer first = node.engine.spaces()[0];
        assertThat(node.engine.spaceCount()).isEqualTo(spaces);
        if (spaces == 2) {
            assertThat(first.remaining()).isEqualTo(missing);
            assertThat(node.engine.spaces()[1].remaining()).isEqualTo(2048);
        }
    }

    /** RFC 5044 section 7.1.2: a write that was placed while it arrived is as good as any other FPDU. */
    @Test
    void shouldSpeak_whenFirstFpduWasPlacedWhileItArrived() {
        Node node = new Node(2, false, CRC_OFF);
        byte[] stream = write(node, BYTES);
        node.post(WorkOpcode.WRITE, 0, 8, node, 0);
        node.input(Arrays.copyOf(stream, 1000));
        assertThat(node.output()).isEmpty();
        node.input(Arrays.copyOfRange(stream, 1000, stream.length));
        assertThat(node.engine.hasReceived()).isTrue();
        assertThat(node.output()).isNotEmpty();
    }

    @Test
    void shouldKeepNothing_whenRegionIsRevokedWhileItIsFilled() {
        Node node = new Node(2, false, CRC_OFF);
        node.input(Arrays.copyOf(write(node, BYTES), 1000));
        assertThat(node.table.deregister(node.region)).isTrue();
        node.input(new byte[64 * 1024]);
        assertThat(node.engine.failure()).isEqualTo(TerminateReason.DDP_INVALID_STAG);
        assertThat(node.engine.heldBytes()).isEqualTo(FpduDecoder.INITIAL_CAPACITY);
    }

    @ParameterizedTest
    @CsvSource({"false,false,0", "true,false,1", "false,true,1"})
    void shouldReportSuccess_whenWorkOrQueueAsksForIt(boolean signaled, boolean all, int reports) {
        if (all) {
            one.engine.signalAll();
        }
        SendWork work = one.prepare(WorkOpcode.WRITE, 0, 8, two, 0);
        work.signaled = signaled;
        one.engine.sends().commit();
        one.output();
        assertThat(one.sent).hasSize(reports).allMatch(done -> done.flags().error() == 0);
        assertThat(one.engine.sends().size()).isZero();
    }

    @Test
    void shouldReportFailure_whenNobodyAskedForSuccess() {
        SendWork work = one.prepare(WorkOpcode.READ, 0, 8, two, 0);
        work.signaled = false;
        one.engine.sends().commit();
        one.output();
        one.engine.framingError(TerminateReason.MPA_CRC);
        one.engine.reap();
        assertThat(one.sent)
                .singleElement()
                .matches(done ->
                        done.status() == WorkStatus.FATAL && done.flags().error() == 0x2002);
        assertThat(one.engine.failure()).isEqualTo(TerminateReason.MPA_CRC);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndStream_whenSinkTakesNoMore(boolean takes) {
        StreamEngine engine = started(c -> takes);
        engine.signalAll();
        finishSend(engine);
        assertThat(engine.failure()).isEqualTo(takes ? null : TerminateReason.RDMAP_LOCAL);
    }

    /** RFC 5040 section 5.5: a write that TCP has had is done, though it is behind a read that fails. */
    @Test
    void shouldReportSuccess_whenFinishedWorkIsFlushed() {
        one.post(WorkOpcode.READ, 0, 8, two, 0);
        one.post(WorkOpcode.WRITE, 8, 8, two, 0);
        one.output();
        one.post(WorkOpcode.WRITE, 16, 8, two, 0);
        one.post(WorkOpcode.WRITE, 24, 8, two, 0);
        one.engine.framingError(TerminateReason.MPA_CRC);
        one.engine.reap();
        assertThat(one.sent)
                .extracting(Node.Done::status)
                .containsExactly(WorkStatus.FATAL, WorkStatus.SUCCESS, WorkStatus.FLUSHED, WorkStatus.FLUSHED);
        assertThat(one.sent).extracting(done -> done.flags().error()).containsExactly(0x2002, 0, 0x2002, 0x2002);
    }

    @Test
    void shouldFlushReceives_whenStreamEnds() {
        one.receive(5, 0, 8);
        one.receive(6, 8, 8);
        one.engine.framingError(TerminateReason.MPA_CRC);
        one.engine.reap();
        var flags = new Node.Flags(0, true, 0, 0x2002);
        assertThat(one.received)
                .containsExactly(
                        new Node.Done(5, CompletionKind.RECEIVE, WorkStatus.FLUSHED, 0, flags),
                        new Node.Done(6, CompletionKind.RECEIVE, WorkStatus.FLUSHED, 0, flags));
        assertThat(one.engine.receives().size()).isZero();
    }

    @Test
    void shouldFlushWithoutReason_whenStreamEndsInOrder() {
        one.post(WorkOpcode.READ, 0, 8, two, 0);
        one.engine.disconnect();
        assertThat(one.output()).isEmpty();
        assertThat(one.sent)
                .singleElement()
                .matches(done ->
                        done.status() == WorkStatus.FLUSHED && done.flags().error() == 0);
        one.engine.disconnect();
        assertThat(one.engine.state()).isEqualTo(QpState.CLOSING);
    }

    @Test
    void shouldKeepFirstReason_whenMoreGoesWrong() {
        one.engine.framingError(TerminateReason.MPA_MARKER);
        one.engine.framingError(TerminateReason.MPA_CRC);
        one.take(new Segment().untagged(RdmapOpcode.TERMINATE, 1, 0, true), new byte[4]);
        assertThat(one.engine.failure()).isEqualTo(TerminateReason.MPA_MARKER);
        assertThat(one.engine.remoteTerminate()).isNull();
    }

    /** A long write from memory that cannot be shown to a socket is copied, and leaves whole. */
    @Test
    void shouldCopy_whenMemoryCannotBeLent() {
        Node left = new Node(1, true, CRC_OFF);
        MemoryRegion region = Objects.requireNonNull(
                left.table.register(MemoryRegion.Grant.toDomain(Node.DOMAIN, Node.ALL_RIGHTS), left.memory));
        SendWork work = left.prepare(WorkOpcode.WRITE, 0, 0, two, 0);
        work.scatter().add(region.address(), BYTES, region.stag());
        left.engine.sends().commit();
        assertThat(left.output(100)).hasSize(100);
        assertThat(left.table.deregister(region)).isTrue();
        assertThat(left.output()).hasSizeGreaterThan(BYTES - 100);
    }
}
