package dev.retier.load.target;

import dev.retier.load.LoadException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads {@code {"epoch": 12, "site": "shop", "targets": ["127.0.0.1:18001", ...]}}. {@code site} may be absent;
 * {@code epoch} defaults to 0; other keys are ignored. Thread-safe.
 */
public final class TargetListJson {
    /** A longer text is refused before it is parsed. */
    public static final int MAX_BYTES = 1 << 20;

    private static final JsonMapper MAPPER = JsonMapper.shared();

    private TargetListJson() {}

    /**
     * The list in {@code json}.
     *
     * @param origin file or URL, for the message
     * @throws LoadException in one line, naming the origin, when the text is no such list
     */
    public static TargetList parse(String origin, String json) {
        try {
            return list(MAPPER.readTree(json));
        } catch (JacksonException e) {
            throw bad(
                    origin,
                    "no JSON (" + e.getOriginalMessage().lines().findFirst().orElse("") + ")",
                    e);
        } catch (IllegalArgumentException e) {
            throw bad(origin, String.valueOf(e.getMessage()), e);
        }
    }

    private static TargetList list(JsonNode root) {
        JsonNode targets = root.path("targets");
        if (!targets.isArray()) {
            throw new IllegalArgumentException("has no array 'targets'");
        }
        List<Target> parsed = new ArrayList<>();
        for (JsonNode target : targets) {
            if (!target.isString()) {
                throw new IllegalArgumentException("a target is no string");
            }
            parsed.add(Target.parse(target.asString()));
        }
        return new TargetList(root.path("epoch").asLong(0), root.path("site").asString(""), parsed);
    }

    private static LoadException bad(String origin, String what, RuntimeException cause) {
        return new LoadException(
                "targets from " + origin + ": " + what
                        + "; expected {\"epoch\": 1, \"site\": \"shop\", \"targets\": [\"host:port\"]}",
                cause);
    }
}
