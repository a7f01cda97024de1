package dev.retier.agent.view;

import dev.retier.agent.view.NodeView.Silence;
import dev.retier.link.NodeId;
import dev.retier.state.LoadRecord;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;
import dev.retier.state.SlotReading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of each node from look to look: its last good slot, since when its role word
 * stands, whether its server has ever answered, and since when it has been unknown. A value:
 * each look gives a new one. As large as the cluster.
 */
public final class Sightings {
    /** A load that is older says nothing any more, of however busy a node. */
    private static final Duration LONGEST_LATE = Duration.ofSeconds(10);

    private final Map<NodeId, Sighting> nodes;

    private Sightings(Map<NodeId, Sighting> nodes) {
        this.nodes = nodes;
    }

    /** Before the first look. */
    public static Sightings none() {
        return new Sightings(Map.of());
    }

    /**
     * After one more look.
     *
     * @param readings what the look gave, one per configured node
     * @param nowNanos monotonic time of the look
     */
    public Sightings after(Map<NodeId, SlotReading> readings, long nowNanos) {
        Map<NodeId, Sighting> next = new HashMap<>();
        readings.forEach((id, reading) -> next.put(id, next(nodes.get(id), reading, nowNanos)));
        return new Sightings(next);
    }

    /** After a look at some nodes alone; of the others stands what was seen of them. */
    public Sightings with(Map<NodeId, SlotReading> readings, long nowNanos) {
        Map<NodeId, Sighting> next = new HashMap<>(nodes);
        readings.forEach((id, reading) -> next.put(id, next(nodes.get(id), reading, nowNanos)));
        return new Sightings(next);
    }

    private static Sighting next(@Nullable Sighting before, SlotReading reading, long nowNanos) {
        return switch (reading) {
            case SlotReading.Known known -> seen(before, known, nowNanos);
            case SlotReading.Unknown unknown ->
                before == null
                        ? new Sighting(null, nowNanos, null, null, unknown.reason(), nowNanos)
                        : new Sighting(
                                before.word,
                                before.wordSinceNanos,
                                before.load,
                                before.life,
                                unknown.reason(),
                                before.unknownSince(nowNanos));
        };
    }

    /** Of a mute node the role word is as true as ever; of its load, what it told last stands. */
    private static Sighting seen(@Nullable Sighting before, SlotReading.Known known, long nowNanos) {
        RoleWord word = known.roleWord();
        long wordSinceNanos = before != null && word.equals(before.word) ? before.wordSinceNanos : nowNanos;
        Life life = Life.after(before == null ? null : before.life, known, nowNanos);
        if (known.load().serverHealth() != Health.MUTE) {
            return new Sighting(word, wordSinceNanos, known.load(), life, null, nowNanos);
        }
        LoadRecord last = before == null || before.load == null ? known.load() : before.load;
        long sinceNanos = before == null ? nowNanos : before.unknownSince(nowNanos);
        return new Sighting(word, wordSinceNanos, last, life, SlotReading.Reason.MUTE, sinceNanos);
    }

    /**
     * One life of a node's agent.
     *
     * @param incarnation that tells it from others
     * @param firstNanos when it was first seen
     * @param hasAnswered whether its server has been seen not to be down since
     * @param knowsBatches whether it knows role words of batches
     */
    private record Life(long incarnation, long firstNanos, boolean hasAnswered, boolean knowsBatches) {
        static Life after(@Nullable Life before, SlotReading.Known known, long nowNanos) {
            boolean isUp = known.load().serverHealth() != Health.DOWN;
            return before == null || before.incarnation != known.incarnation()
                    ? new Life(known.incarnation(), nowNanos, isUp, known.knowsBatches())
                    : new Life(before.incarnation, before.firstNanos, isUp || before.hasAnswered, before.knowsBatches);
        }

        boolean isStarting(Duration grace, long nowNanos) {
            return !hasAnswered && nowNanos - firstNanos < grace.toNanos();
        }
    }

    /**
     * The nodes of which only their servers can tell whether they live: ask those. They are those whose heartbeat
     * stands, and those that have been unknown for long.
     */
    public List<NodeId> toProbe(Patience patience, long nowNanos) {
        List<NodeId> unknown = new ArrayList<>();
        nodes.forEach((id, seen) -> {
            if (seen.isStale() || seen.isUnknownFor(patience.deadAfter(), nowNanos)) {
                unknown.add(id);
            }
        });
        Collections.sort(unknown);
        return unknown;
    }

    /**
     * The view after the newest look.
     *
     * @param probes what servers said that were asked, see {@link #toProbe}
     * @param patience how long what was seen counts
     * @param nowNanos monotonic time
     */
    public ClusterView view(Probes probes, Patience patience, long nowNanos) {
        boolean isFresh = nowNanos - probes.askedNanos() <= patience.deadAfter().toNanos();
        List<NodeView> views = new ArrayList<>(nodes.size());
        nodes.forEach((id, seen) -> {
            boolean isAnswering = isFresh && probes.answered().contains(id);
            Word word = isAnswering ? Word.ANSWERED : probes.silent().contains(id) ? Word.SILENT : Word.NONE;
            views.add(seen.view(id, word, patience, nowNanos));
        });
        return ClusterView.of(views);
    }

    /** What the server of a node said when it was asked. */
    private enum Word {
        ANSWERED,
        SILENT,
        NONE
    }

    /**
     * Known when {@code reason} is null, then {@code sinceNanos} is the time of the look.
     *
     * @param wordSinceNanos when the word was first seen as it is
     */
    private record Sighting(
            @Nullable RoleWord word,
            long wordSinceNanos,
            @Nullable LoadRecord load,
            @Nullable Life life,
            SlotReading.@Nullable Reason reason,
            long sinceNanos) {
        long unknownSince(long nowNanos) {
            return reason == null ? nowNanos : sinceNanos;
        }

        boolean isStarting(Duration grace, long nowNanos) {
            return life != null && life.isStarting(grace, nowNanos);
        }

        boolean knowsBatches() {
            return life == null || life.knowsBatches;
        }

        /** Whether there is a connection, and no new heartbeat. */
        boolean isStale() {
            return reason == SlotReading.Reason.STALE;
        }

        boolean isUnknownFor(Duration bound, long nowNanos) {
            return reason != null && nowNanos - sinceNanos >= bound.toNanos();
        }

        NodeView view(NodeId id, Word server, Patience patience, long nowNanos) {
            if (word == null || load == null) {
                boolean isDead = server == Word.SILENT && isUnknownFor(patience.deadAfter(), nowNanos);
                return new NodeView.NeverSeen(id, reason == null ? SlotReading.Reason.MALFORMED : reason, isDead);
            }
            return reason == null
                    ? new NodeView.Known(id, word, load, isStarting(patience.startGrace(), nowNanos), knowsBatches())
                    : new NodeView.Silent(
                            id, word, load, reason, silence(word, server, patience, nowNanos), knowsBatches());
        }

        private Silence silence(RoleWord last, Word server, Patience patience, long nowNanos) {
            boolean isLong = isUnknownFor(patience.deadAfter(), nowNanos);
            boolean isOverdue = last.phase() == Phase.ORDERED
                    && nowNanos - wordSinceNanos >= patience.longestMove().toNanos();
            if (isLong && server == Word.SILENT) {
                return Silence.DEAD;
            }
            if (isLong && isOverdue) {
                return Silence.STRANDED;
            }
            boolean isLate = isStale() && server == Word.ANSWERED && !isUnknownFor(LONGEST_LATE, nowNanos);
            return isLate ? Silence.LATE : Silence.UNKNOWN;
        }
    }
}
