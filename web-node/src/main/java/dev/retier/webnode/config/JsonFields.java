package dev.retier.webnode.config;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One JSON object whose keys are asked for one by one. A value that is missing or wrong is noted, and a harmless
 * stand-in returned, so that one pass finds every problem; the caller builds nothing when there is any.
 */
final class JsonFields {
    private static final int MAX_FILE_BYTES = 1 << 20;
    private static final int MAX_SHOWN_LENGTH = 40;
    private static final HostPort STAND_IN = new HostPort("127.0.0.1", 1);
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final @Nullable JsonNode node;
    private final String path;
    private final Problems problems;
    private final Set<String> known = new LinkedHashSet<>();

    private JsonFields(@Nullable JsonNode node, String path, Problems problems) {
        this.node = node;
        this.path = path;
        this.problems = problems;
    }

    /** The outermost object of a file; when there is none, that is the only problem reported. */
    static JsonFields root(byte[] bytes, Problems problems) {
        JsonNode tree = readTree(bytes, problems);
        return tree == null ? new JsonFields(null, "", new Problems("")) : of(tree, "", problems);
    }

    static JsonFields of(JsonNode node, String path, Problems problems) {
        if (node.isObject()) {
            return new JsonFields(node, path, problems);
        }
        problems.add(path, "expected an object { ... } but found " + shown(node));
        return new JsonFields(null, path, new Problems(""));
    }

    private static @Nullable JsonNode readTree(byte[] bytes, Problems problems) {
        if (bytes.length > MAX_FILE_BYTES) {
            problems.add("", "the file is larger than " + MAX_FILE_BYTES + " bytes; is it the right one?");
            return null;
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            if (text.isBlank()) {
                problems.add("", "the file is empty; write a JSON object { ... }");
                return null;
            }
            return MAPPER.readTree(text);
        } catch (CharacterCodingException e) {
            problems.add("", "the file is not UTF-8 text; save it as UTF-8");
        } catch (JacksonException e) {
            problems.add(place(e), "not valid JSON: " + e.getOriginalMessage() + "; correct it there");
        }
        return null;
    }

    /** Line and column, or nothing: errors of nesting depth come without a place. */
    private static String place(JacksonException e) {
        TokenStreamLocation location = e.getLocation();
        return location == null ? "" : location.getLineNr() + ":" + location.getColumnNr();
    }

    boolean has(String key) {
        return take(key) != null;
    }

    String text(String key, Pattern form, String remedy) {
        JsonNode value = required(key);
        if (value == null) {
            return "";
        }
        if (value.isString() && form.matcher(value.stringValue()).matches()) {
            return value.stringValue();
        }
        add(key, shown(value) + " is not accepted; " + remedy);
        return "";
    }

    void optionalText(String key) {
        JsonNode value = take(key);
        if (value != null && !value.isString()) {
            add(key, shown(value) + " is not a text; put it in quotes or remove it");
        }
    }

    HostPort address(String key, int minPort) {
        JsonNode value = required(key);
        if (value == null) {
            return STAND_IN;
        }
        Optional<HostPort> address = value.isString() ? HostPort.parse(value.stringValue()) : Optional.empty();
        if (address.isPresent() && address.get().port() >= minPort) {
            return address.get();
        }
        add(key, shown(value) + " is no address; write host:port with a port in " + minPort + "..65535");
        return STAND_IN;
    }

    <E> E oneOf(String key, E[] choices, Function<E, String> word, E standIn) {
        JsonNode value = required(key);
        if (value == null) {
            return standIn;
        }
        for (E choice : choices) {
            if (value.isString() && word.apply(choice).equals(value.stringValue())) {
                return choice;
            }
        }
        List<String> words = Arrays.stream(choices).map(word).toList();
        add(key, shown(value) + " is not accepted; use one of " + String.join(", ", words));
        return standIn;
    }

    long requiredInteger(String key, long min, long max) {
        JsonNode value = required(key);
        return value == null ? min : checked(key, value, min, max).orElse(min);
    }

    long integer(String key, long min, long max, long byDefault) {
        JsonNode value = take(key);
        return value == null ? byDefault : checked(key, value, min, max).orElse(byDefault);
    }

    private OptionalLong checked(String key, JsonNode value, long min, long max) {
        if (value.isIntegralNumber() && value.canConvertToLong()) {
            long number = value.longValue();
            if (number >= min && number <= max) {
                return OptionalLong.of(number);
            }
        }
        add(key, shown(value) + " is not accepted; use a whole number in " + min + ".." + max);
        return OptionalLong.empty();
    }

    double requiredNumber(String key, double min, double max) {
        JsonNode value = required(key);
        return value == null ? min : number(key, value, min, max);
    }

    double number(String key, double min, double max, double byDefault) {
        JsonNode value = take(key);
        return value == null ? byDefault : number(key, value, min, max);
    }

    private double number(String key, JsonNode value, double min, double max) {
        if (value.isNumber() && value.doubleValue() >= min && value.doubleValue() <= max) {
            return value.doubleValue();
        }
        add(key, shown(value) + " is not accepted; use a number in " + min + ".." + max);
        return min;
    }

    /** The object under {@code key}; an empty one, so all defaults, when it is missing. */
    JsonFields object(String key) {
        JsonNode value = take(key);
        return value == null ? new JsonFields(null, pathOf(key), problems) : of(value, pathOf(key), problems);
    }

    List<JsonNode> optionalList(String key, int maxItems) {
        JsonNode value = take(key);
        if (value == null) {
            return List.of();
        }
        if (!value.isArray() || value.size() > maxItems) {
            String what = value.isArray() ? "a list of " + value.size() : shown(value);
            add(key, what + " is not accepted; use a list of at most " + maxItems + " items");
            return List.of();
        }
        return new ArrayList<>(value.values());
    }

    /** Reports every key that nobody asked for. Call it last. */
    void finish() {
        if (node != null) {
            for (String key : node.propertyNames()) {
                if (!known.contains(key)) {
                    add(key, "unknown key; remove it or use one of " + String.join(", ", known));
                }
            }
        }
    }

    private @Nullable JsonNode required(String key) {
        JsonNode value = take(key);
        if (value == null) {
            add(key, "missing; add it");
        }
        return value;
    }

    private @Nullable JsonNode take(String key) {
        known.add(key);
        return node == null ? null : node.get(key);
    }

    private void add(String key, String message) {
        problems.add(pathOf(key), message);
    }

    private String pathOf(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    private static String shown(JsonNode value) {
        String text = value.isContainer() ? (value.isArray() ? "a list" : "an object") : value.toString();
        return text.length() <= MAX_SHOWN_LENGTH ? text : text.substring(0, MAX_SHOWN_LENGTH) + "...";
    }
}
