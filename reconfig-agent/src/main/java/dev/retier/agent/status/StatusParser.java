package dev.retier.agent.status;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads a web-node's {@code /status}. Strict on the keys it needs, indifferent to all others. */
public final class StatusParser {
    private static final JsonMapper MAPPER = new JsonMapper();
    /** Far beyond any server, and far from where sums of counts would overflow. */
    private static final long MAX_COUNT = 1L << 53;

    private static final int MAX_IN_FLIGHT = 1 << 24;

    private StatusParser() {}

    /** The status in this JSON, or empty if it is none: not JSON, a key missing, a figure of the wrong kind. */
    public static Optional<ServerStatus> parse(String json) {
        try {
            return Optional.of(status(MAPPER.readTree(json)));
        } catch (JacksonException | Malformed e) {
            return Optional.empty();
        }
    }

    private static ServerStatus status(JsonNode root) {
        JsonNode cache = required(root, "cache");
        return new ServerStatus(
                text(root, "role"),
                optionalText(root, "site"),
                count(root, "applied_epoch"),
                optionalText(root, "last_refusal"),
                number(root, "capacity_units_per_second"),
                number(root, "busy_seconds_total"),
                inFlight(root),
                backEndInFlight(root),
                age(root),
                sum(required(root, "requests_total")),
                count(cache, "hits_total"),
                count(cache, "misses_total"),
                root.has("uptime_seconds") ? number(root, "uptime_seconds") : null);
    }

    private static int backEndInFlight(JsonNode root) {
        int total = 0;
        for (JsonNode upstream : required(root, "upstreams").values()) {
            total = (int) Math.min(MAX_IN_FLIGHT, (long) total + inFlight(upstream));
        }
        return total;
    }

    private static int inFlight(JsonNode node) {
        long value = count(node, "in_flight");
        if (value > MAX_IN_FLIGHT) {
            throw new Malformed();
        }
        return (int) value;
    }

    private static @Nullable Double age(JsonNode root) {
        JsonNode age = root.get("last_client_request_age_seconds");
        return age == null || age.isNull() ? null : number(root, "last_client_request_age_seconds");
    }

    private static long sum(JsonNode byClass) {
        long total = 0;
        for (String name : byClass.propertyNames()) {
            total += count(byClass, name);
            if (total > MAX_COUNT) {
                throw new Malformed(); // each count may be possible, and their sum not
            }
        }
        return total;
    }

    private static @Nullable String optionalText(JsonNode node, String key) {
        JsonNode value = node.get(key);
        return value == null || value.isNull() ? null : text(node, key);
    }

    private static String text(JsonNode node, String key) {
        JsonNode value = required(node, key);
        if (!value.isString()) {
            throw new Malformed();
        }
        return value.stringValue();
    }

    private static long count(JsonNode node, String key) {
        JsonNode value = required(node, key);
        boolean isWhole = value.isIntegralNumber() && value.canConvertToLong();
        if (!isWhole || value.longValue() < 0 || value.longValue() > MAX_COUNT) {
            throw new Malformed();
        }
        return value.longValue();
    }

    private static double number(JsonNode node, String key) {
        JsonNode value = required(node, key);
        if (!value.isNumber() || !(value.doubleValue() >= 0) || Double.isInfinite(value.doubleValue())) {
            throw new Malformed();
        }
        return value.doubleValue();
    }

    private static JsonNode required(JsonNode node, String key) {
        JsonNode value = node.get(key);
        if (value == null) {
            throw new Malformed();
        }
        return value;
    }

    /** Leaves the parse from any depth; never leaves this class. */
    private static final class Malformed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Malformed() {
            super("not a status", null, false, false);
        }
    }
}
