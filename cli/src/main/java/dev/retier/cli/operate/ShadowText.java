package dev.retier.cli.operate;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** What a shadow has found out, for people. Stateless. */
final class ShadowText {
    private ShadowText() {}

    static List<String> lines(JsonNode shadow) {
        List<String> lines = new ArrayList<>();
        lines.add("this agent is a shadow and orders nothing by itself; moves of nodes so far: "
                + shadow.path("agreed").asLong(0) + " as it would have, "
                + shadow.path("not_wanted").asLong(0) + " that it would not have made, "
                + shadow.path("not_ordered").asLong(0) + " that it would have made and nobody did, "
                + shadow.path("left_to_it").asLong(0) + " that nobody else was there to make");
        shadow.path("differences").forEach(found -> lines.addAll(difference(found)));
        return lines;
    }

    private static List<String> difference(JsonNode found) {
        List<String> lines = new ArrayList<>();
        JsonNode own = found.path("own");
        lines.add("  " + found.path("seconds_ago").asLong(0) + " s ago, "
                + found.path("site").asString("") + ": "
                + ValueText.moves(found.path("moves")) + ": "
                + found.path("sentence").asString("")
                + (found.has("wanted_seconds")
                        ? ", for " + found.path("wanted_seconds").asDouble(0) + " s"
                        : ""));
        lines.add("    it: "
                + (own.has("moves") && !found.has("wanted_seconds")
                        ? "would move " + ValueText.moves(own.path("moves")) + ", "
                        : "")
                + own.path("reason").asString("") + ": " + own.path("sentence").asString("") + "; "
                + own.path("detail").asString(""));
        if (found.has("value")) {
            ValueText.terms(found.path("value")).forEach(line -> lines.add("    " + line));
        }
        return lines;
    }
}
