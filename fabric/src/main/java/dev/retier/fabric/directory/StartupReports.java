package dev.retier.fabric.directory;

import dev.retier.link.NodeId;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a node that has just started hears about the names that it keeps. Belongs to its {@link Directory}. */
final class StartupReports {
    private final Set<NodeId> unheard;
    private final Map<Long, Found> found = new HashMap<>();
    private boolean over;

    StartupReports(Collection<NodeId> nodes) {
        unheard = new HashSet<>(nodes);
    }

    /** One region, as its holders report it. */
    static final class Found {
        private @Nullable RegionRecord settled;
        private @Nullable RegionRecord pending;
        final Set<NodeId> reporters = new HashSet<>();
        /** Who would have parts if every plan were carried out. */
        final Set<NodeId> plannedHolders = new HashSet<>();

        void add(NodeId from, RegionRequest.Report report) {
            reporters.add(from);
            report.pending().ifPresent(plan -> plannedHolders.addAll(plan.placement()));
            settled = newest(Optional.ofNullable(settled), report.settled()).orElse(null);
            pending = newest(Optional.ofNullable(pending), report.pending()).orElse(null);
        }

        private static Optional<RegionRecord> newest(Optional<RegionRecord> one, Optional<RegionRecord> other) {
            return Stream.concat(one.stream(), other.stream()).max(Comparator.comparingLong(RegionRecord::version));
        }

        /** Whether it was allocated but never settled. */
        boolean isHalfMade() {
            return settled == null;
        }

        RegionRecord newest() {
            return Objects.requireNonNull(settled == null ? pending : settled, "a report of nothing");
        }
    }

    boolean isOver() {
        return over;
    }

    void report(NodeId from, RegionRequest.Report report) {
        long id = report.settled().or(report::pending).orElseThrow().id();
        found.computeIfAbsent(id, _ -> new Found()).add(from, report);
    }

    /** {@code node} has reported all; returns whether it was the last of a gathering that is not over. */
    boolean heard(NodeId node) {
        unheard.remove(node);
        return !over && unheard.isEmpty();
    }

    /** Whether {@code node} has reported all since the start. */
    boolean isHeard(NodeId node) {
        return !unheard.contains(node);
    }

    /** Of {@code nodes}, those that have not been heard since the start. */
    Set<NodeId> unheardOf(Set<NodeId> nodes) {
        Set<NodeId> missing = new HashSet<>(nodes);
        missing.retainAll(unheard);
        return missing;
    }

    /** No more is waited for; what was found. */
    List<Found> end() {
        over = true;
        List<Found> all = List.copyOf(found.values());
        found.clear();
        return all;
    }
}
