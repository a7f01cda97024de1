package dev.retier.agent.daemon;

import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.decide.Decision;
import dev.retier.agent.http.AgentMetrics;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.move.MoverEffect;
import dev.retier.agent.view.NodeView;
import dev.retier.agent.view.RoleText;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The log lines that programs read as well: what such a line says is in its key-values, too, which only JSON shows.
 * {@code agent} is the node whose agent writes the line, {@code node} the one that it is about; {@code move_id} is the
 * same at all agents and in no other move of the cluster. Reasons are written as in the metrics. Stateless.
 */
final class LogLines {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");

    private final AgentConfig config;

    LogLines(AgentConfig config) {
        this.config = config;
    }

    /** Passing states come and go with every move, on every agent: they are in the metrics and the status. */
    void decided(Decision decision) {
        String site = RoleText.site(decision.site(), config.cluster());
        boolean isPassing =
                decision instanceof Decision.Stay stay && stay.reason().isPassing();
        LoggingEventBuilder line = LOG.atLevel(isPassing ? Level.DEBUG : Level.INFO)
                .addKeyValue("agent", name())
                .addKeyValue("site", site)
                .addKeyValue("reason", decision.reasonWord().toLowerCase(Locale.ROOT));
        switch (decision) {
            case Decision.Stay stay ->
                line.log("{}: {} stays: {} ({}; {})", name(), site, stay.sentence(), stay.reason(), stay.detail());
            case Decision.Change change ->
                line.log("{}: {} moves {}: {} ({})", name(), site, moves(change), change.sentence(), change.detail());
        }
    }

    private String moves(Decision.Change change) {
        return change.waves().stream()
                .map(wave -> wave.stream().map(this::move).collect(Collectors.joining(", ")))
                .collect(Collectors.joining("; then "));
    }

    private String move(Decision.Move move) {
        return nodeName(move.node()) + " from " + role(move.from()) + " to " + role(move.to());
    }

    void ordered(Decision.Move move, RoleWord word) {
        of(LOG.atInfo(), move.node(), word)
                .addKeyValue("phase", AgentMetrics.label(MovePhase.ORDERED))
                .addKeyValue("reason", AgentMetrics.label(move.reason()))
                .log(
                        "{}: ordered {} to leave {} for {} in epoch {}",
                        name(),
                        nodeName(move.node()),
                        role(word.from()),
                        role(word.to()),
                        word.epoch());
    }

    /** The agent's own node has come to that phase of its move. */
    void reached(MoveRecord entry, MoveLog.Notes notes, Duration sinceOrder) {
        RoleWord word = entry.word();
        LoggingEventBuilder line = of(LOG.atInfo(), config.self(), word)
                .addKeyValue("phase", AgentMetrics.label(entry.phase()))
                .addKeyValue("duration_ms", sinceOrder.toMillis());
        if (entry.reason() != null) {
            line = line.addKeyValue("reason", AgentMetrics.label(entry.reason()));
        }
        line.log(
                "{}: move {} from {} to {}: {} after {} ms{}{}{}",
                name(),
                word.epoch(),
                role(word.from()),
                role(word.to()),
                entry.phase(),
                sinceOrder.toMillis(),
                entry.reason() == null ? "" : ", because " + entry.reason(),
                notes.detail() == null ? "" : " (" + notes.detail() + ")",
                entry.phase() == MovePhase.DRAINED ? ", with " + notes.held() + " requests under way" : "");
    }

    /** A move that this agent ordered has not ended as it should. */
    void ended(Decision.Move move, MoverEffect.Finished how) {
        way(LOG.atWarn(), move.node(), move.from(), move.to())
                .addKeyValue("reason", AgentMetrics.label(how.result()))
                .log(
                        "{}: the move of {} to {} ended as {}{}",
                        name(),
                        nodeName(move.node()),
                        role(move.to()),
                        how.result(),
                        how.detail().isEmpty() ? "" : " " + how.detail());
    }

    void found(RoleWord order) {
        of(LOG.atWarn(), config.self(), order).log("{}: finds its move {} unfinished", name(), order.epoch());
    }

    void health(NodeView node, String reason) {
        boolean isServing = node.isServing();
        about(LOG.atLevel(isServing ? Level.INFO : Level.WARN), node.id())
                .addKeyValue("reason", reason)
                .log("{}: {} is {}: {}", name(), nodeName(node.id()), isServing ? "taken in" : "left out", reason);
    }

    private LoggingEventBuilder of(LoggingEventBuilder line, NodeId node, RoleWord word) {
        return way(line, node, word.from(), word.to())
                .addKeyValue("move_id", nodeName(node) + "/" + word.epoch())
                .addKeyValue("epoch", word.epoch());
    }

    /** {@code tier} is where the node goes, {@code site} whose it will be, or was. */
    private LoggingEventBuilder way(LoggingEventBuilder line, NodeId node, Role from, Role to) {
        String tier = to instanceof Role.Drained ? RoleText.DRAINED : RoleText.tier(to);
        LoggingEventBuilder told = about(line, node).addKeyValue("tier", tier);
        return RoleText.site(to, config.cluster())
                .or(() -> RoleText.site(from, config.cluster()))
                .map(site -> told.addKeyValue("site", site))
                .orElse(told);
    }

    private LoggingEventBuilder about(LoggingEventBuilder line, NodeId node) {
        return line.addKeyValue("agent", name()).addKeyValue("node", nodeName(node));
    }

    private String role(Role role) {
        return RoleText.of(role, config.cluster());
    }

    private String name() {
        return config.node().name();
    }

    private String nodeName(NodeId id) {
        return config.cluster().node(id).name();
    }
}
