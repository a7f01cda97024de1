package dev.retier.iwarp.rdmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.testsupport.Seeded;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The rings of the two work queues, whose entries are used again and again. */
class QueuesTest {
    private static final int STEPS = 500;

    private final Set<Object> made = Collections.newSetFromMap(new IdentityHashMap<>());

    @Seeded(tries = 10)
    void shouldReturnSendsInOrderAndMakeNoMoreThanItHolds_whenTheyComeAndGo(SplittableRandom random) {
        int capacity = random.nextInt(1, 6);
        SendQueue queue = new SendQueue(capacity, 1);
        ArrayDeque<SendWork> live = new ArrayDeque<>();
        for (int i = 0; i < STEPS; i++) {
            if (random.nextBoolean()) {
                SendWork work = queue.claim();
                assertThat(work == null).isEqualTo(live.size() == capacity);
                if (work != null) {
                    assertThat(live).doesNotContain(work);
                    made.add(work);
                    live.add(work);
                    queue.commit();
                }
            } else if (!live.isEmpty()) {
                assertThat(queue.retire()).isNull();
                assertThat(queue.next()).isSameAs(live.getFirst());
                queue.sent();
                assertThat(queue.retire()).as("TCP does not have it").isNull();
                queue.handedOver();
                assertThat(queue.retire()).isSameAs(live.removeFirst());
            }
            assertThat(queue.size()).isEqualTo(live.size());
        }
        assertThat(made).hasSizeLessThanOrEqualTo(capacity);
    }

    @Seeded(tries = 10)
    void shouldReturnReceivesInOrderAndMakeNoMoreThanItHolds_whenTheyComeAndGo(SplittableRandom random) {
        int capacity = random.nextInt(1, 6);
        ReceiveQueue queue = new ReceiveQueue(capacity, 1);
        ArrayDeque<ReceiveWork> live = new ArrayDeque<>();
        for (int i = 0; i < STEPS; i++) {
            if (random.nextBoolean()) {
                ReceiveWork work = queue.claim();
                assertThat(work == null).isEqualTo(live.size() == capacity);
                if (work != null) {
                    assertThat(live).doesNotContain(work);
                    made.add(work);
                    live.add(work);
                    queue.commit();
                }
            } else if (!live.isEmpty()) {
                assertThat(queue.first()).isSameAs(live.removeFirst());
                queue.consume();
            }
            assertThat(queue.size()).isEqualTo(live.size());
        }
        assertThat(made).hasSizeLessThanOrEqualTo(capacity);
    }

    @Test
    void shouldClaimTheSameAndEmpty_whenSendWasNotCommitted() {
        SendQueue queue = new SendQueue(4, 1);
        SendWork work = Objects.requireNonNull(queue.claim());
        work.scatter().add(1, 8, 2);
        work.inline(new byte[3], 3);
        work.solicited = true;
        assertThat(queue.claim()).isSameAs(work);
        assertThat(work.totalBytes()).isZero();
        assertThat(work.solicited).isFalse();
        assertThat(queue.next()).isNull();
        assertThat(queue.size()).isZero();
    }

    @Test
    void shouldClaimTheSameAndEmpty_whenReceiveWasNotCommitted() {
        ReceiveQueue queue = new ReceiveQueue(4, 1);
        ReceiveWork work = Objects.requireNonNull(queue.claim());
        work.scatter().add(1, 8, 2);
        assertThat(queue.claim()).isSameAs(work);
        assertThat(work.scatter().totalBytes()).isZero();
        assertThat(queue.first()).isNull();
        assertThat(queue.size()).isZero();
    }

    /** RFC 5040 section 5.5: answers are for the oldest work that awaits one. */
    @Test
    void shouldAwaitOldestAnswer_whenOthersAreBetween() {
        SendQueue queue = new SendQueue(4, 1);
        WorkOpcode[] opcodes = {WorkOpcode.WRITE, WorkOpcode.READ, WorkOpcode.SEND, WorkOpcode.FETCH_ADD};
        SendWork[] works = new SendWork[opcodes.length];
        for (int i = 0; i < opcodes.length; i++) {
            works[i] = Objects.requireNonNull(queue.claim());
            works[i].opcode = opcodes[i];
            queue.commit();
            assertThat(queue.next()).isSameAs(works[i]);
            queue.sent();
        }
        assertThat(queue.claim()).isNull();
        queue.handedOver();
        assertThat(queue.awaiting()).isEqualTo(2);
        assertThat(queue.awaitingAnswer()).isSameAs(works[1]);
        assertThat(queue.retire()).isSameAs(works[0]);
        assertThat(queue.retire()).isNull();
        queue.answered();
        assertThat(queue.awaitingAnswer()).isSameAs(works[3]);
        assertThat(queue.awaiting()).isEqualTo(1);
        queue.answered();
        assertThat(queue.awaitingAnswer()).isNull();
        assertThat(queue.retire()).isSameAs(works[1]);
        assertThat(queue.retire()).isSameAs(works[2]);
        assertThat(queue.retire()).isSameAs(works[3]);
        assertThat(queue.retire()).isNull();
        assertThat(queue.size()).isZero();
    }

    @Test
    void shouldForgetWhatWasUnderWay_whenFlushed() {
        SendQueue queue = new SendQueue(2, 1);
        SendWork work = Objects.requireNonNull(queue.claim());
        work.opcode = WorkOpcode.READ;
        queue.commit();
        queue.sent();
        assertThat(queue.flush()).isSameAs(work);
        assertThat(queue.flush()).isNull();
        assertThat(queue.awaiting()).isZero();
        assertThat(queue.awaitingAnswer()).isNull();
        assertThat(queue.next()).isNull();
    }
}
