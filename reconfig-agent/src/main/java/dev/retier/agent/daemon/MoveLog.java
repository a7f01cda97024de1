package dev.retier.agent.daemon;

import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.move.RollbackReason;
import dev.retier.link.NodeId;
import dev.retier.state.RoleWord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The newest moves of this node, with the time of each phase. Thread-safe, bounded. */
final class MoveLog {
    private static final int MAX_MOVES = 64;

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Entry> entries = new ArrayDeque<>();

    /** One move; guarded by the lock of its log. */
    static final class Entry {
        final NodeId node;
        final RoleWord word;
        final Instant at;
        final long begunNanos;
        final Map<MovePhase, Duration> phases = new EnumMap<>(MovePhase.class);

        @Nullable
        RollbackReason reason;

        @Nullable
        String detail;

        int held;

        private Entry(NodeId node, RoleWord word, Instant at, long begunNanos) {
            this.node = node;
            this.word = word;
            this.at = at;
            this.begunNanos = begunNanos;
        }
    }

    /** A move as it was when it was asked for. */
    record Snapshot(
            NodeId node,
            RoleWord word,
            Instant at,
            Map<MovePhase, Duration> phases,
            @Nullable RollbackReason reason,
            @Nullable String detail,
            int held) {}

    /**
     * What is known of a phase besides that it was reached.
     *
     * @param held requests that the server had when its drain ended; it finishes them
     * @param detail what was said when the move was rolled back, null when nothing
     */
    record Notes(int held, @Nullable String detail) {
        static final Notes NONE = new Notes(0, null);
    }

    /** Notes a phase; returns the time since the order was seen. */
    Duration reached(NodeId node, MoveRecord record, Notes notes, Instant at, long nowNanos) {
        lock.lock();
        try {
            Entry entry = entries.peekLast();
            if (entry == null || !entry.word.equals(record.word())) {
                entry = new Entry(node, record.word(), at, nowNanos);
                entries.addLast(entry);
            }
            if (entries.size() > MAX_MOVES) {
                entries.removeFirst();
            }
            Duration sinceOrder = Duration.ofNanos(nowNanos - entry.begunNanos);
            entry.phases.put(record.phase(), sinceOrder);
            entry.reason = record.reason();
            entry.detail = notes.detail;
            if (record.phase() != MovePhase.SWITCHING) { // of which is told before anybody has asked the server again
                entry.held = notes.held;
            }
            return sinceOrder;
        } finally {
            lock.unlock();
        }
    }

    List<Snapshot> snapshot() {
        lock.lock();
        try {
            List<Snapshot> all = new ArrayList<>();
            entries.forEach(entry -> all.add(new Snapshot(
                    entry.node,
                    entry.word,
                    entry.at,
                    new EnumMap<>(entry.phases),
                    entry.reason,
                    entry.detail,
                    entry.held)));
            return all;
        } finally {
            lock.unlock();
        }
    }
}
