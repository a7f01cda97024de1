package dev.retier.agent.config;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One YAML mapping whose keys are asked for one by one. A value that is missing or wrong is noted, and a harmless
 * stand-in returned, so that one pass finds every problem; the caller builds nothing when there is any.
 */
final class Fields {
    private static final int MAX_SHOWN_LENGTH = 40;
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,12}(\\.\\d{1,12})?");

    private final YamlValue.@Nullable Mapping mapping;
    private final int line;
    private final String path;
    private final Problems problems;
    private final Set<String> known = new LinkedHashSet<>();

    private Fields(YamlValue.@Nullable Mapping mapping, int line, String path, Problems problems) {
        this.mapping = mapping;
        this.line = line;
        this.path = path;
        this.problems = problems;
    }

    static Fields of(YamlValue value, String path, Problems problems) {
        if (value instanceof YamlValue.Mapping mapping) {
            return new Fields(mapping, value.line(), path, problems);
        }
        problems.add(value.line(), path, "expected keys with values but found " + shown(value));
        return new Fields(null, value.line(), path, new Problems(""));
    }

    int line() {
        return line;
    }

    /** The line of a key's value, or that of the mapping when the key is missing. */
    int lineOf(String key) {
        YamlValue value = mapping == null ? null : mapping.entries().get(key);
        return value == null ? line : value.line();
    }

    boolean has(String key) {
        return take(key) != null;
    }

    void problem(String key, String message) {
        problems.add(lineOf(key), pathOf(key), message);
    }

    String text(String key, Pattern form, String remedy) {
        return convert(
                key, null, text -> form.matcher(text).matches() ? Optional.of(text) : Optional.empty(), remedy, "");
    }

    Optional<String> optionalText(String key, Pattern form, String remedy) {
        return has(key) ? Optional.of(text(key, form, remedy)) : Optional.empty();
    }

    HostPort address(String key, int minPort) {
        Function<String, Optional<HostPort>> read =
                text -> HostPort.parse(text).filter(address -> address.port() >= minPort);
        return convert(
                key, null, read, "write host:port with a port in " + minPort + "..65535", new HostPort("0.0.0.0", 1));
    }

    Duration duration(String key, Duration byDefault, Duration min, Duration max) {
        Function<String, Optional<Duration>> read = text ->
                DurationText.parse(text).filter(value -> value.compareTo(min) >= 0 && value.compareTo(max) <= 0);
        String range = DurationText.print(min) + ".." + DurationText.print(max);
        return convert(key, byDefault, read, DurationText.REMEDY + ", in " + range, byDefault);
    }

    int integer(String key, @Nullable Integer byDefault, int min, int max) {
        Function<String, Optional<Integer>> read = text -> text.matches("-?\\d{1,9}")
                ? Optional.of(Integer.valueOf(text)).filter(value -> value >= min && value <= max)
                : Optional.empty();
        return convert(key, byDefault, read, "write a whole number in " + min + ".." + max, min);
    }

    double number(String key, @Nullable Double byDefault, double min, double max) {
        Function<String, Optional<Double>> read = text -> NUMBER.matcher(text).matches()
                ? Optional.of(Double.valueOf(text)).filter(value -> value >= min && value <= max)
                : Optional.empty();
        return convert(key, byDefault, read, "write a number in " + min + ".." + max, min);
    }

    <E> E oneOf(String key, E[] choices, @Nullable E byDefault, Function<E, String> word) {
        Function<String, Optional<E>> read = text -> Arrays.stream(choices)
                .filter(choice -> word.apply(choice).equals(text))
                .findFirst();
        String words = String.join(", ", Arrays.stream(choices).map(word).toList());
        return convert(key, byDefault, read, "use one of " + words, choices[0]);
    }

    static String lowerCase(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The mapping under {@code key}; an empty one, so all defaults, when it is missing. */
    Fields section(String key) {
        YamlValue value = take(key);
        return value == null ? new Fields(null, line, pathOf(key), problems) : of(value, pathOf(key), problems);
    }

    /** What {@code read} makes of each item under {@code key}, 1 to {@code maxItems}. */
    <T> List<T> list(String key, int maxItems, BiFunction<YamlValue, String, T> read) {
        YamlValue value = take(key);
        if (value == null) {
            problem(key, "missing; add it");
            return List.of();
        }
        if (!(value instanceof YamlValue.Items items)
                || items.values().isEmpty()
                || items.values().size() > maxItems) {
            problem(key, shown(value) + " is not accepted; write a list of 1 to " + maxItems + " items");
            return List.of();
        }
        return IntStream.range(0, items.values().size())
                .mapToObj(i -> read.apply(items.values().get(i), pathOf(key) + "[" + i + "]"))
                .toList();
    }

    /** The texts of a list. */
    List<String> texts(String key, int maxItems, Pattern form, String remedy) {
        return list(key, maxItems, (value, where) -> {
            if (value instanceof YamlValue.Scalar(String text, int _)
                    && form.matcher(text).matches()) {
                return text;
            }
            problems.add(value.line(), where, shown(value) + " is not accepted; " + remedy);
            return "";
        });
    }

    /** Reports every key that nobody asked for. Call it last. */
    void finish() {
        if (mapping != null) {
            mapping.entries().forEach((key, value) -> {
                if (!known.contains(key)) {
                    String remedy = "unknown key; remove it or use one of " + String.join(", ", known);
                    problems.add(value.line(), pathOf(key), remedy);
                }
            });
        }
    }

    private <T> T convert(
            String key, @Nullable T byDefault, Function<String, Optional<T>> read, String remedy, T standIn) {
        YamlValue value = take(key);
        if (value == null) {
            if (byDefault == null) {
                problem(key, "missing; add it");
            }
            return byDefault == null ? standIn : byDefault;
        }
        Optional<T> converted =
                value instanceof YamlValue.Scalar(String text, int _) ? read.apply(text) : Optional.empty();
        if (converted.isEmpty()) {
            problem(key, shown(value) + " is not accepted; " + remedy);
        }
        return converted.orElse(standIn);
    }

    private @Nullable YamlValue take(String key) {
        known.add(key);
        return mapping == null ? null : mapping.entries().get(key);
    }

    private String pathOf(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    private static String shown(YamlValue value) {
        return switch (value) {
            case YamlValue.Scalar(String text, int _) ->
                text.isEmpty()
                        ? "nothing"
                        : "\""
                                + (text.length() <= MAX_SHOWN_LENGTH
                                        ? text
                                        : text.substring(0, MAX_SHOWN_LENGTH) + "...")
                                + "\"";
            case YamlValue.Items(List<YamlValue> values, int _) -> "a list of " + values.size();
            case YamlValue.Mapping _ -> "keys with values";
        };
    }
}
