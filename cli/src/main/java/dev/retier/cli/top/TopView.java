package dev.retier.cli.top;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What of an agent's answers is shown. What the agent does not know is null, or an empty text.
 *
 * @param cluster its name
 * @param by the node whose agent has answered
 * @param unknownShare of the nodes, 0..1
 * @param moves those that the agent has seen, the newest first
 */
public record TopView(
        String cluster,
        String by,
        String mode,
        Pause pause,
        double unknownShare,
        List<Site> sites,
        List<Node> nodes,
        List<Decision> decisions,
        List<Move> moves) {
    /** Whose decisions an operator has paused. */
    public enum Pause {
        /** Nobody's. */
        NONE,
        /** Those of the agent that has answered. */
        HERE,
        /** Everybody's. */
        CLUSTER
    }

    /** One site. */
    public record Site(
            String name,
            @Nullable Double deliveredPerSecond,
            @Nullable Double guaranteePerSecond,
            boolean isKept,
            List<Tier> tiers) {}

    /** One of its tiers. */
    public record Tier(
            String name,
            @Nullable Long nodes,
            long min,
            long max,
            @Nullable Double utilisation,
            double pressedSeconds) {}

    /**
     * One node.
     *
     * @param role {@code SITE/TIER}, {@code spare} or {@code drained}; where it goes while it moves; empty if unknown
     * @param isServing whether it can be given work
     */
    public record Node(
            String name,
            String role,
            boolean isMoving,
            boolean isServing,
            @Nullable Double utilisation,
            @Nullable Double requestsPerSecond) {}

    /** The present decision for a site. */
    public record Decision(String site, boolean isMove, String sentence) {}

    /** A move of the cell, and what has become of it. */
    public record Move(String at, String node, String from, String to, String became) {}

    /** Of {@code /v1/status} and {@code /v1/moves}; members that are missing are not known. */
    public static TopView of(JsonNode status, JsonNode moves) {
        boolean isPaused = status.path("paused_cluster").asBoolean(false);
        Pause here = status.path("paused_here").asBoolean(false) ? Pause.HERE : Pause.NONE;
        return new TopView(
                text(status, "cluster"),
                text(status, "node"),
                text(status, "mode"),
                isPaused ? Pause.CLUSTER : here,
                status.path("unknown_share_ratio").asDouble(1),
                status.path("sites").valueStream().map(TopView::site).toList(),
                status.path("nodes").valueStream().map(TopView::node).toList(),
                status.path("decisions").valueStream().map(TopView::decision).toList(),
                moves.path("moves").valueStream().map(TopView::move).toList().reversed());
    }

    private static Site site(JsonNode site) {
        return new Site(
                text(site, "site"),
                number(site, "delivered_requests_per_second"),
                number(site, "guarantee_requests_per_second"),
                site.path("guarantee_kept").asBoolean(true),
                site.path("tiers").valueStream().map(TopView::tier).toList());
    }

    private static Tier tier(JsonNode tier) {
        Double nodes = number(tier, "nodes");
        return new Tier(
                text(tier, "tier"),
                nodes == null ? null : Long.valueOf(nodes.longValue()),
                tier.path("min").asLong(0),
                tier.path("max").asLong(0),
                number(tier, "utilisation_ratio"),
                tier.path("pressed_seconds").asDouble(0));
    }

    private static Node node(JsonNode node) {
        return new Node(
                text(node, "node"),
                text(node, "role"),
                text(node, "phase").equals("ordered"),
                node.path("serving").asBoolean(false),
                number(node, "utilisation_ratio"),
                number(node, "requests_per_second"));
    }

    private static Decision decision(JsonNode decision) {
        boolean isMove = text(decision, "decision").equals("move");
        String moves = decision.path("waves")
                .valueStream()
                .flatMap(JsonNode::valueStream)
                .map(step -> text(step, "node") + " to " + text(step, "to"))
                .collect(Collectors.joining(", "));
        String sentence = text(decision, "sentence");
        return new Decision(text(decision, "site"), isMove, (isMove ? "moves " + moves + ": " : "stays: ") + sentence);
    }

    private static Move move(JsonNode move) {
        String because = text(move, "rolled_back_because");
        Double seconds = number(move, "seconds");
        String became = text(move, "state")
                + (seconds == null ? "" : String.format(Locale.ROOT, " after %.1f s", seconds))
                + (because.isEmpty() ? "" : ", because " + because);
        return new Move(text(move, "at"), text(move, "node"), text(move, "from"), text(move, "to"), became);
    }

    private static String text(JsonNode object, String member) {
        return object.path(member).asString("");
    }

    private static @Nullable Double number(JsonNode object, String member) {
        JsonNode value = object.path(member);
        return value.isNumber() ? Double.valueOf(value.asDouble()) : null;
    }
}
