package dev.retier.agent.daemon;

import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.decide.Decision;
import dev.retier.agent.decide.Shadow;
import dev.retier.agent.decide.StayReason;
import dev.retier.agent.event.AgentListener;
import dev.retier.agent.event.DecisionEvent;
import dev.retier.agent.event.HealthEvent;
import dev.retier.agent.event.MoveEvent;
import dev.retier.agent.event.TargetsEvent;
import dev.retier.agent.http.AgentMetric;
import dev.retier.agent.http.AgentMetrics;
import dev.retier.agent.http.EventRing;
import dev.retier.agent.loop.Notice;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.move.MoverEffect;
import dev.retier.agent.move.MoverResult;
import dev.retier.agent.render.TargetList;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.link.NodeId;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Says what happens: to the log, the metrics, the listener and the status page. Called from the control loop. */
final class Narrator {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");

    private final AgentConfig config;
    private final LogLines lines;
    private final AgentListener listener;
    private final AgentMetrics metrics;
    private final EventRing events;
    private final MoveLog moves = new MoveLog();
    private final Map<SiteId, Decision> decisions = new ConcurrentHashMap<>();
    private final Map<NodeId, Boolean> serving = new HashMap<>();
    private final Set<NodeId> differing = new HashSet<>();
    private boolean isJournalGood = true;

    Narrator(AgentConfig config, AgentListener listener, AgentMetrics metrics, EventRing events) {
        this.config = config;
        this.lines = new LogLines(config);
        this.listener = listener;
        this.metrics = metrics;
        this.events = events;
        FirstFigures.register(metrics, config);
        if (config.isShadow()) {
            LOG.info("{}: as a shadow this agent orders no move by its own decision, whatever the file says", name());
        }
    }

    /** The newest decision of each site; may be read from any thread. */
    Map<SiteId, Decision> decisions() {
        return decisions;
    }

    /** The newest moves; may be read from any thread. */
    MoveLog moves() {
        return moves;
    }

    /** What happens, for those who watch; may be read from any thread. */
    EventRing events() {
        return events;
    }

    /** Says it. */
    void tell(Notice notice) {
        switch (notice) {
            case Notice.Seen(ClusterView view) -> {
                count(view);
                seen(view);
                configs(view);
                moves.seen(view, Instant.now(), System.nanoTime()).forEach(this::told);
            }
            case Notice.Decided(Decision decision) -> decided(decision);
            case Notice.Compared(Shadow.Comparison found) -> compared(found);
            case Notice.MoveOrdered(Decision.Move move, RoleWord word) -> ordered(move, word);
            case Notice.MoveEnded(MoverEffect.Finished how) -> ended(how);
            case Notice.MoveFound(RoleWord order) -> lines.found(order);
            case Notice.MoveReached(MoveRecord entry, int held, String detail) ->
                reached(entry, new MoveLog.Notes(held, detail));
            case Notice.JournalFailed _ -> metrics.count(AgentMetric.JOURNAL_FAILURES);
            case Notice.FileApplied _ -> fileEnded(FirstFigures.FileResult.APPLIED);
            case Notice.FileRefused(String why, boolean isPutBack) -> {
                fileEnded(FirstFigures.FileResult.REFUSED);
                LOG.error(
                        "{}: server refused {}: {}; {}; it is tried again every ten seconds",
                        name(),
                        roleFile(),
                        why,
                        isPutBack ? "the last good file goes back" : "there is no good file of its role to go back to");
            }
            case Notice.FileLate _ -> {
                fileEnded(FirstFigures.FileResult.LATE);
                LOG.warn(
                        "{}: server has not taken {} in time; is it running, and does it read it?", name(), roleFile());
            }
            case Notice.ServerAstray(String role) ->
                LOG.error(
                        "{}: the server serves as {}, which {} of this agent does not say; somebody else has written"
                                + " there: it is written anew",
                        name(),
                        role,
                        roleFile());
            case Notice.FileFailed(String why, boolean isFirst) -> fileFailed(why, isFirst);
            case Notice.WordFlawed(NodeId node, String why) ->
                LOG.error(
                        "{}: the role word of {} cannot be true: {}; somebody who knows the secret has written it, or"
                                + " runs other files; {}",
                        name(),
                        nodeName(node),
                        why,
                        node.equals(config.self()) ? "this agent puts back what was there" : "the node is unknown");
            case Notice.WordMended(NodeId node) ->
                LOG.info("{}: the role word of {} is good again", name(), nodeName(node));
            case Notice.PauseHeard(boolean isPaused) ->
                LOG.info("{}: an operator has {} decisions of the cluster", name(), isPaused ? "paused" : "resumed");
            case Notice.PauseNotKept(String problem) ->
                LOG.error(
                        "{}: a pause of the cluster cannot be kept over a restart: {}; check the journal's folder,"
                                + " its owner and the space left",
                        name(),
                        problem);
        }
    }

    private void fileEnded(FirstFigures.FileResult result) {
        metrics.count(AgentMetric.RELOADS, "result", AgentMetrics.label(result));
    }

    private String roleFile() {
        return config.node().roleFiles();
    }

    private void fileFailed(String why, boolean isFirst) {
        fileEnded(FirstFigures.FileResult.WRITE_FAILED);
        if (isFirst) {
            LOG.error(
                    "{}: cannot write {} ({}); the server keeps what it has; check owner and free space",
                    name(),
                    roleFile(),
                    why);
        }
    }

    /** Why no move can be put on disk; null when one can. Said when it changes. */
    void journal(@Nullable String problem) {
        if (problem != null && isJournalGood) {
            LOG.error("{}: no move can be carried out: {}", name(), problem);
        } else if (problem == null && !isJournalGood) {
            LOG.info("{}: journal and role file can be written again, so moves can be carried out", name());
        }
        isJournalGood = problem == null;
    }

    private void ended(MoverEffect.Finished how) {
        if (how.refusal() == StayReason.VIEW_WAS_OLD) {
            metrics.count(AgentMetric.CAS_CONFLICTS);
        } else if (how.refusal() == null && how.result() != MoverResult.COMPLETED) {
            how.moves().forEach(move -> lines.ended(move, how));
        }
    }

    void cannotOutgrow(IOException problem) {
        LOG.warn(
                "{}: the number of the next start cannot be raised ({}): check the journal's folder, its owner and the"
                        + " free space",
                name(),
                problem.toString());
    }

    /** The agent ends before its move does. */
    void leavesInItsMove() {
        LOG.warn("{}: leaves in the middle of its move; the journal lets the next start finish it", name());
    }

    private void decided(Decision decision) {
        if (decision instanceof Decision.Stay stay) {
            metrics.count(AgentMetric.MOVES_SKIPPED, "reason", AgentMetrics.label(stay.reason()));
        }
        Decision before = decisions.put(decision.site(), decision);
        if (before != null && isSame(before, decision)) {
            return;
        }
        events.add(EventRing.Kind.DECISION, DecisionPage.text(decision, config.cluster()));
        lines.decided(decision);
        listener.decisionChanged(new DecisionEvent(config.self(), decision, Instant.now()));
    }

    private void compared(Shadow.Comparison found) {
        metrics.count(
                AgentMetric.SHADOW_MOVES,
                found.moves().size(),
                "kind",
                found.kind().word());
        LOG.atLevel(found.kind() == Shadow.Kind.AGREED ? Level.DEBUG : Level.INFO)
                .log("{}: as a shadow: {}", name(), ShadowPage.line(found, config.cluster()));
    }

    private static boolean isSame(Decision before, Decision after) {
        return before.getClass() == after.getClass() && before.reasonWord().equals(after.reasonWord());
    }

    /** This node has ordered {@code node} to move. */
    private void ordered(Decision.Move move, RoleWord word) {
        lines.ordered(move, word);
        MoveRecord entry = new MoveRecord(word, MovePhase.ORDERED, null);
        tell(move.node(), entry, move.reason().name(), MoveLog.Notes.NONE);
    }

    /** This node has reached a phase of its own move. */
    private void reached(MoveRecord entry, MoveLog.Notes notes) {
        MoveLog.Snapshot move = moves.reached(config.self(), entry, notes, Instant.now(), System.nanoTime());
        Duration sinceOrder =
                move.own().map(own -> own.phases().get(entry.phase())).orElseThrow();
        told(move);
        lines.reached(entry, notes, sinceOrder);
        metrics.time(AgentMetric.MOVE_DURATION, sinceOrder, "phase", AgentMetrics.label(entry.phase()));
        if (entry.phase().isFinal()) {
            String why = entry.reason() == null ? "none" : AgentMetrics.label(entry.reason());
            metrics.count(AgentMetric.MOVES, FirstFigures.ended(entry.phase(), why));
        }
        if (entry.phase() != MovePhase.ORDERED) {
            tell(config.self(), entry, null, notes);
        }
    }

    private void told(MoveLog.Snapshot move) {
        events.add(EventRing.Kind.MOVE, MovesPage.text(move, config.cluster()));
    }

    private void tell(NodeId node, MoveRecord entry, @Nullable String why, MoveLog.Notes notes) {
        RoleWord word = entry.word();
        listener.movePhase(new MoveEvent(
                config.self(),
                node,
                word.epoch(),
                word.from(),
                word.to(),
                entry.phase(),
                entry.reason(),
                notes.detail(),
                why,
                notes.held(),
                Instant.now(),
                System.nanoTime()));
    }

    private void count(ClusterView view) {
        NodesSeen.of(view).forEach((state, nodes) -> metrics.count(AgentMetric.NODES_SEEN, nodes, "state", state));
    }

    /** Says which nodes can be given work now and which no longer; of new nodes only those that cannot. */
    private void seen(ClusterView view) {
        for (NodeView node : view.nodes().values()) {
            if (node instanceof NodeView.NeverSeen) {
                continue;
            }
            boolean wasServing = serving.getOrDefault(node.id(), true);
            serving.put(node.id(), node.isServing());
            if (wasServing != node.isServing()) {
                healthChanged(node);
            }
        }
    }

    /** Says once of whom the configuration differs, and when that is over; one that is gone has not changed it. */
    private void configs(ClusterView view) {
        for (NodeView node : view.nodes().values()) {
            NodeId id = node.id();
            if (view.differing().contains(id)) {
                if (differing.add(id)) {
                    LOG.warn(
                            "{}: {} has another cluster file (sites, nodes, witnesses or lease): nothing moves"
                                    + " until all agents have the same one",
                            name(),
                            nodeName(id));
                }
            } else if (node instanceof NodeView.Known && differing.remove(id)) {
                LOG.info("{}: {} has the same cluster file now", name(), nodeName(id));
            }
        }
    }

    private void healthChanged(NodeView node) {
        String reason = reason(node);
        lines.health(node, reason);
        listener.serverHealthChanged(
                new HealthEvent(config.self(), node.id(), node.isServing(), reason, Instant.now()));
    }

    static String reason(NodeView node) {
        return switch (node) {
            case NodeView.Known known -> "server " + known.load().serverHealth();
            case NodeView.Silent silent -> "agent silent (" + silent.reason() + "), " + meaning(silent.silence());
            case NodeView.NeverSeen never -> "never seen (" + never.reason() + ")";
        };
    }

    private static String meaning(NodeView.Silence silence) {
        return switch (silence) {
            case UNKNOWN -> "server not known dead";
            case LATE -> "server answers, its last load stands";
            case STRANDED -> "gone in the middle of its move: start it, or its node serves nobody";
            case DEAD -> "server silent too";
        };
    }

    void targets(TargetList list) {
        LOG.debug("{}: targets of {} are {}", name(), list.site(), list.targets());
        listener.targetsChanged(new TargetsEvent(config.self(), list, Instant.now()));
    }

    private String name() {
        return config.node().name();
    }

    private String nodeName(NodeId id) {
        return config.cluster().node(id).name();
    }
}
