package dev.retier.iwarp.rdmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.iwarp.mpa.TransmitBatch;
import dev.retier.iwarp.testbed.Seeds;
import dev.retier.iwarp.wire.AtomicOperands;
import dev.retier.testsupport.Seeded;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Two engines and a byte pipe. */
class StreamPairTest {
    private static final int ROUNDS = 2000;
    private static final Node.Style LARGE = new Node.Style(false, false, 64_000);

    private final Node one = new Node(1, true, Node.Style.STANDARD);
    private final Node two = new Node(2, false, Node.Style.STANDARD);

    /** RFC 5044 section 7.1.2: the responder says nothing before it has received. */
    @Test
    void shouldStaySilent_whenResponderHasReceivedNothing() {
        one.receive(1, 0, 100);
        two.post(WorkOpcode.SEND, 0, 10, one, 0);
        assertThat(two.output()).isEmpty();
        one.post(WorkOpcode.WRITE, 0, 0, two, 0);
        assertThat(Node.settle(one, two, 10)).isTrue();
        assertThat(one.received).singleElement().matches(done -> done.bytes() == 10);
    }

    /** RFC 5040 section 5.5: a fenced Send waits for the answer of an earlier Read. */
    @Test
    void shouldHoldBack_whenWorkIsFencedBehindRead() {
        two.receive(1, 0, 100);
        one.post(WorkOpcode.READ, 0, 50, two, 0);
        SendWork fenced = one.prepare(WorkOpcode.SEND, 100, 10, two, 0);
        fenced.fence = true;
        one.engine.sends().commit();
        byte[] first = one.output();
        assertThat(one.output()).as("nothing more before the answer").isEmpty();
        two.input(first);
        assertThat(two.received).isEmpty();
        assertThat(Node.settle(one, two, 10)).isTrue();
        assertThat(two.received).hasSize(1);
        assertThat(one.sent).extracting(Node.Done::kind).containsExactly(CompletionKind.RDMA_READ, CompletionKind.SEND);
    }

    /** RFC 5040 section 5.5: completions come in the order of posting, though a Write is done before a Read. */
    @Test
    void shouldCompleteInOrder_whenWriteOvertakesRead() {
        one.post(WorkOpcode.READ, 0, 50, two, 0);
        one.post(WorkOpcode.WRITE, 100, 10, two, 1000);
        two.input(one.output());
        assertThat(one.sent).isEmpty();
        one.input(two.output());
        assertThat(one.sent)
                .extracting(Node.Done::kind)
                .containsExactly(CompletionKind.RDMA_READ, CompletionKind.RDMA_WRITE);
    }

    /** RFC 5040 section 5.1: never more Reads under way than the ORD; the others follow. */
    @Test
    void shouldKeepToOrd_whenManyReadsArePosted() {
        for (int i = 0; i < 30; i++) {
            one.post(WorkOpcode.READ, i * 8, 8, two, i * 8L);
        }
        two.input(one.output());
        assertThat(two.engine.state()).isEqualTo(QpState.RTS);
        assertThat(Node.settle(one, two, 20)).isTrue();
        assertThat(one.sent).hasSize(30).allMatch(done -> done.status() == WorkStatus.SUCCESS);
    }

    /** RFC 7306 section 5.1: fields of a masked fetch-add do not carry into each other. */
    @Test
    void shouldNotCarry_whenFetchAddHasFields() {
        two.bytes().putLong(0, 0x00000001_FFFFFFFFL);
        SendWork work = one.prepare(WorkOpcode.FETCH_ADD, 0, 8, two, 0);
        work.operands = new AtomicOperands(0x00000001_00000001L, 0x80000000_80000000L, 0, -1);
        one.engine.sends().commit();
        assertThat(Node.settle(one, two, 10)).isTrue();
        assertThat(two.bytes().getLong(0)).isEqualTo(0x00000002_00000000L);
        assertThat(one.bytes().getLong(0)).isEqualTo(0x00000001_FFFFFFFFL);
    }

    /** RFC 7306 section 5.1: only the masked bits are compared, only the masked bits are swapped. */
    @Test
    void shouldTouchMaskedBitsOnly_whenCompareAndSwapIsMasked() {
        two.bytes().putLong(8, 0xAAAA_BBBB_CCCC_DDDDL);
        SendWork work = one.prepare(WorkOpcode.COMPARE_SWAP, 0, 8, two, 8);
        work.operands = new AtomicOperands(0x1111_2222_3333_4444L, 0xFFFF, 0xBBBBL << 32, 0xFFFFL << 32);
        one.engine.sends().commit();
        assertThat(Node.settle(one, two, 10)).isTrue();
        assertThat(two.bytes().getLong(8)).isEqualTo(0xAAAA_BBBB_CCCC_4444L);
    }

    /** RFC 7306 section 5.1: the requester learns the old value whether it was the expected one or not. */
    @Test
    void shouldSwapNothing_whenCompareFails() {
        two.bytes().putLong(8, 5);
        SendWork work = one.prepare(WorkOpcode.COMPARE_SWAP, 0, 8, two, 8);
        work.operands = AtomicOperands.compareAndSwap(4, 6);
        one.engine.sends().commit();
        assertThat(Node.settle(one, two, 10)).isTrue();
        assertThat(two.bytes().getLong(8)).isEqualTo(5);
        assertThat(one.bytes().getLong(0)).isEqualTo(5);
        assertThat(one.sent).singleElement().matches(done -> done.status() == WorkStatus.SUCCESS);
    }

    /** Reads, writes, sends and atomics at random, over any segmentation, with and without CRC and markers. */
    @Seeded(tries = 60)
    void shouldMoveEveryByte_whenWorkAndSegmentationAreRandom(SplittableRandom random) {
        boolean large = random.nextBoolean();
        int mulpdu = random.nextInt(128, large ? 40_000 : 5000);
        Node.Style style = new Node.Style(random.nextBoolean(), random.nextInt(3) == 0, mulpdu);
        Node left = new Node(1, true, style);
        Node right = new Node(2, false, style);
        fill(left, random);
        fill(right, random);
        RandomWork work = new RandomWork(left, right, large ? 25_000 : 6000, random);
        for (int i = 0; i < 40; i++) {
            work.post();
        }
        List<byte[]> queue = new ArrayList<>();
        for (int i = 0; i < ROUNDS && !work.finished(); i++) {
            Seeds.split(left.output(room(random)), random, queue);
            queue.forEach(right::input);
            queue.clear();
            Seeds.split(right.output(room(random)), random, queue);
            queue.forEach(left::input);
            queue.clear();
        }
        work.verify();
    }

    /** What TCP takes in one call. */
    private static int room(SplittableRandom random) {
        return random.nextBoolean() ? Integer.MAX_VALUE : random.nextInt(100_000);
    }

    /** RFC 5040 section 5.5: a Write is complete once TCP has it, not before. */
    @Test
    void shouldCompleteWrite_whenTcpHasItsLastByte() {
        Node left = new Node(1, true, LARGE);
        Node right = new Node(2, false, LARGE);
        left.post(WorkOpcode.WRITE, 0, 50_000, right, 0);
        right.input(left.output(49_999));
        assertThat(left.sent).isEmpty();
        right.input(left.output());
        assertThat(left.sent).singleElement().matches(done -> done.status() == WorkStatus.SUCCESS);
    }

    /** RFC 5042 section 6.2.3: a peer that takes nothing from TCP cannot hold up a revocation. */
    @Test
    void shouldRevokeAtOnceAndBreak_whenTcpIsStuckInTheMiddle() {
        Node left = new Node(1, true, LARGE);
        Node right = new Node(2, false, LARGE);
        left.post(WorkOpcode.WRITE, 0, 50_000, right, 0);
        left.output(10_000);
        assertThat(left.table.deregister(left.region)).isTrue();
        assertThat(left.output()).as("no byte of memory that is no longer ours").isEmpty();
        assertThat(left.sent).singleElement().matches(done -> done.status() != WorkStatus.SUCCESS);
    }

    /** A connection that breaks gives back what its unsent bytes referred to. */
    @Test
    void shouldFreeMemory_whenConnectionBreaksWithWorkUnsent() {
        Node left = new Node(1, true, LARGE);
        Node right = new Node(2, false, LARGE);
        left.post(WorkOpcode.WRITE, 0, 50_000, right, 0);
        left.engine.fill(new TransmitBatch());
        left.engine.closed();
        assertThat(left.table.deregister(left.region))
                .as("waits for ever if it is still in use")
                .isTrue();
    }

    /** Anybody may change memory while the peer reads it: what was read is undefined, but the stream goes on. */
    @Test
    void shouldKeepCrcGood_whenMemoryChangesWhileItIsRead() {
        Node left = new Node(1, true, new Node.Style(true, false, 64_000));
        Node right = new Node(2, false, new Node.Style(true, false, 64_000));
        left.post(WorkOpcode.READ, 0, 50_000, right, 0);
        right.input(left.output());
        byte[] first = right.output(1000);
        right.bytes().putLong(30_000, 0x0102030405060708L);
        left.input(first);
        left.input(right.output());
        assertThat(left.engine.failure()).isNull();
        assertThat(left.sent).singleElement().matches(done -> done.status() == WorkStatus.SUCCESS);
    }

    private static void fill(Node node, SplittableRandom random) {
        byte[] bytes = new byte[Node.MEMORY_BYTES];
        random.nextBytes(bytes);
        node.bytes().put(bytes);
    }
}
