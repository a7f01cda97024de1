package dev.retier.agent.view;

import dev.retier.link.NodeId;
import dev.retier.state.LoadRecord;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.RoleWord;
import dev.retier.state.SlotReading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of each node from look to look: its last good slot, and since when it has been unknown. A value:
 * each look gives a new one. As large as the cluster.
 */
public final class Sightings {
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

    private static Sighting next(@Nullable Sighting before, SlotReading reading, long nowNanos) {
        return switch (reading) {
            case SlotReading.Known known
            when known.load().serverHealth() == Health.MUTE -> mute(before, known, nowNanos);
            case SlotReading.Known known -> new Sighting(known.roleWord(), known.load(), null, nowNanos);
            case SlotReading.Unknown unknown ->
                before == null
                        ? new Sighting(null, null, unknown.reason(), nowNanos)
                        : new Sighting(
                                before.word,
                                before.load,
                                unknown.reason(),
                                before.reason == null ? nowNanos : before.sinceNanos);
        };
    }

    /** Its role word is as true as ever; of its load, what it told last stands. */
    private static Sighting mute(@Nullable Sighting before, SlotReading.Known known, long nowNanos) {
        return new Sighting(
                known.roleWord(),
                before == null || before.load == null ? known.load() : before.load,
                SlotReading.Reason.MUTE,
                before == null || before.reason == null ? nowNanos : before.sinceNanos);
    }

    /** The nodes that have been unknown for {@code bound} or longer: ask their servers whether they live. */
    public List<NodeId> unknownFor(Duration bound, long nowNanos) {
        List<NodeId> unknown = new ArrayList<>();
        nodes.forEach((id, seen) -> {
            if (seen.isUnknownFor(bound, nowNanos)) {
                unknown.add(id);
            }
        });
        Collections.sort(unknown);
        return unknown;
    }

    /**
     * The view after the newest look.
     *
     * @param silentServers the servers of unknown nodes that did not answer when asked
     * @param bound how long a node must have been unknown to count as dead then
     * @param nowNanos monotonic time
     */
    public ClusterView view(Set<NodeId> silentServers, Duration bound, long nowNanos) {
        List<NodeView> views = new ArrayList<>(nodes.size());
        nodes.forEach((id, seen) ->
                views.add(seen.view(id, silentServers.contains(id) && seen.isUnknownFor(bound, nowNanos))));
        return ClusterView.of(views);
    }

    /** Known when {@code reason} is null, then {@code sinceNanos} is the time of the look. */
    private record Sighting(
            @Nullable RoleWord word, @Nullable LoadRecord load, SlotReading.@Nullable Reason reason, long sinceNanos) {
        boolean isUnknownFor(Duration bound, long nowNanos) {
            return reason != null && nowNanos - sinceNanos >= bound.toNanos();
        }

        NodeView view(NodeId id, boolean isDead) {
            if (word == null || load == null) {
                return new NodeView.NeverSeen(id, reason == null ? SlotReading.Reason.MALFORMED : reason);
            }
            return reason == null
                    ? new NodeView.Known(id, word, load)
                    : new NodeView.Silent(id, word, load, reason, isDead);
        }
    }
}
