package dev.retier.iwarp.rdmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.iwarp.wire.RdmapOpcode;
import dev.retier.iwarp.wire.Segment;
import dev.retier.iwarp.wire.TerminateReason;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Message sequence numbers go round from 0xFFFFFFFF to 0, on each queue for itself (RFC 5041 section 4.3). The
 * counters are set just short of it from outside: a stream gets there after four billion messages.
 */
class MessageNumberTest {
    private static final int MESSAGES = 6;

    private final Node one = new Node(1, true, Node.Style.STANDARD);
    private final Node two = new Node(2, false, Node.Style.STANDARD);

    private static int[] counters(Node node, String part, String name) throws ReflectiveOperationException {
        Object owner = value(node.engine, part);
        return (int[]) value(owner, name);
    }

    private static Object value(Object owner, String name) throws ReflectiveOperationException {
        Field field = owner.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(owner);
    }

    private static void start(Node sender, Node receiver, int queue, int msn) throws ReflectiveOperationException {
        counters(sender, "transmitter", "nextMsn")[queue] = msn;
        counters(receiver, "receiver", "expectedMsn")[queue] = msn;
    }

    @Test
    void shouldDeliverAll_whenSendsGoRound() throws Exception {
        start(one, two, 0, 0xFFFF_FFFD);
        for (int i = 0; i < MESSAGES; i++) {
            two.receive(i, 100 * i, 100);
            one.post(WorkOpcode.SEND, i, 10, two, 0);
        }
        assertThat(Node.settle(one, two, 20)).isTrue();
        assertThat(two.received).hasSize(MESSAGES).extracting(Node.Done::id).containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
        assertThat(counters(one, "transmitter", "nextMsn")[0]).isEqualTo(3);
    }

    @Test
    void shouldAnswerAll_whenReadRequestsGoRound() throws Exception {
        start(one, two, 1, 0xFFFF_FFFD);
        for (int i = 0; i < MESSAGES; i++) {
            one.post(i % 2 == 0 ? WorkOpcode.READ : WorkOpcode.FETCH_ADD, 8 * i, 8, two, 8L * i);
        }
        assertThat(Node.settle(one, two, 20)).isTrue();
        assertThat(one.sent).hasSize(MESSAGES).allMatch(done -> done.status() == WorkStatus.SUCCESS);
        assertThat(counters(one, "transmitter", "nextMsn")[1]).isEqualTo(3);
    }

    @Test
    void shouldComplete_whenAtomicResponsesGoRound() throws Exception {
        start(two, one, 3, 0xFFFF_FFFD);
        for (int i = 0; i < MESSAGES; i++) {
            one.post(WorkOpcode.FETCH_ADD, 8 * i, 8, two, 0);
        }
        assertThat(Node.settle(one, two, 20)).isTrue();
        assertThat(one.sent).hasSize(MESSAGES).allMatch(done -> done.status() == WorkStatus.SUCCESS);
        assertThat(two.bytes().getLong(0)).isEqualTo(MESSAGES);
        assertThat(counters(two, "transmitter", "nextMsn")[3]).isEqualTo(3);
    }

    /** 0xFFFFFFFF is followed by 0, and by nothing else. */
    @ParameterizedTest
    @ValueSource(ints = {1, -1, 2})
    void shouldRefuse_whenNumberAfterTheLastIsNotZero(int msn) throws Exception {
        counters(two, "receiver", "expectedMsn")[0] = 0;
        two.receive(1, 0, 10);
        Segment send = new Segment().untagged(RdmapOpcode.SEND, msn, 0, true);
        ByteBuffer bytes = ByteBuffer.allocate(send.headerLength());
        send.emit(bytes, 0);
        two.engine.receive(bytes, 0, bytes.capacity());
        assertThat(two.engine.failure()).isEqualTo(TerminateReason.DDP_MSN_RANGE);
    }
}
