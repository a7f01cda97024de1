package dev.retier.agent.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/** Turns YAML text into {@link YamlValue}s. Anchors and aliases are refused: each value stands where it is used. */
public final class YamlReader {
    private static final int MAX_TEXT_LENGTH = 1 << 20;
    private static final int MAX_DEPTH = 16;
    private static final YAMLFactory FACTORY = YAMLFactory.builder().build();

    private final YAMLParser parser;
    private final Problems problems;

    private YamlReader(YAMLParser parser, Problems problems) {
        this.parser = parser;
        this.problems = problems;
    }

    /** The outermost value, or null when there is none or the text is no YAML, which is then in {@code problems}. */
    public static @Nullable YamlValue read(String text, Problems problems) {
        if (text.length() > MAX_TEXT_LENGTH) {
            problems.add(1, "", "the file is longer than " + MAX_TEXT_LENGTH + " characters; is it the right one?");
            return null;
        }
        try (YAMLParser parser = (YAMLParser) FACTORY.createParser(ObjectReadContext.empty(), text)) {
            if (parser.nextToken() == null) {
                problems.add(1, "", "the file is empty; see conf/ for an example");
                return null;
            }
            return new YamlReader(parser, problems).value(0);
        } catch (JacksonException e) {
            int line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
            problems.add(line, "", "not valid YAML: " + e.getOriginalMessage());
            return null;
        }
    }

    private YamlValue value(int depth) {
        int line = line();
        if (depth > MAX_DEPTH) {
            problems.add(line, "", "nested deeper than " + MAX_DEPTH + " levels; see conf/ for an example");
            parser.skipChildren();
            return new YamlValue.Scalar("", line);
        }
        if (parser.isCurrentAlias()) {
            problems.add(line, "", "aliases are not supported; write the value out");
        }
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_OBJECT) {
            return mapping(line, depth);
        }
        return token == JsonToken.START_ARRAY ? items(line, depth) : new YamlValue.Scalar(parser.getString(), line);
    }

    private YamlValue mapping(int line, int depth) {
        Map<String, YamlValue> entries = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            int keyLine = line();
            parser.nextToken();
            if (entries.put(key, value(depth + 1)) != null) {
                problems.add(keyLine, key, "appears twice; keep one");
            }
        }
        return new YamlValue.Mapping(entries, line);
    }

    private YamlValue items(int line, int depth) {
        List<YamlValue> values = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            values.add(value(depth + 1));
        }
        return new YamlValue.Items(values, line);
    }

    private int line() {
        return parser.currentTokenLocation().getLineNr();
    }
}
