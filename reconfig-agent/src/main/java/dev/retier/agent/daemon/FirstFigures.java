package dev.retier.agent.daemon;

import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.decide.Shadow;
import dev.retier.agent.decide.StayReason;
import dev.retier.agent.http.AgentMetric;
import dev.retier.agent.http.AgentMetrics;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.RollbackReason;
import dev.retier.agent.server.InstallerEvents;
import java.util.List;
import java.util.function.Consumer;

/**
 * What an agent counts and times, each from 0 with every label that it may have: a series that begins with its first
 * event shows no step, so that no rule of an alarm would see that event. Stateless.
 */
final class FirstFigures {
    /** Of a file that the server obeys. */
    enum FileResult {
        /** The server runs it. */
        APPLIED,
        /** The server does not take it. */
        REFUSED,
        /** The server has not taken it in time. */
        LATE,
        /** It could not be written. */
        WRITE_FAILED
    }

    private FirstFigures() {}

    static void register(AgentMetrics metrics, AgentConfig config) {
        each(FileResult.values(), result -> metrics.count(AgentMetric.RELOADS, 0, "result", result));
        each(InstallerEvents.Result.values(), result -> metrics.count(AgentMetric.INSTALLATIONS, 0, "result", result));
        each(EdgesHeard.Result.values(), result -> metrics.count(AgentMetric.EDGE_WORDS, 0, "result", result));
        each(StayReason.values(), reason -> metrics.count(AgentMetric.MOVES_SKIPPED, 0, "reason", reason));
        each(InstallerEvents.Step.values(), step -> metrics.times(AgentMetric.RELOAD_DURATION, "phase", step));
        each(MovePhase.values(), phase -> metrics.times(AgentMetric.MOVE_DURATION, "phase", phase));
        metrics.count(AgentMetric.MOVES, 0, ended(MovePhase.ACTIVE, "none"));
        each(
                RollbackReason.values(),
                reason -> metrics.count(AgentMetric.MOVES, 0, ended(MovePhase.ROLLED_BACK, reason)));
        NodesSeen.none().keySet().forEach(state -> metrics.count(AgentMetric.NODES_SEEN, 0, "state", state));
        List.of(AgentMetric.JOURNAL_FAILURES, AgentMetric.CAS_CONFLICTS).forEach(metric -> metrics.count(metric, 0));
        List.of(AgentMetric.LOOK_DURATION, AgentMetric.PAGE_DURATION).forEach(metrics::times);
        config.cluster().sites().forEach(site -> metrics.count(AgentMetric.SITE_BROKEN, 0, "site", site.name()));
        if (config.isShadow()) {
            for (Shadow.Kind kind : Shadow.Kind.values()) {
                metrics.count(AgentMetric.SHADOW_MOVES, 0, "kind", kind.word());
            }
        }
    }

    /** Labels of a move that ended so. */
    static String[] ended(MovePhase phase, String reason) {
        return new String[] {"result", AgentMetrics.label(phase), "reason", reason};
    }

    private static void each(Enum<?>[] values, Consumer<String> register) {
        for (Enum<?> value : values) {
            register.accept(AgentMetrics.label(value));
        }
    }
}
