package dev.retier.fabric.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ServingTest {
    private static final int PER_CLIENT = 4;
    private static final int BUDGET_MICROS = 10;

    private final Serving<String> serving = new Serving<>(PER_CLIENT, new PriorityGate(1, 0));

    @Test
    void shouldTakeTurns_whenOneClientCallsMoreThanTheOther() throws ProtocolError {
        for (int i = 1; i <= 4; i++) {
            serving.accept("greedy", call(i, Priority.HIGH), 0);
        }
        serving.accept("modest", call(1, Priority.HIGH), 0);

        assertThat(run(0)).containsExactly("greedy 1", "modest 1", "greedy 2", "greedy 3", "greedy 4");
    }

    @Test
    void shouldServeUrgentFirst_whenBothWait() throws ProtocolError {
        serving.accept("one", call(1, Priority.LOW), 0);
        serving.accept("two", call(1, Priority.HIGH), 0);

        assertThat(run(0)).containsExactly("two 1", "one 1");
    }

    @Test
    void shouldRunOneLowAtATime_whileUrgentOnesRun() throws ProtocolError {
        serving.accept("urgent", call(1, Priority.HIGH), 0);
        Serving.Job<String> urgent = serving.next(0).orElseThrow();
        serving.accept("low", call(1, Priority.LOW), 0);
        serving.accept("low", call(2, Priority.LOW), 0);

        assertThat(run(0)).containsExactly("low 1");
        serving.ended(urgent, 1);
        assertThat(run(1)).containsExactly("low 2");
    }

    @Test
    void shouldRefuse_whenTheTurnComesTooLateOrTheCallWasCancelled() throws ProtocolError {
        serving.accept("client", call(1, Priority.HIGH), 0);
        serving.accept("client", call(2, Priority.HIGH), 0);
        serving.cancel("client", 1);

        Serving.Job<String> cancelled = serving.next(0).orElseThrow();
        assertThat(cancelled.refusal(0)).contains(Status.CANCELLED);
        serving.ended(cancelled, 0);
        Serving.Job<String> late = serving.next(BUDGET_MICROS * 1000L + 1).orElseThrow();
        assertThat(late.refusal(BUDGET_MICROS * 1000L + 1)).contains(Status.EXPIRED);
        serving.ended(late, 0);
        for (int i = 3; i < 3 + PER_CLIENT; i++) {
            serving.accept("client", call(i, Priority.HIGH), 0);
        }
    }

    @Test
    void shouldBeRefusedOnlyAfterItsBudget_whenItsTurnComesJustInTime() throws ProtocolError {
        serving.accept("client", call(1, Priority.HIGH), 500);
        Serving.Job<String> job = serving.next(500).orElseThrow();

        assertThat(job.refusal(500 + BUDGET_MICROS * 1000L)).isEmpty();
        assertThat(job.refusal(501 + BUDGET_MICROS * 1000L)).contains(Status.EXPIRED);
    }

    @Test
    void shouldDoNothing_whenAClientOrACallIsCancelledThatIsNotThere() throws ProtocolError {
        serving.accept("client", call(1, Priority.HIGH), 0);
        serving.cancel("stranger", 1);
        serving.cancel("client", 2);

        assertThat(run(0)).containsExactly("client 1");
    }

    @Test
    void shouldSayWhoWaits_whenCallsOfBothPrioritiesCome() throws ProtocolError {
        assertThat(serving.isIdle()).isTrue();
        assertThat(serving.isHoldingBack()).isFalse();

        serving.accept("client", call(1, Priority.LOW), 0);
        assertThat(serving.isIdle()).isFalse();
        assertThat(serving.isHoldingBack()).isTrue();

        serving.accept("client", call(2, Priority.HIGH), 0);
        assertThat(serving.isIdle()).isFalse();
        assertThat(serving.isHoldingBack()).isFalse();

        run(0);
        serving.accept("client", call(3, Priority.HIGH), 0);
        assertThat(serving.isIdle()).isFalse();
        assertThat(serving.isHoldingBack()).isFalse();
    }

    @Test
    void shouldDropTheClient_whenItCallsTooMuchOrRepeatsANumber() throws ProtocolError {
        for (int i = 1; i <= PER_CLIENT; i++) {
            serving.accept("client", call(i, Priority.HIGH), 0);
        }
        assertThatThrownBy(() -> serving.accept("client", call(5, Priority.HIGH), 0))
                .isInstanceOf(ProtocolError.class)
                .hasMessageContaining("are not answered");

        run(0);
        Serving<String> fresh = new Serving<>(PER_CLIENT, new PriorityGate(1, 0));
        fresh.accept("client", call(2, Priority.HIGH), 0);
        assertThatThrownBy(() -> fresh.accept("client", call(2, Priority.HIGH), 0))
                .isInstanceOf(ProtocolError.class)
                .hasMessageContaining("again");
    }

    @Test
    void shouldForgetAllItsCalls_whenAClientIsGone() throws ProtocolError {
        serving.accept("gone", call(1, Priority.HIGH), 0);
        Serving.Job<String> running = serving.next(0).orElseThrow();
        serving.accept("gone", call(2, Priority.HIGH), 0);
        serving.accept("stays", call(1, Priority.LOW), 0);
        serving.gone("gone");

        assertThat(running.isCancelled()).isTrue();
        assertThat(run(0)).containsExactly("stays 1");
        serving.ended(running, 0);
        serving.accept("gone", call(1, Priority.HIGH), 1);
        assertThat(run(1)).containsExactly("gone 1");
    }

    private List<String> run(long now) {
        List<String> order = new ArrayList<>();
        Optional<Serving.Job<String>> turn = serving.next(now);
        while (turn.isPresent()) {
            if (turn.get().refusal(now).isEmpty()) {
                order.add(turn.get().client() + " " + turn.get().call().call());
            } else {
                serving.ended(turn.get(), now);
            }
            turn = serving.next(now);
        }
        return order;
    }

    private static Message call(long number, Priority priority) {
        return new Message(Kind.CALL, number, 1, priority, Status.DONE, BUDGET_MICROS, new byte[0]);
    }
}
