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

/**
 * Turns YAML and JSON text into {@link ConfigValue}s. Anchors and aliases are refused: each value stands where it is
 * used. JSON needs jackson-core alone; who reads YAML has jackson-dataformat-yaml among the dependencies, too. Owned by
 * one read.
 */
public final class ConfigReader {
    private static final int MAX_LENGTH = 1 << 20;
    private static final int MAX_DEPTH = 16;
    private static final Form JSON = new JsonForm();

    private final JsonParser parser;
    private final Form form;
    private final Problems problems;

    private ConfigReader(JsonParser parser, Form form, Problems problems) {
        this.parser = parser;
        this.form = form;
        this.problems = problems;
    }

    /** What the two languages do not have in common. */
    interface Form {
        /** Its name, for people. */
        String name();

        /** What makes its parsers. */
        TokenStreamFactory factory();

        /** Where in its line a problem is, as far as that helps. */
        String column(TokenStreamLocation place);

        /** What is wrong when something follows the value. */
        String goesOn();

        /** Whether the parser is at a name that stands for a value elsewhere. */
        boolean isAlias(JsonParser parser);

        /** What kind of scalar the parser is at. */
        ConfigValue.ScalarType type(JsonParser parser);
    }

    private record JsonForm() implements Form {
        private static final TokenStreamFactory FACTORY = JsonFactory.builder().build();

        @Override
        public String name() {
            return "JSON";
        }

        @Override
        public TokenStreamFactory factory() {
            return FACTORY;
        }

        @Override
        public String column(TokenStreamLocation place) {
            return ", at column " + place.getColumnNr();
        }

        @Override
        public String goesOn() {
            return "something follows its end";
        }

        @Override
        public boolean isAlias(JsonParser parser) {
            return false;
        }

        @Override
        public ConfigValue.ScalarType type(JsonParser parser) {
            JsonToken token = parser.currentToken();
            if (token == JsonToken.VALUE_STRING) {
                return ConfigValue.ScalarType.TEXT;
            }
            return token.isNumeric() ? ConfigValue.ScalarType.NUMBER : ConfigValue.ScalarType.WORD;
        }
    }

    /** The outermost value, or null when there is none or the text is no YAML, which is then in {@code problems}. */
    public static @Nullable ConfigValue yaml(String text, Problems problems) {
        if (text.length() > MAX_LENGTH) {
            problems.add(1, "", "the file is longer than " + MAX_LENGTH + " characters; is it the right one?");
            return null;
        }
        return read(new YamlForm(), text, problems);
    }

    /** The same for the bytes of a JSON file, UTF-8; nothing may follow the value. */
    public static @Nullable ConfigValue json(byte[] bytes, Problems problems) {
        if (bytes.length > MAX_LENGTH) {
            problems.add(1, "", "the file is larger than " + MAX_LENGTH + " bytes; is it the right one?");
            return null;
        }
        try {
            ByteBuffer text = ByteBuffer.wrap(bytes);
            return read(JSON, StandardCharsets.UTF_8.newDecoder().decode(text).toString(), problems);
        } catch (CharacterCodingException e) {
            problems.add(1, "", "the file is not UTF-8 text; save it as UTF-8");
            return null;
        }
    }

    private static @Nullable ConfigValue read(Form form, String text, Problems problems) {
        try (JsonParser parser = form.factory().createParser(ObjectReadContext.empty(), text)) {
            if (parser.nextToken() == null) {
                problems.add(1, "", "the file is empty; see conf/ for an example");
                return null;
            }
            ConfigValue value = new ConfigReader(parser, form, problems).value(0);
            if (parser.nextToken() != null) {
                throw new StreamReadException(parser, form.goesOn());
            }
            return value;
        } catch (JacksonException e) {
            TokenStreamLocation place = e.getLocation();
            boolean hasLine = place != null && place.getLineNr() > 0;
            String column = hasLine ? form.column(place) : "";
            problems.add(
                    hasLine ? place.getLineNr() : 1,
                    "",
                    "not valid " + form.name() + column + ": " + e.getOriginalMessage());
            return null;
        }
    }

    private ConfigValue value(int depth) {
        int line = line();
        if (depth > MAX_DEPTH) {
            throw new StreamReadException(
                    parser, "nested deeper than " + MAX_DEPTH + " levels; see conf/ for an example");
        }
        if (form.isAlias(parser)) {
            problems.add(line, "", "aliases are not supported; write the value out");
        }
        return switch (parser.currentToken()) {
            case START_OBJECT -> mapping(line, depth);
            case START_ARRAY -> items(line, depth);
            default -> new ConfigValue.Scalar(parser.getString(), form.type(parser), line);
        };
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
