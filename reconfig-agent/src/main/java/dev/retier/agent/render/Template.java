package dev.retier.agent.render;

import dev.retier.agent.config.GeneratedValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Text with <code>{{name}}</code> for values, <code>{{#name}}...{{/name}}</code> for a part that is there when the
 * flag is set or once for each item of the list, and <code>{{^name}}...{{/name}}</code> for a part that is there when
 * it is not. A line with nothing but one such mark leaves no line. Items see the values around them. Immutable.
 */
public final class Template {
    /** More than any server's part needs. */
    private static final int MAX_LENGTH = 1 << 16;

    private static final int MAX_DEPTH = 8;
    private static final Pattern MARK = Pattern.compile("\\{\\{([#^/]?)([a-z]+)}}");
    private static final Pattern LONE_MARK = Pattern.compile("(?m)^[ \\t]*(\\{\\{[#^/][a-z]+}})[ \\t]*\\n");

    private final List<Part> parts;

    private sealed interface Part {
        record Text(String text) implements Part {}

        record Value(String name) implements Part {}

        record Section(String name, boolean isInverted, List<Part> parts) implements Part {}
    }

    private Template(List<Part> parts) {
        this.parts = parts;
    }

    /**
     * Reads a template.
     *
     * @throws IllegalArgumentException when a section is not closed, or closed that was not opened, or it is too long;
     *     the message says where
     */
    public static Template parse(String text) {
        if (text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("longer than " + MAX_LENGTH + " characters");
        }
        String joined = LONE_MARK.matcher(text).replaceAll("$1");
        Matcher matcher = MARK.matcher(joined);
        Reader reader = new Reader(joined, matcher);
        List<Part> parts = reader.parts("", 0);
        return new Template(parts);
    }

    /** Goes once through the text. */
    private static final class Reader {
        private final String text;
        private final Matcher matcher;
        private int position;

        Reader(String text, Matcher matcher) {
            this.text = text;
            this.matcher = matcher;
        }

        List<Part> parts(String open, int depth) {
            if (depth > MAX_DEPTH) {
                throw new IllegalArgumentException("sections are nested deeper than " + MAX_DEPTH);
            }
            List<Part> parts = new ArrayList<>();
            while (matcher.find()) {
                parts.add(new Part.Text(text.substring(position, matcher.start())));
                position = matcher.end();
                String name = matcher.group(2);
                switch (matcher.group(1)) {
                    case "#", "^" -> {
                        boolean isInverted = "^".equals(matcher.group(1));
                        parts.add(new Part.Section(name, isInverted, parts(name, depth + 1)));
                    }
                    case "/" -> {
                        if (!name.equals(open)) {
                            throw new IllegalArgumentException("{{/" + name + "}} closes no open section");
                        }
                        return parts;
                    }
                    default -> parts.add(new Part.Value(name));
                }
            }
            if (!open.isEmpty()) {
                throw new IllegalArgumentException("{{#" + open + "}} is not closed");
            }
            parts.add(new Part.Text(text.substring(position)));
            return parts;
        }
    }

    /**
     * What a template is filled with.
     *
     * @param values by name
     * @param flags every name that a section may have, with whether it is set
     * @param lists every name that a section may have, with its items
     */
    public record Filling(Map<String, String> values, Map<String, Boolean> flags, Map<String, List<Filling>> lists) {
        /** Keeps its own copies. */
        public Filling {
            values = Map.copyOf(values);
            flags = Map.copyOf(flags);
            lists = Map.copyOf(lists);
        }
    }

    /** What names stand for at one place: those of an item, and of what is around it. */
    private record Scope(Filling own, @Nullable Scope outer) {
        private <T> @Nullable T find(Function<Filling, Map<String, T>> kind, String name) {
            T found = kind.apply(own).get(name);
            return found == null && outer != null ? outer.find(kind, name) : found;
        }

        private Set<String> names() {
            Set<String> names = outer == null ? new TreeSet<>() : outer.names();
            names.addAll(own.values.keySet());
            names.addAll(own.flags.keySet());
            names.addAll(own.lists.keySet());
            return names;
        }
    }

    /**
     * The text for these values.
     *
     * @throws IllegalArgumentException when the template asks for a name that there is none of, or a value could be
     *     read as more than a value
     */
    public String fill(Filling filling) {
        StringBuilder out = new StringBuilder();
        append(parts, new Scope(filling, null), out);
        return out.toString();
    }

    private static void append(List<Part> parts, Scope scope, StringBuilder out) {
        for (Part part : parts) {
            switch (part) {
                case Part.Text(String text) -> out.append(text);
                case Part.Value(String name) -> out.append(value(name, scope));
                case Part.Section section -> section(section, scope, out);
            }
        }
    }

    private static String value(String name, Scope scope) {
        String value = scope.find(Filling::values, name);
        if (value == null) {
            throw unknown(name, scope);
        }
        if (!GeneratedValue.isPlain(value)) {
            throw new IllegalArgumentException("the value \"" + value + "\" of " + name + " is no name or address");
        }
        return value;
    }

    private static void section(Part.Section section, Scope scope, StringBuilder out) {
        Boolean flag = scope.find(Filling::flags, section.name);
        List<Filling> items = scope.find(Filling::lists, section.name);
        if (flag == null && items == null) {
            throw unknown(section.name, scope);
        }
        boolean isThere = flag == null ? items != null && !items.isEmpty() : flag;
        if (section.isInverted) {
            if (!isThere) {
                append(section.parts, scope, out);
            }
        } else if (items != null) {
            items.forEach(item -> append(section.parts, new Scope(item, scope), out));
        } else if (isThere) {
            append(section.parts, scope, out);
        }
    }

    private static IllegalArgumentException unknown(String name, Scope scope) {
        return new IllegalArgumentException(
                "{{" + name + "}} stands for nothing here; use one of " + String.join(", ", scope.names()));
    }
}
