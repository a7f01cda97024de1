package dev.retier.fabric.calls;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.SequencedMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The calls of all clients, at the side that is called: whose turn it is. Urgent calls go first; among equals the
 * clients take turns, so one that calls much makes nobody wait but itself. Each client has a bounded number of calls
 * here. Not thread-safe.
 *
 * @param <C> a client's connection, with identity as equality
 */
public final class Serving<C> {
    private static final long NANOS_PER_MICRO = 1000;

    private final int maxPerClient;
    private final PriorityGate gate;
    private final Map<C, Client<C>> clients = new HashMap<>();
    /** The calls that wait, by their clients in the order of their turns. */
    private final SequencedMap<C, Queue<Job<C>>> high = new LinkedHashMap<>();

    private final SequencedMap<C, Queue<Job<C>>> low = new LinkedHashMap<>();

    /** One client's calls that have not ended. */
    private static final class Client<C> {
        final Map<Long, Job<C>> open = new HashMap<>();
        long lastNumber;
    }

    /** A call that is being served. {@link #isCancelled} may be asked by any thread. */
    public record Job<C>(C client, Message call, long startBeforeNanos, AtomicBoolean cancelled) {
        /** Why its function must not do it any more, if so: the client is to be told. */
        public Optional<Status> refusal(long nowNanos) {
            if (isCancelled()) {
                return Optional.of(Status.CANCELLED);
            }
            return nowNanos - startBeforeNanos > 0 ? Optional.of(Status.EXPIRED) : Optional.empty();
        }

        /** Whether nobody waits for the answer any more. */
        public boolean isCancelled() {
            return cancelled.get();
        }
    }

    /**
     * Nobody calls.
     *
     * @param gate holds back calls of low priority while others are being served
     */
    public Serving(int maxPerClient, PriorityGate gate) {
        this.maxPerClient = maxPerClient;
        this.gate = gate;
    }

    /** A call has come, or a one-way call. */
    public void accept(C connection, Message call, long nowNanos) throws ProtocolError {
        Client<C> client = clients.computeIfAbsent(connection, _ -> new Client<>());
        if (client.open.size() >= maxPerClient) {
            throw new ProtocolError("it calls while " + maxPerClient + " calls of it are not answered");
        }
        if (call.call() <= client.lastNumber) {
            throw new ProtocolError("it uses call number " + call.call() + " again");
        }
        client.lastNumber = call.call();
        Job<C> job = new Job<>(connection, call, nowNanos + call.budgetMicros() * NANOS_PER_MICRO, new AtomicBoolean());
        client.open.put(call.call(), job);
        SequencedMap<C, Queue<Job<C>>> turns = call.priority() == Priority.HIGH ? high : low;
        turns.computeIfAbsent(connection, _ -> new ArrayDeque<>()).add(job);
    }

    /**
     * Whose turn it is, if anybody waits. Have its function do it, unless it is refused; then call {@link #ended}.
     */
    public Optional<Job<C>> next(long nowNanos) {
        Priority priority = high.isEmpty() ? Priority.LOW : Priority.HIGH;
        SequencedMap<C, Queue<Job<C>>> turns = high.isEmpty() ? low : high;
        if (turns.isEmpty() || !gate.tryBegin(priority, nowNanos)) {
            return Optional.empty();
        }
        Map.Entry<C, Queue<Job<C>>> turn = turns.pollFirstEntry();
        Job<C> job = turn.getValue().remove();
        if (!turn.getValue().isEmpty()) {
            turns.putLast(turn.getKey(), turn.getValue());
        }
        return Optional.of(job);
    }

    /**
     * The function has ended, or the call was refused: makes room for another call of this client, which is to be sent
     * the answer now.
     */
    public void ended(Job<C> job, long nowNanos) {
        gate.end(job.call().priority(), nowNanos);
        Client<C> client = clients.get(job.client());
        if (client != null) {
            client.open.remove(job.call().call());
        }
    }

    /** The client does not want the answer any more. One that has not begun will not. */
    public void cancel(C connection, long number) {
        Client<C> client = clients.get(connection);
        Job<C> job = client == null ? null : client.open.get(number);
        if (job != null) {
            job.cancelled.set(true);
        }
    }

    /** The client's connection is over: none of its calls that has not begun will. */
    public void gone(C connection) {
        Client<C> client = clients.remove(connection);
        if (client != null) {
            client.open.values().forEach(job -> job.cancelled.set(true));
            high.remove(connection);
            low.remove(connection);
        }
    }

    /** Whether nobody waits for a turn. */
    public boolean isIdle() {
        return high.isEmpty() && low.isEmpty();
    }

    /** Whether calls wait that only the gate holds back: they must be looked at again after its busy time. */
    public boolean isHoldingBack() {
        return high.isEmpty() && !low.isEmpty();
    }
}
