package dev.retier.agent.daemon;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.view.RoleText;
import dev.retier.link.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Moves, for programs. Stateless. */
final class MovesPage {
    /** Of the own node, in the status; more are on the page of moves. */
    private static final int MOST_OWN = 64;

    private static final double NANOS_PER_SECOND = 1e9;
    private static final JsonMapper MAPPER = new JsonMapper();

    private MovesPage() {}

    /** The newest moves of a node, the oldest first. */
    static void showOwn(ArrayNode out, MoveLog moves, NodeId node, ClusterConfig config) {
        List<MoveLog.Snapshot> own = moves.snapshot().stream()
                .filter(move -> move.course().node().equals(node) && move.own().isPresent())
                .toList();
        own.stream().skip(Math.max(0, own.size() - MOST_OWN)).forEach(move -> show(out.addObject(), move, config));
    }

    /** A page of the newest moves of later epochs, the oldest of them first. */
    static String since(long epoch, int most, MoveLog moves, ClusterConfig config) {
        ObjectNode root = MAPPER.createObjectNode();
        ArrayNode out = root.putArray("moves");
        List<MoveLog.Snapshot> later = moves.snapshot().stream()
                .filter(move -> move.course().epoch() > epoch)
                .toList();
        later.stream().skip(Math.max(0, later.size() - most)).forEach(move -> show(out.addObject(), move, config));
        return MAPPER.writeValueAsString(root);
    }

    /** One move. */
    static String text(MoveLog.Snapshot move, ClusterConfig config) {
        ObjectNode out = MAPPER.createObjectNode();
        show(out, move, config);
        return MAPPER.writeValueAsString(out);
    }

    private static void show(ObjectNode out, MoveLog.Snapshot move, ClusterConfig config) {
        MoveLog.Course course = move.course();
        out.put("node", config.node(course.node()).name());
        out.put("epoch", course.epoch());
        out.put("from", RoleText.of(course.from(), config));
        out.put("to", RoleText.of(course.to(), config));
        out.put("state", word(course.state()));
        out.put("at", move.at().toString());
        move.took().ifPresent(took -> out.put("seconds", seconds(took)));
        move.own().ifPresent(own -> show(out, own));
    }

    private static void show(ObjectNode out, MoveLog.Own own) {
        if (own.reason() != null) {
            out.put("rolled_back_because", own.reason().name());
        }
        if (own.detail() != null) {
            out.put("rolled_back_detail", own.detail());
        }
        out.put("requests_held", own.held());
        ObjectNode phases = out.putObject("phases_seconds");
        own.phases().forEach((MovePhase phase, Duration since) -> phases.put(word(phase), seconds(since)));
    }

    private static double seconds(Duration since) {
        return since.toNanos() / NANOS_PER_SECOND;
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
