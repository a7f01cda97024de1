package dev.retier.fabric.regions;

import dev.retier.fabric.Callbacks;
import dev.retier.fabric.Caller;
import dev.retier.fabric.Fabric;
import dev.retier.fabric.PeerLink;
import dev.retier.fabric.calls.CallOutcome;
import dev.retier.fabric.directory.DirectoryMessages;
import dev.retier.fabric.directory.RegionAnswer;
import dev.retier.fabric.directory.RegionFailure;
import dev.retier.fabric.directory.RegionRequest;
import dev.retier.fabric.directory.RegionRequest.Allocate;
import dev.retier.fabric.directory.RegionRequest.Close;
import dev.retier.fabric.directory.RegionRequest.Create;
import dev.retier.fabric.directory.RegionRequest.Fetch;
import dev.retier.fabric.directory.RegionRequest.Find;
import dev.retier.fabric.directory.RegionRequest.Free;
import dev.retier.fabric.directory.RegionRequest.Grant;
import dev.retier.fabric.directory.RegionRequest.LookUp;
import dev.retier.fabric.directory.RegionRequest.Move;
import dev.retier.fabric.directory.RegionRequest.Open;
import dev.retier.fabric.directory.RegionRequest.Report;
import dev.retier.fabric.directory.RegionRequest.Reported;
import dev.retier.fabric.directory.RegionRequest.Revoke;
import dev.retier.fabric.directory.RegionRequest.Seal;
import dev.retier.fabric.directory.RegionRequest.Settle;
import dev.retier.link.Counters;
import dev.retier.link.NodeId;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests and answers as calls of a fabric. What cannot be answered at once is answered by a call back, so that no
 * handler thread of either side ever waits for another node.
 *
 * <pre>
 *  request      token 8 | request
 *  its answer   1 | answer, or 0: it comes by a call back
 *  call back    token 8 | answer
 * </pre>
 *
 * <p>Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what is chained handles every outcome itself
final class DirectoryCalls {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryCalls.class);
    private static final int REQUEST = 40;
    private static final int CALL_BACK = 41;
    /** For what is answered at once. */
    private static final Duration CALL_BOUND = Duration.ofSeconds(2);

    private static final Duration MARGIN = Duration.ofMillis(500);
    private static final Duration ALLOCATION_BOUND = Duration.ofSeconds(10);
    private static final Duration COPY_BOUND = Duration.ofMinutes(10);
    /** Tokens count from 1. */
    private static final long NO_TOKEN = 0;

    private static final byte LATER = 0;
    private static final byte NOW = 1;

    private static final long AGAIN_NANOS = 20_000_000L;

    private final Fabric fabric;
    private final Counters counters;
    private final Duration drainBound;
    private final AtomicLong lastToken = new AtomicLong();
    private final Map<Long, Waiting> waiting = new ConcurrentHashMap<>();
    private final Set<NodeId> complained = ConcurrentHashMap.newKeySet();

    /** An answer that is awaited, on a connection without which it cannot come. */
    private record Waiting(NodeId node, Optional<PeerLink> link, CompletableFuture<RegionAnswer> answer) {}

    /**
     * Nothing is asked yet.
     *
     * @param drainBound until a handle has been drained
     */
    DirectoryCalls(Fabric fabric, Counters counters, Duration drainBound) {
        this.fabric = fabric;
        this.counters = counters;
        this.drainBound = drainBound;
    }

    /** Answers what peers ask by {@code server}, on a handler thread; it must not wait for another node. */
    void serve(BiFunction<Caller, RegionRequest, CompletableFuture<RegionAnswer>> server) {
        fabric.register(REQUEST, request -> serve(server, request.caller(), ByteBuffer.wrap(request.body())));
        fabric.register(CALL_BACK, request -> calledBack(request.caller().node(), ByteBuffer.wrap(request.body())));
    }

    /** As {@link #ask(NodeId, RegionRequest, Duration)}; whoever waits for others itself is waited for longer. */
    CompletableFuture<RegionAnswer> ask(NodeId node, RegionRequest request) {
        Duration revoke = drainBound.plus(MARGIN);
        Duration bound = switch (request) {
            case Revoke _ -> revoke;
            case Fetch _, Create _, Grant _, Move _, Free _ -> COPY_BOUND;
            case Allocate _, Seal _, Settle _ -> revoke.plus(ALLOCATION_BOUND);
            case LookUp _, Report _, Reported _, Open _, Close _, Find _ -> CALL_BOUND;
        };
        return ask(node, request, bound);
    }

    /** Asks {@code node}, which is another one. Ends within {@code bound}; by a refusal if there was no answer. */
    CompletableFuture<RegionAnswer> ask(NodeId node, RegionRequest request, Duration bound) {
        long token = lastToken.incrementAndGet();
        CompletableFuture<RegionAnswer> answer = new CompletableFuture<>();
        waiting.put(token, new Waiting(node, fabric.link(node), answer));
        answer.whenComplete((_, _) -> waiting.remove(token));
        byte[] body = tagged(token, DirectoryMessages.emit(request));
        try {
            fabric.call(node, REQUEST, body, bound).whenOver(outcome -> answered(node, answer, outcome));
        } catch (IllegalArgumentException tooLong) {
            answer.complete(new RegionAnswer.Refused(RegionFailure.MALFORMED, String.valueOf(tooLong.getMessage())));
        }
        return answer.completeOnTimeout(lost(node, "no answer in time"), bound.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Ends the waiting for answers that would have come on connections that are over. */
    void dropLost() {
        waiting.values().forEach(each -> {
            if (!each.link().equals(fabric.link(each.node()))) {
                each.answer().complete(lost(each.node(), "the connection broke"));
            }
        });
    }

    private static RegionAnswer lost(NodeId node, String reason) {
        return new RegionAnswer.Refused(RegionFailure.NODE_UNREACHABLE, node + ": " + reason);
    }

    private void answered(NodeId node, CompletableFuture<RegionAnswer> answer, CallOutcome outcome) {
        if (!(outcome instanceof CallOutcome.Answered(byte[] bytes))) {
            answer.complete(lost(node, outcome.toString()));
        } else if (bytes.length == 0 || bytes[0] != LATER) {
            ByteBuffer body = ByteBuffer.wrap(bytes);
            answer.complete(parsed(node, body.position(Math.min(1, bytes.length))));
        }
    }

    private RegionAnswer parsed(NodeId node, ByteBuffer body) {
        return DirectoryMessages.answer(body).orElseGet(() -> {
            malformed(node);
            return new RegionAnswer.Refused(RegionFailure.MALFORMED, "the answer of " + node + " was not understood");
        });
    }

    private byte[] serve(
            BiFunction<Caller, RegionRequest, CompletableFuture<RegionAnswer>> server, Caller caller, ByteBuffer body) {
        long token = body.remaining() > Long.BYTES ? body.getLong() : NO_TOKEN;
        Optional<RegionRequest> request = token == NO_TOKEN ? Optional.empty() : DirectoryMessages.request(body);
        if (request.isEmpty()) {
            malformed(caller.node());
            return now(new RegionAnswer.Refused(RegionFailure.MALFORMED, "the request was not understood"));
        }
        CompletableFuture<RegionAnswer> answer = server.apply(caller, request.get())
                .exceptionally(fault -> {
                    LOG.error("a request of {} could not be handled", caller.node(), fault);
                    return new RegionAnswer.Refused(RegionFailure.MALFORMED, "the request could not be handled");
                });
        if (answer.isDone()) {
            return now(answer.join());
        }
        Callbacks.run("a request", answer, late -> callBack(caller, tagged(token, DirectoryMessages.emit(late))));
        return new byte[] {LATER};
    }

    private static byte[] now(RegionAnswer answer) {
        ByteBuffer bytes = DirectoryMessages.emit(answer);
        return ByteBuffer.allocate(1 + bytes.remaining()).put(NOW).put(bytes).array();
    }

    private static byte[] tagged(long token, ByteBuffer message) {
        return ByteBuffer.allocate(Long.BYTES + message.remaining())
                .putLong(token)
                .put(message)
                .array();
    }

    /** Until it is heard or its caller is gone: a caller that has just come is not connected in both ways yet. */
    private void callBack(Caller caller, byte[] body) {
        fabric.call(caller.node(), CALL_BACK, body, CALL_BOUND).whenOver(outcome -> {
            if (isPassing(outcome) && caller.isOpen()) {
                fabric.timers().after(AGAIN_NANOS, () -> callBack(caller, body));
            } else if (!(outcome instanceof CallOutcome.Answered)) {
                LOG.debug("{} does not hear an answer: {}", caller.node(), outcome);
            }
        });
    }

    private static boolean isPassing(CallOutcome outcome) {
        return outcome instanceof CallOutcome.NotDone notDone
                && (notDone.why() == CallOutcome.Why.LOST || notDone.why() == CallOutcome.Why.BUSY);
    }

    private byte[] calledBack(NodeId node, ByteBuffer body) {
        if (body.remaining() > Long.BYTES) {
            Waiting asked = waiting.get(body.getLong());
            if (asked != null && asked.node().equals(node)) {
                asked.answer().complete(parsed(node, body));
            }
        }
        return new byte[0];
    }

    private void malformed(NodeId node) {
        counters.count(RegionMetric.REGIONS_MALFORMED);
        if (complained.add(node)) {
            LOG.warn("{} sends what is not understood; it is refused, and not logged again", node);
        }
    }
}
