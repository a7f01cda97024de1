package dev.retier.state.verbs;

import dev.retier.link.Gathering;
import dev.retier.link.NodeId;
import dev.retier.link.Work;
import dev.retier.state.SlotReading;
import dev.retier.state.StateMetric;
import dev.retier.state.Watch;
import dev.retier.state.slot.Beat;
import dev.retier.state.slot.SlotImage;
import dev.retier.state.slot.SlotLayout;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * Looks at all slots, or at some: all reads in flight together, torn ones once more, all within one deadline. The own
 * slot is in local memory and needs no read.
 *
 * <p>Thread-safe.
 */
final class SlotReader {
    private static final SlotReading TORN = new SlotReading.Unknown(SlotReading.Reason.TORN);

    /** A writer publishes some times per second and needs a microsecond: to meet it thrice is to meet a broken one. */
    private static final int TRIES = 3;

    private final Local local;
    private final Sessions sessions;
    private final BiConsumer<NodeId, MemorySegment> observer;
    /** Guarded by this. */
    private final Map<NodeId, Watch<Beat>> heartbeats = new HashMap<>();

    /** {@code observer} is told of every slot that was read, before it is judged. */
    SlotReader(Local local, Sessions sessions, BiConsumer<NodeId, MemorySegment> observer) {
        this.local = local;
        this.sessions = sessions;
        this.observer = observer;
    }

    Map<NodeId, SlotReading> look() {
        Set<NodeId> all = new TreeSet<>(local.config().peers().keySet());
        all.add(local.config().self());
        return look(all);
    }

    Map<NodeId, SlotReading> look(Set<NodeId> nodes) {
        long deadlineNanos = local.deadlineNanos();
        Map<NodeId, SlotReading> readings = new TreeMap<>();
        NodeId self = local.config().self();
        if (nodes.contains(self)) {
            readings.put(self, judge(self, local.memory().copy()));
        }
        Set<NodeId> pending = new TreeSet<>(local.config().peers().keySet());
        pending.retainAll(nodes);
        pending.remove(self);
        for (int attempt = 0; attempt < TRIES && !pending.isEmpty(); attempt++) {
            readAll(pending, deadlineNanos, readings);
            pending.removeIf(node -> !TORN.equals(readings.get(node)));
        }
        return readings;
    }

    private void readAll(Set<NodeId> nodes, long deadlineNanos, Map<NodeId, SlotReading> readings) {
        Gathering<NodeId> reads = new Gathering<>();
        for (NodeId node : nodes) {
            Optional<Session> session = sessions.to(node);
            if (session.isEmpty()) {
                readings.put(node, new SlotReading.Unknown(SlotReading.Reason.NOT_CONNECTED));
            } else if (!session.get().read(0, SlotLayout.LENGTH_BYTES, reads, node)) {
                readings.put(node, new SlotReading.Unknown(SlotReading.Reason.TIMED_OUT));
            }
        }
        reads.await(deadlineNanos, (node, read) -> readings.put(node, collect(node, read)));
    }

    private SlotReading collect(NodeId node, Work read) {
        return switch (read.ending()) {
            case DONE -> judge(node, read.buffer());
            case FAILED -> new SlotReading.Unknown(SlotReading.Reason.NOT_CONNECTED);
            case TIMED_OUT -> {
                local.counters().count(StateMetric.READS_MISSED);
                yield new SlotReading.Unknown(SlotReading.Reason.TIMED_OUT);
            }
        };
    }

    private SlotReading judge(NodeId node, MemorySegment slot) {
        observer.accept(node, slot);
        return switch (SlotImage.parse(slot, node)) {
            case SlotImage.Whole whole -> judgeAge(node, whole);
            case SlotImage.Silent _ -> new SlotReading.Unknown(SlotReading.Reason.STALE);
            case SlotImage.Torn _ -> {
                local.counters().count(StateMetric.READS_TORN);
                yield TORN;
            }
            case SlotImage.Malformed(String reason) -> {
                local.complain(StateMetric.SLOTS_MALFORMED, "cannot use the slot of " + node + ": " + reason);
                yield new SlotReading.Unknown(SlotReading.Reason.MALFORMED);
            }
        };
    }

    private synchronized SlotReading judgeAge(NodeId node, SlotImage.Whole whole) {
        long ageNanos = heartbeats
                .computeIfAbsent(node, _ -> new Watch<>())
                .observe(new Beat(whole.incarnation(), whole.heartbeat()), local.nowNanos());
        return ageNanos > local.config().stalenessBound().toNanos()
                ? new SlotReading.Unknown(SlotReading.Reason.STALE)
                : new SlotReading.Known(
                        whole.roleWord(),
                        whole.load(),
                        whole.heartbeat(),
                        whole.incarnation(),
                        ageNanos,
                        whole.knowsBatches());
    }
}
