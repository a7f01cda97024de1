package dev.retier.fabric;

import dev.retier.fabric.calls.CallOutcome;
import dev.retier.fabric.calls.Calls;
import dev.retier.fabric.calls.Kind;
import dev.retier.fabric.calls.Message;
import dev.retier.fabric.calls.Priority;
import dev.retier.fabric.calls.PriorityGate;
import dev.retier.link.Abilities;
import dev.retier.link.LinkKeeper;
import dev.retier.link.LinkMetric;
import dev.retier.link.Metric;
import dev.retier.link.NodeId;
import dev.retier.link.OutgoingLink;
import dev.retier.link.StateException;
import dev.retier.link.Transport;
import dev.retier.link.TransportException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;

/**
 * One node's connections to all others: functions that others call, calls of theirs, and one-sided operations on
 * memory that they register for each other. Peers need not be up; they are found when they come, and found again when
 * they come back. A lost connection ends what was under way on it, with a reason, and harms no other.
 *
 * <p>Thread-safe. Three threads per node, whatever the number of peers, and one per handler; all sleep while nothing
 * happens.
 */
public final class Fabric implements AutoCloseable {
    /** Enough that low priority goes on, too little to be in the way: two answers of a ring's body each. */
    private static final int LOW_WHILE_BUSY = 2;

    private final FabricConfig config;
    private final Workers workers;
    private final FabricHost.Shared shared;
    private final FabricHost host;
    private final LinkKeeper<PeerLink> keeper;
    private final LocalCalls local;
    /** Guarded by this. */
    private boolean closed;

    /** Over the provider of verbs that DiSNI uses now, whichever that is. */
    Fabric(FabricConfig config) {
        this.config = config;
        this.workers = new Workers(config.self(), config.limits());
        Timers timers = new Timers(config.self());
        this.shared = new FabricHost.Shared(
                timers,
                new Timers.Alarm(timers, this::expire),
                new PriorityGate(LOW_WHILE_BUSY, PriorityGate.BUSY_NANOS));
        this.host = new FabricHost(config, workers, shared);
        this.local = new LocalCalls(config.self(), config.limits(), workers, shared);
        try {
            this.keeper = new LinkKeeper<>(host, Optional.of(config.listen()));
        } catch (StateException taken) {
            endThreads();
            throw taken;
        }
        if (!keeper.abilities().hasImmediates()) {
            close();
            throw new TransportException(keeper.abilities().device()
                    + " has no RDMA writes with immediate data (iWARP of the kernel and of RNICs), by which nodes of a"
                    + " fabric tell each other what they have written: use a RoCE or InfiniBand device, or"
                    + " transport: iwarp");
        }
    }

    /**
     * Listens, and begins to connect to every peer. Waits for none of them.
     *
     * @throws TransportException if the transport is not there, or its device cannot carry a fabric; the message says
     *     what is missing
     * @throws dev.retier.link.StateException if the address cannot be listened on; the message says what to do
     */
    public static Fabric open(FabricConfig config) {
        config.transport().use();
        return new Fabric(config);
    }

    /** This node. */
    public NodeId self() {
        return config.self();
    }

    /** All nodes, this one included. */
    public Set<NodeId> nodes() {
        return new TreeSet<>(config.peers().keySet());
    }

    /** Which provider of the verbs API carries everything. */
    public Transport transport() {
        return config.transport();
    }

    /** What the device can do on which this node listens. */
    public Abilities abilities() {
        return keeper.abilities();
    }

    /** What this node was opened with. */
    public FabricLimits limits() {
        return config.limits();
    }

    /**
     * Lets {@code handler} answer all calls of {@code function}, from now on.
     *
     * @param function 0 to {@value Message#MAX_FUNCTION}
     * @throws IllegalStateException if another handler does already
     */
    public void register(int function, Handler handler) {
        workers.register(function, handler);
    }

    /**
     * As {@link #register}, for a handler that needs a few microseconds and never blocks nor waits: while no other call
     * waits it runs on the thread that finds the call. That spares a hand-over to a handler thread, and keeps all other
     * messages of this node waiting meanwhile.
     */
    public void registerInline(int function, Handler handler) {
        workers.registerInline(function, handler);
    }

    /** As {@link #call(NodeId, int, byte[], Duration, Priority)}, with high priority. */
    public Call call(NodeId node, int function, byte[] body, Duration deadline) {
        return call(node, function, body, deadline, Priority.HIGH);
    }

    /**
     * Has {@code node} do {@code function}, at most once: the call is sent once or never. To call oneself is allowed.
     *
     * @param body not to be changed until the call has ended
     * @param deadline after which the call ends without an answer
     * @throws IllegalArgumentException if the node is not of this fabric, or the body is longer than {@link
     * dev.retier.fabric.calls.RingLimits#bodyBytes}
     */
    public Call call(NodeId node, int function, byte[] body, Duration deadline, Priority priority) {
        return begin(node, CallPort.request(Kind.CALL, function, body, deadline, priority));
    }

    /**
     * Brings {@code body} to {@code function} of {@code node}, at most once. Ends with an empty answer when the
     * function takes it.
     *
     * @throws IllegalArgumentException as a call does
     */
    public Call callOneWay(NodeId node, int function, byte[] body, Duration deadline) {
        return begin(node, CallPort.request(Kind.ONE_WAY, function, body, deadline, Priority.HIGH));
    }

    /**
     * Calls all {@code nodes} at once, and waits for all of them or the deadline. How it ended is told for each: one
     * that fails or is away keeps no other's answer back.
     *
     * @throws IllegalArgumentException as a call does; then none is called
     */
    public Map<NodeId, CallOutcome> callAll(Collection<NodeId> nodes, int function, byte[] body, Duration deadline)
            throws InterruptedException {
        for (NodeId node : nodes) {
            outgoing(node);
        }
        Map<NodeId, Call> calls = new LinkedHashMap<>();
        for (NodeId node : nodes) {
            calls.computeIfAbsent(node, called -> call(called, function, body, deadline));
        }
        Map<NodeId, CallOutcome> outcomes = new LinkedHashMap<>();
        for (Map.Entry<NodeId, Call> call : calls.entrySet()) {
            outcomes.put(call.getKey(), call.getValue().await());
        }
        return outcomes;
    }

    /**
     * The connection to {@code node} that stands now, for one-sided operations. A node has one to itself, too, so that
     * its own atomics and those of others exclude each other.
     *
     * @throws IllegalArgumentException if the node is not of this fabric
     */
    public Optional<PeerLink> link(NodeId node) {
        return outgoing(node).session();
    }

    /**
     * The end of {@link #link} to itself at which its own operations arrive: what this node registers for itself it
     * registers there. It stands before the link does.
     */
    public Optional<Caller> ownCaller() {
        return host.ownCaller();
    }

    /** Where what is due at a time is done; closed with the fabric. */
    public Timers timers() {
        return shared.timers();
    }

    /** What has been counted about the connections so far. */
    public Map<Metric, Long> metrics() {
        Map<Metric, Long> metrics = host.counters().counted();
        metrics.put(LinkMetric.CONNECTIONS, keeper.connected());
        return metrics;
    }

    /** Ends all connections and everything under way. Idempotent. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            keeper.close();
            shared.timers().soon(local.calls.close("this node is closed"));
            endThreads();
        }
    }

    private void endThreads() {
        shared.timers().close();
        workers.close();
        host.close();
    }

    private Call begin(NodeId node, Calls.Request request) {
        Optional<CallPort> calls = node.equals(config.self())
                ? Optional.of(local.calls)
                : link(node).map(link -> link.calls);
        return calls.map(open -> open.begin(request))
                .orElseGet(() -> Call.over(new CallOutcome.NotDone(CallOutcome.Why.LOST, node + " is not connected")));
    }

    private OutgoingLink<PeerLink> outgoing(NodeId node) {
        OutgoingLink<PeerLink> link = keeper.links().get(node);
        if (link == null) {
            throw new IllegalArgumentException(node + " is not of this fabric");
        }
        return link;
    }

    private void expire() {
        long nowNanos = System.nanoTime();
        LongStream.Builder deadlines = LongStream.builder();
        local.calls.expire(nowNanos).ifPresent(deadlines::add);
        for (OutgoingLink<PeerLink> link : keeper.links().values()) {
            link.session().ifPresent(up -> {
                up.calls.expire(nowNanos).ifPresent(deadlines::add);
                up.goOn();
            });
        }
        deadlines.build().reduce((one, other) -> one - other < 0 ? one : other).ifPresent(shared.clock()::at);
    }
}
