package dev.retier.fabric.calls;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

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
    private final Queue<Client<C>> high = new ArrayDeque<>();
    private final Queue<Client<C>> low = new ArrayDeque<>();

    /** One client's calls. A client stands once in each queue in which it has calls. */
    private static final class Client<C> {
        final Map<Long, Job<C>> open = new HashMap<>();
        final Queue<Job<C>> high = new ArrayDeque<>();
        final Queue<Job<C>> low = new ArrayDeque<>();
        long lastNumber;
    }

    /** A call that is being served. {@link #isCancelled} may be asked by any thread. */
    public static final class Job<C> {
        private final C client;
        private final Message call;
        private final long startBeforeNanos;
        private volatile boolean cancelled;
        private @Nullable Status refusal;

        Job(C client, Message call, long startBeforeNanos) {
            this.client = client;
            this.call = call;
            this.startBeforeNanos = startBeforeNanos;
        }

        /** Who called. */
        public C client() {
            return client;
        }

        /** What was asked. */
        public Message call() {
            return call;
        }

        /** Why its function must not do it any more, if so: the client is to be told. */
        public Optional<Status> refusal() {
            return Optional.ofNullable(refusal);
        }

        /** Whether nobody waits for the answer any more. */
        public boolean isCancelled() {
            return cancelled;
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

    /** A call or note has come. */
    public void accept(C connection, Message call, long nowNanos) throws ProtocolError {
        Client<C> client = clients.computeIfAbsent(connection, _ -> new Client<>());
        if (client.open.size() >= maxPerClient) {
            throw new ProtocolError("it calls while " + maxPerClient + " calls of it are not answered");
        }
        if (call.call() <= client.lastNumber) {
            throw new ProtocolError("it uses call number " + call.call() + " again");
        }
        client.lastNumber = call.call();
        Job<C> job = new Job<>(connection, call, nowNanos + call.budgetMicros() * NANOS_PER_MICRO);
        client.open.put(call.call(), job);
        Queue<Job<C>> own = call.priority() == Priority.HIGH ? client.high : client.low;
        if (own.isEmpty()) {
            (call.priority() == Priority.HIGH ? high : low).add(client);
        }
        own.add(job);
    }

    /**
     * Whose turn it is, if anybody waits. Have its function do it, unless it is refused; then call {@link #ended}.
     */
    public Optional<Job<C>> next(long nowNanos) {
        Job<C> job = poll(nowNanos);
        if (job != null && (job.cancelled || nowNanos - job.startBeforeNanos > 0)) {
            job.refusal = job.cancelled ? Status.CANCELLED : Status.EXPIRED;
        }
        return Optional.ofNullable(job);
    }

    /**
     * The function has ended, or the call was refused: makes room for another call of this client, which is to be sent
     * the answer now.
     */
    public void ended(Job<C> job, long nowNanos) {
        gate.end(job.call.priority(), nowNanos);
        Client<C> client = clients.get(job.client);
        if (client != null) {
            client.open.remove(job.call.call());
        }
    }

    /** The client does not want the answer any more. One that has not begun will not. */
    public void cancel(C connection, long number) {
        Client<C> client = clients.get(connection);
        Job<C> job = client == null ? null : client.open.get(number);
        if (job != null) {
            job.cancelled = true;
        }
    }

    /** The client's connection is over: none of its calls that has not begun will. */
    public void gone(C connection) {
        Client<C> client = clients.remove(connection);
        if (client != null) {
            client.open.values().forEach(job -> job.cancelled = true);
            high.removeIf(client::equals);
            low.removeIf(client::equals);
        }
    }

    /** Calls that have come and not ended. */
    public int open() {
        return clients.values().stream().mapToInt(client -> client.open.size()).sum();
    }

    /** Whether nobody waits for a turn. */
    public boolean isIdle() {
        return high.isEmpty() && low.isEmpty();
    }

    /** Whether calls wait that only the gate holds back: they must be looked at again after its busy time. */
    public boolean isHoldingBack() {
        return high.isEmpty() && !low.isEmpty();
    }

    private @Nullable Job<C> poll(long nowNanos) {
        Client<C> urgent = high.poll();
        if (urgent != null) {
            gate.tryBegin(Priority.HIGH, nowNanos);
            return takeFrom(urgent, urgent.high, high);
        }
        if (low.isEmpty() || !gate.tryBegin(Priority.LOW, nowNanos)) {
            return null;
        }
        Client<C> next = low.remove();
        return takeFrom(next, next.low, low);
    }

    private static <C> Job<C> takeFrom(Client<C> client, Queue<Job<C>> own, Queue<Client<C>> turns) {
        Job<C> job = own.remove();
        if (!own.isEmpty()) {
            turns.add(client);
        }
        return job;
    }
}
