package dev.retier.state.verbs;

import dev.retier.link.Gathering;
import dev.retier.link.NodeId;
import dev.retier.link.Work;
import dev.retier.state.CasOutcome;
import dev.retier.state.Fence;
import dev.retier.state.RoleWord;
import dev.retier.state.StateMetric;
import dev.retier.state.slot.SlotLayout;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** Changes role words by remote compare-and-swap, those of several nodes at once. Thread-safe. */
final class RoleSwapper {
    private final Local local;
    private final Sessions sessions;

    RoleSwapper(Local local, Sessions sessions) {
        this.local = local;
        this.sessions = sessions;
    }

    private record Bits(long expected, long next) {}

    /** Carries out all {@code changes} together, within one read deadline; the outcome of each. */
    Map<NodeId, CasOutcome> swap(Map<NodeId, Fence.Change> changes) {
        Map<NodeId, Bits> bits = new TreeMap<>();
        changes.forEach((node, change) -> bits.put(
                node, new Bits(change.expected().encode(), change.next().encode())));
        return swapBits(bits);
    }

    /** The same for one word, which may be none now. */
    CasOutcome swap(NodeId node, long expected, RoleWord next) {
        return Objects.requireNonNull(
                swapBits(Map.of(node, new Bits(expected, next.encode()))).get(node));
    }

    private Map<NodeId, CasOutcome> swapBits(Map<NodeId, Bits> changes) {
        Map<NodeId, CasOutcome> outcomes = new TreeMap<>();
        Gathering<Map.Entry<NodeId, Bits>> swaps = new Gathering<>();
        for (Map.Entry<NodeId, Bits> entry : changes.entrySet()) {
            NodeId node = entry.getKey();
            if (!local.config().peers().containsKey(node)) {
                throw new IllegalArgumentException(node + " is not in this cell");
            }
            long expected = entry.getValue().expected();
            long next = entry.getValue().next();
            Optional<Session> session = sessions.to(node);
            if (session.isEmpty()) {
                outcomes.put(node, new CasOutcome.Unreachable(node + " is not connected"));
            } else if (!session.get().compareAndSwap(SlotLayout.ROLE_OFFSET, expected, next, swaps, entry)) {
                String busy = node + " has " + Session.DEPTH + " operations under way already";
                outcomes.put(
                        node,
                        new CasOutcome.Unreachable(session.get().whyNoAtomics().orElse(busy)));
            }
        }
        swaps.await(
                local.deadlineNanos(), (entry, work) -> outcomes.put(entry.getKey(), judge(work, entry.getValue())));
        return outcomes;
    }

    private CasOutcome judge(Work work, Bits change) {
        if (work.ending() != Work.Ending.DONE) {
            local.counters().count(StateMetric.SWAPS_UNRESOLVED);
            return new CasOutcome.Unresolved(
                    work.ending() == Work.Ending.FAILED
                            ? "the connection broke before the answer came"
                            : "no answer within the read deadline");
        }
        long found = Session.word(work);
        if (found == change.expected()) {
            return new CasOutcome.Won();
        }
        return switch (RoleWord.parse(found)) {
            case RoleWord.Valid(RoleWord actual) -> new CasOutcome.Lost(actual);
            case RoleWord.Malformed(long bits, String _) -> new CasOutcome.Malformed(bits);
        };
    }
}
