package dev.retier.config;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/**
 * Turns YAML and JSON text into {@link ConfigValue}s. Anchors and aliases are refused: each value stands where it is
 * used. Owned by one read.
 */
public final class ConfigReader {
    private static final int MAX_LENGTH = 1 << 20;
    private static final int MAX_DEPTH = 16;
    private static final TokenStreamFactory YAML = YAMLFactory.builder().build();
    private static final TokenStreamFactory JSON = JsonFactory.builder().build();

    private final JsonParser parser;
    private final Problems problems;

    private ConfigReader(JsonParser parser, Problems problems) {
        this.parser = parser;
        this.problems = problems;
    }

    /** The outermost value, or null when there is none or the text is no YAML, which is then in {@code problems}. */
    public static @Nullable ConfigValue yaml(String text, Problems problems) {
        if (text.length() > MAX_LENGTH) {
            problems.add(1, "", "the file is longer than " + MAX_LENGTH + " characters; is it the right one?");
            return null;
        }
        return read(YAML, "YAML", text, problems);
    }

    /** The same for the bytes of a JSON file, UTF-8; nothing may follow the value. */
    public static @Nullable ConfigValue json(byte[] bytes, Problems problems) {
        if (bytes.length > MAX_LENGTH) {
            problems.add(1, "", "the file is larger than " + MAX_LENGTH + " bytes; is it the right one?");
            return null;
        }
        try {
            ByteBuffer text = ByteBuffer.wrap(bytes);
            return read(
                    JSON,
                    "JSON",
                    StandardCharsets.UTF_8.newDecoder().decode(text).toString(),
                    problems);
        } catch (CharacterCodingException e) {
            problems.add(1, "", "the file is not UTF-8 text; save it as UTF-8");
            return null;
        }
    }

    private static @Nullable ConfigValue read(TokenStreamFactory form, String name, String text, Problems problems) {
        try (JsonParser parser = form.createParser(ObjectReadContext.empty(), text)) {
            if (parser.nextToken() == null) {
                problems.add(1, "", "the file is empty; see conf/ for an example");
                return null;
            }
            ConfigValue value = new ConfigReader(parser, problems).value(0);
            if (parser.nextToken() != null) {
                throw new StreamReadException(
                        parser,
                        parser instanceof YAMLParser
                                ? "a second document begins; keep one, in a file of its own"
                                : "something follows its end");
            }
            return value;
        } catch (JacksonException e) {
            TokenStreamLocation place = e.getLocation();
            boolean hasLine = place != null && place.getLineNr() > 0;
            String column = hasLine && form instanceof JsonFactory ? ", at column " + place.getColumnNr() : "";
            problems.add(
                    hasLine ? place.getLineNr() : 1, "", "not valid " + name + column + ": " + e.getOriginalMessage());
            return null;
        }
    }

    private ConfigValue value(int depth) {
        int line = line();
        if (depth > MAX_DEPTH) {
            throw new StreamReadException(
                    parser, "nested deeper than " + MAX_DEPTH + " levels; see conf/ for an example");
        }
        if (parser instanceof YAMLParser yaml && yaml.isCurrentAlias()) {
            problems.add(line, "", "aliases are not supported; write the value out");
        }
        return switch (parser.currentToken()) {
            case START_OBJECT -> mapping(line, depth);
            case START_ARRAY -> items(line, depth);
            default -> new ConfigValue.Scalar(parser.getString(), type(), line);
        };
    }

    private ConfigValue.ScalarType type() {
        if (parser instanceof YAMLParser) {
            return ConfigValue.ScalarType.OPEN;
        }
        JsonToken token = parser.currentToken();
        if (token == JsonToken.VALUE_STRING) {
            return ConfigValue.ScalarType.TEXT;
        }
        return token.isNumeric() ? ConfigValue.ScalarType.NUMBER : ConfigValue.ScalarType.WORD;
    }

    private ConfigValue mapping(int line, int depth) {
        Map<String, ConfigValue> entries = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            int keyLine = line();
            parser.nextToken();
            if (entries.put(key, value(depth + 1)) != null) {
                problems.add(keyLine, key, "appears twice; keep one");
            }
        }
        return new ConfigValue.Mapping(entries, line);
    }

    private ConfigValue items(int line, int depth) {
        List<ConfigValue> values = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            values.add(value(depth + 1));
        }
        return new ConfigValue.Items(values, line);
    }

    private int line() {
        return parser.currentTokenLocation().getLineNr();
    }
}
