package dev.retier.fabric.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.testsupport.Seeded;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CallsTest {
    private static final int UNDER_WAY = 3;
    private static final int WAITING = 5;

    private final Calls<String> calls = new Calls<>(UNDER_WAY, WAITING, new PriorityGate(1, 0));

    @Test
    void shouldSendUrgentFirstAndHoldTheRest_whenMoreAreMadeThanMayBeUnderWay() {
        begin("low", Priority.LOW, 1000);
        for (String name : List.of("a", "b", "c", "d")) {
            begin(name, Priority.HIGH, 1000);
        }

        assertThat(send(0)).containsExactly("a", "b", "c");
        assertThat(calls.begin(request("e", Priority.HIGH, 1000), "e")).isTrue();
        assertThat(calls.underWay()).isEqualTo(UNDER_WAY);
    }

    @Test
    void shouldRefuse_whenTooManyWait() {
        for (int i = 0; i < WAITING; i++) {
            begin("call " + i, Priority.HIGH, 1000);
        }

        assertThat(calls.begin(request("one more", Priority.HIGH, 1000), "one more"))
                .isFalse();
    }

    @Test
    void shouldRefuse_whenTooManyOfBothPrioritiesWait() {
        begin("a", Priority.HIGH, 1000);
        begin("b", Priority.LOW, 1000);
        begin("c", Priority.HIGH, 1000);
        begin("d", Priority.LOW, 1000);
        begin("e", Priority.HIGH, 1000);

        assertThat(calls.begin(request("one more", Priority.LOW, 1000), "one more"))
                .isFalse();
    }

    @Test
    void shouldFreeTheGate_whenAnUrgentCallEndsInAnyWay() throws ProtocolError {
        begin("late", Priority.HIGH, 10);
        assertThat(calls.next(10)).isEmpty();
        calls.expire(10);
        begin("answered", Priority.HIGH, 1000);
        send(20);
        calls.answered(answer(1), 30);
        begin("lost", Priority.HIGH, 1000);
        send(40);
        assertThat(calls.lose(50)).containsExactly(new Calls.Ended<>("lost", 2));

        begin("low", Priority.LOW, 1000);
        begin("other low", Priority.LOW, 1000);
        assertThat(send(60)).containsExactly("low", "other low");
    }

    @Test
    void shouldFreeTheGate_whenACallOfLowPriorityEndsInAnyWay() throws ProtocolError {
        begin("late", Priority.LOW, 10);
        assertThat(calls.next(10)).isEmpty();
        calls.expire(10);
        begin("answered", Priority.LOW, 1000);
        send(20);
        calls.answered(answer(1), 30);
        begin("lost", Priority.LOW, 1000);
        send(40);
        calls.lose(50);

        begin("urgent", Priority.HIGH, 1000);
        begin("low", Priority.LOW, 1000);
        assertThat(send(60)).containsExactly("urgent", "low");
    }

    @Test
    void shouldExpireAtItsDeadlineOnly_whenOthersHaveLonger() {
        begin("soon", Priority.HIGH, 10);
        begin("later", Priority.HIGH, 11);

        assertThat(calls.expire(9)).isEmpty();
        assertThat(calls.expire(10)).containsExactly(new Calls.Ended<>("soon", 0));
        assertThat(send(10)).containsExactly("later");
    }

    @Test
    void shouldNotSendACall_whenItsCallerHasGivenItUp() {
        begin("urgent", Priority.HIGH, 1000);
        begin("low", Priority.LOW, 1000);
        calls.cancel("urgent");
        calls.cancel("low");

        assertThat(send(0)).isEmpty();
        assertThat(calls.underWay()).isZero();
    }

    @Test
    void shouldNameTheEarliestDeadline_whenSomeAreSentAndSomeGivenUp() {
        assertThat(calls.earliestDeadlineNanos()).isEmpty();

        begin("sent", Priority.HIGH, 200);
        send(0);
        begin("soonest", Priority.HIGH, 100);
        begin("low", Priority.LOW, 300);
        assertThat(calls.earliestDeadlineNanos()).hasValue(100);
        calls.cancel("soonest");
        assertThat(calls.earliestDeadlineNanos()).hasValue(200);
    }

    @Test
    void shouldNameTheEarliestDeadline_whenTheClockTurnsOver() {
        begin("before", Priority.HIGH, Long.MAX_VALUE);
        begin("after", Priority.HIGH, Long.MIN_VALUE + 5);

        assertThat(calls.earliestDeadlineNanos()).hasValue(Long.MAX_VALUE);
    }

    @Test
    void shouldHoldBackByTheGateOnly_whenCallsOfLowPriorityWait() {
        assertThat(calls.isHoldingBack()).as("nothing waits").isFalse();
        begin("urgent", Priority.HIGH, 1000);
        assertThat(calls.isHoldingBack()).as("only an urgent one waits").isFalse();
        begin("low", Priority.LOW, 1000);
        begin("other low", Priority.LOW, 1000);
        assertThat(calls.isHoldingBack()).as("an urgent one waits, too").isFalse();

        assertThat(send(0)).containsExactly("urgent", "low");
        assertThat(calls.isHoldingBack()).as("low ones wait").isTrue();
        begin("last", Priority.HIGH, 1000);
        assertThat(send(0)).containsExactly("last");
        assertThat(calls.isHoldingBack()).as("no more may be under way").isFalse();
    }

    @Test
    void shouldTellThePeerHowLongItMayWait_whenTheDeadlineIsNearOrFar() {
        begin("near", Priority.HIGH, 101);
        begin("later", Priority.HIGH, 5_999 + 100);
        begin("far", Priority.HIGH, Long.MAX_VALUE);

        assertThat(calls.next(100).orElseThrow().budgetMicros()).isEqualTo(1);
        assertThat(calls.next(100).orElseThrow().budgetMicros()).isEqualTo(5);
        assertThat(calls.next(100).orElseThrow().budgetMicros()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void shouldKeepThePlaceOfACall_whenItsCallerHasGivenUp() throws ProtocolError {
        begin("slow", Priority.HIGH, 10);
        send(0);

        assertThat(calls.expire(10)).containsExactly(new Calls.Ended<>("slow", 1));
        assertThat(calls.underWay()).isEqualTo(1);
        assertThat(calls.answered(answer(1), 0)).isEmpty();
        assertThat(calls.underWay()).isZero();
    }

    @Test
    void shouldNeverSend_whenTheDeadlineHasPassed() {
        begin("late", Priority.HIGH, 10);

        assertThat(calls.next(10)).isEmpty();
        assertThat(calls.expire(10)).containsExactly(new Calls.Ended<>("late", 0));
    }

    @Test
    void shouldSayWhetherThePeerKnows_whenCancelled() {
        begin("sent", Priority.HIGH, 1000);
        send(0);
        begin("waiting", Priority.HIGH, 1000);

        assertThat(calls.cancel("sent")).contains(new Calls.Ended<>("sent", 1));
        assertThat(calls.cancel("waiting")).contains(new Calls.Ended<>("waiting", 0));
        assertThat(calls.cancel("waiting")).isEmpty();
        assertThat(calls.lose(0)).isEmpty();
    }

    @Test
    void shouldRefuse_whenAnAnswerIsToNoCall() {
        begin("unsent", Priority.HIGH, 1000);

        assertThatThrownBy(() -> calls.answered(answer(1), 0)).isInstanceOf(ProtocolError.class);
        assertThatThrownBy(() -> calls.answered(answer(99), 0)).isInstanceOf(ProtocolError.class);
    }

    /** Every call ends exactly once, and as sent exactly if it was. */
    @Seeded(tries = 300)
    void shouldEndEachCallOnce_whenAnythingHappens(SplittableRandom random) throws ProtocolError {
        Map<String, Integer> ends = new HashMap<>();
        Set<String> sent = new HashSet<>();
        Deque<Long> toAnswer = new ArrayDeque<>();
        Set<String> begun = new HashSet<>();
        long lastNumber = 0;
        for (long now = 0; now < 400; now++) {
            String name = "call " + now;
            if (random.nextInt(2) == 0) {
                Priority priority = random.nextInt(3) == 0 ? Priority.LOW : Priority.HIGH;
                if (calls.begin(request(name, priority, now + random.nextInt(60)), name)) {
                    begun.add(name);
                }
            }
            Optional<Message> next = calls.next(now);
            if (next.isPresent()) {
                assertThat(next.get().call()).isGreaterThan(lastNumber);
                lastNumber = next.get().call();
                sent.add(name(next.get()));
                toAnswer.add(lastNumber);
            }
            if (random.nextInt(3) == 0 && !toAnswer.isEmpty()) {
                long number = random.nextBoolean() ? toAnswer.removeFirst() : toAnswer.removeLast();
                calls.answered(answer(number), now).ifPresent(owner -> ends.merge(owner, 1, Integer::sum));
            }
            String chosen = "call " + random.nextInt(400);
            if (random.nextInt(5) == 0 && calls.cancel(chosen).isPresent()) {
                ends.merge(chosen, 1, Integer::sum);
            }
            for (Calls.Ended<String> ended : calls.expire(now)) {
                assertThat(ended.sent()).isEqualTo(sent.contains(ended.owner()));
                ends.merge(ended.owner(), 1, Integer::sum);
            }
            assertThat(calls.underWay()).isLessThanOrEqualTo(UNDER_WAY);
        }
        calls.lose(0).forEach(ended -> ends.merge(ended.owner(), 1, Integer::sum));

        assertThat(ends.keySet()).containsExactlyInAnyOrderElementsOf(begun);
        assertThat(ends.values()).allMatch(count -> count == 1);
        assertThat(calls.underWay()).isZero();
    }

    private void begin(String name, Priority priority, long deadline) {
        assertThat(calls.begin(request(name, priority, deadline), name)).isTrue();
    }

    private static Calls.Request request(String name, Priority priority, long deadline) {
        return new Calls.Request(Kind.CALL, 1, priority, name.getBytes(StandardCharsets.UTF_8), deadline);
    }

    private List<String> send(long now) {
        List<String> sent = new ArrayList<>();
        Optional<Message> next = calls.next(now);
        while (next.isPresent()) {
            sent.add(name(next.get()));
            next = calls.next(now);
        }
        return sent;
    }

    private static String name(Message message) {
        return new String(message.body(), StandardCharsets.UTF_8);
    }

    private static Message answer(long number) {
        return Message.answer(number, Priority.HIGH, Status.DONE, new byte[0]);
    }
}
