package dev.retier.agent.daemon;

import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.move.RollbackReason;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.agent.view.WordChange;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The newest moves of the cell as this agent saw them in role words, those of its own node with the time of each phase.
 * Thread-safe, bounded.
 */
final class MoveLog {
    static final int MAX_MOVES = 1_000;

    private final ReentrantLock lock = new ReentrantLock();
    /** In the order in which they were first seen. Guarded by the lock. */
    private final Map<Key, Entry> entries = new LinkedHashMap<>();

    private final Map<NodeId, RoleWord> words = new HashMap<>();

    private record Key(NodeId node, long epoch) {}

    /** How far a move has come, as the role word of its node says. */
    enum State {
        ORDERED,
        DONE,
        UNDONE
    }

    /** One move; guarded by the lock of its log. */
    private static final class Entry {
        private final Course begun;
        private final Instant at;
        private final long begunNanos;
        private final Map<MovePhase, Duration> phases = new EnumMap<>(MovePhase.class);
        private State state;
        /** Unknown of one whose order was not seen. */
        private @Nullable Duration took;

        private @Nullable RollbackReason reason;
        private @Nullable String detail;
        private int held;

        private Entry(Course begun, Instant at, long begunNanos) {
            this.begun = begun;
            this.at = at;
            this.begunNanos = begunNanos;
            this.state = begun.state;
        }

        private void end(State end, long nowNanos) {
            if (state == State.ORDERED && end != State.ORDERED) {
                state = end;
                took = Duration.ofNanos(nowNanos - begunNanos);
            }
        }

        private Snapshot snapshot() {
            Course course = new Course(begun.node, begun.epoch, begun.from, begun.to, state);
            Optional<Own> own = phases.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Own(new EnumMap<>(phases), reason, detail, held));
            return new Snapshot(course, at, Optional.ofNullable(took), own);
        }
    }

    /**
     * Who moves, from where, to where.
     *
     * @param from the role that is left
     * @param to the role ordered; {@code from} of an order that came to nothing before it was seen
     */
    record Course(NodeId node, long epoch, Role from, Role to, State state) {}

    /** What only the agent of the node that moves knows. */
    record Own(
            Map<MovePhase, Duration> phases,
            @Nullable RollbackReason reason,
            @Nullable String detail,
            int held) {}

    /**
     * A move as it was when it was asked for.
     *
     * @param at when this agent saw it first
     * @param took until its end; empty before, and when the order was not seen
     * @param own of a move of this agent's node
     */
    record Snapshot(Course course, Instant at, Optional<Duration> took, Optional<Own> own) {}

    /**
     * What is known of a phase besides that it was reached.
     *
     * @param held requests that the server had when its drain ended; it finishes them
     * @param detail what was said when the move was rolled back, null when nothing
     */
    record Notes(int held, @Nullable String detail) {
        static final Notes NONE = new Notes(0, null);
    }

    /** Takes in what the role words of a view say; returns the moves of which that says more than was known. */
    List<Snapshot> seen(ClusterView view, Instant at, long nowNanos) {
        List<Snapshot> changed = new ArrayList<>();
        lock.lock();
        try {
            view.nodes().values().forEach(node -> {
                if (node instanceof NodeView.Known(var id, var word, var _, var _, var _)) {
                    RoleWord before = words.put(id, word);
                    if (!word.equals(before)) {
                        course(id, before, word)
                                .flatMap(course -> seen(course, at, nowNanos))
                                .ifPresent(changed::add);
                    }
                }
            });
        } finally {
            lock.unlock();
        }
        return changed;
    }

    /** Of the first word that is seen of a node only that it is on its way is news. */
    private static Optional<Course> course(NodeId node, @Nullable RoleWord before, RoleWord now) {
        if (before == null) {
            return now.phase() == RoleWord.Phase.ORDERED
                    ? Optional.of(new Course(node, now.epoch(), now.from(), now.to(), State.ORDERED))
                    : Optional.empty();
        }
        WordChange change = WordChange.between(before, now);
        return state(change.kind()).map(state -> new Course(node, change.epoch(), change.from(), change.to(), state));
    }

    private static Optional<State> state(WordChange.Kind kind) {
        return switch (kind) {
            case NONE -> Optional.empty();
            case ORDERED -> Optional.of(State.ORDERED);
            case COMPLETED -> Optional.of(State.DONE);
            case UNDONE -> Optional.of(State.UNDONE);
        };
    }

    /** The own node's moves are told by their phases. */
    private Optional<Snapshot> seen(Course course, Instant at, long nowNanos) {
        Entry known = entries.get(new Key(course.node, course.epoch));
        if (known == null) {
            return Optional.of(begin(course, at, nowNanos).snapshot());
        }
        known.end(course.state, nowNanos);
        return known.phases.isEmpty() ? Optional.of(known.snapshot()) : Optional.empty();
    }

    private Entry begin(Course course, Instant at, long nowNanos) {
        Entry entry = new Entry(course, at, nowNanos);
        entries.put(new Key(course.node, course.epoch), entry);
        if (entries.size() > MAX_MOVES) {
            entries.remove(entries.keySet().iterator().next());
        }
        return entry;
    }

    /** Notes a phase of the own node's move; returns the move, with the time since its order was seen. */
    Snapshot reached(NodeId node, MoveRecord record, Notes notes, Instant at, long nowNanos) {
        lock.lock();
        try {
            RoleWord word = record.word();
            Entry known = entries.get(new Key(node, word.epoch()));
            Entry entry = known != null
                    ? known
                    : begin(new Course(node, word.epoch(), word.from(), word.to(), State.ORDERED), at, nowNanos);
            entry.phases.put(record.phase(), Duration.ofNanos(nowNanos - entry.begunNanos));
            entry.reason = record.reason();
            entry.detail = notes.detail;
            if (record.phase() != MovePhase.SWITCHING) { // of which is told before anybody has asked the server again
                entry.held = notes.held;
            }
            if (record.phase().isFinal()) {
                entry.end(record.phase() == MovePhase.ACTIVE ? State.DONE : State.UNDONE, nowNanos);
            }
            return entry.snapshot();
        } finally {
            lock.unlock();
        }
    }

    /** All that are kept, the oldest first. */
    List<Snapshot> snapshot() {
        lock.lock();
        try {
            return entries.values().stream().map(Entry::snapshot).toList();
        } finally {
            lock.unlock();
        }
    }
}
