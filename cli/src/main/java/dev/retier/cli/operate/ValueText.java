package dev.retier.cli.operate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** What changes would be worth, for people. Stateless. */
final class ValueText {
    private ValueText() {}

    static String move(JsonNode move) {
        return move.path("node").asString() + " from " + move.path("from").asString() + " to "
                + move.path("to").asString();
    }

    static String moves(JsonNode moves) {
        return moves.valueStream().map(ValueText::move).collect(Collectors.joining(", "));
    }

    /** A change with its parts, in the order of their weight. */
    static List<String> lines(JsonNode change) {
        List<String> lines = new ArrayList<>();
        String verdict = change.path("worth_it").asBoolean(false)
                ? "worth it"
                : "not worth it, " + change.path("why_not").asString("?") + ": "
                        + change.path("why_not_sentence").asString("");
        lines.add("possible: " + moves(change.path("moves")) + ": " + verdict);
        lines.addAll(terms(change).stream().map(line -> "  " + line).toList());
        return lines;
    }

    static List<String> terms(JsonNode change) {
        String needed = String.format(
                Locale.ROOT,
                " (more than %.2f needed)",
                change.path("requests_must_exceed").asDouble(0));
        return List.of(
                change.path("stands_sentence").asString("") + ": " + gains(change.path("gains")) + needed,
                "if this load lasted for ever: " + gains(change.path("gains_if_it_lasts")));
    }

    private static String gains(JsonNode gains) {
        List<String> parts = new ArrayList<>();
        parts.add("missing members " + signed(gains.path("missing_members")));
        gains.path("promised")
                .properties()
                .forEach(site -> parts.add("promise of " + site.getKey() + " " + signed(site.getValue())));
        parts.add("requests " + signed(gains.path("requests")));
        return String.join(", ", parts);
    }

    private static String signed(JsonNode gain) {
        return String.format(Locale.ROOT, "%+.2f", gain.asDouble(0));
    }
}
