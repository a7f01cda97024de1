package dev.retier.config;

import dev.retier.config.ConfigValue.Items;
import dev.retier.config.ConfigValue.Mapping;
import dev.retier.config.ConfigValue.Scalar;
import dev.retier.config.ConfigValue.ScalarType;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
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
 * One mapping of YAML or JSON whose keys are asked for one by one. A value that is missing or wrong is noted, and a
 * harmless stand-in returned, so that one pass finds every problem; the caller builds nothing when there is any. Where
 * a default may be given, null says that the key must be there. Owned by one parse.
 */
public final class Fields {
    private static final int MAX_SHOWN_LENGTH = 40;
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,12}(\\.\\d{1,12})?");

    private final @Nullable Mapping mapping;
    private final int line;
    private final String path;
    private final Problems problems;
    private final Set<String> known = new LinkedHashSet<>();
    private final Set<String> refused = new HashSet<>();

    private Fields(@Nullable Mapping mapping, int line, String path, Problems problems) {
        this.mapping = mapping;
        this.line = line;
        this.path = path;
        this.problems = problems;
    }

    /** The mapping of a whole file; when the reader found none, what is missing in it is no further problem. */
    public static Fields root(@Nullable ConfigValue value, Problems problems) {
        return value == null ? new Fields(null, 1, "", new Problems("")) : of(value, "", problems);
    }

    /** The keys of {@code value}; when it has none, that is the only problem of it that is noted. */
    public static Fields of(ConfigValue value, String path, Problems problems) {
        if (value instanceof Mapping mapping) {
            return new Fields(mapping, value.line(), path, problems);
        }
        problems.add(value.line(), path, "expected keys with values but found " + shown(value));
        return new Fields(null, value.line(), path, new Problems(""));
    }

    /** The line on which the mapping begins. */
    public int line() {
        return line;
    }

    /** The line of a key's value, or that of the mapping when the key is missing. */
    public int lineOf(String key) {
        ConfigValue value = mapping == null ? null : mapping.entries().get(key);
        return value == null ? line : value.line();
    }

    /** Whether the key is there. */
    public boolean has(String key) {
        return take(key) != null;
    }

    /** Whether what was returned for the key is a stand-in, as its value is missing or wrong. */
    public boolean isRefused(String key) {
        return refused.contains(key);
    }

    /** Notes what is wrong with the value under {@code key}, and what to do about it. */
    public void problem(String key, String message) {
        problems.add(lineOf(key), pathOf(key), message);
    }

    /** A text of that form. */
    public String text(String key, Pattern form, String remedy) {
        return convert(
                key,
                null,
                value -> text(value).filter(text -> form.matcher(text).matches()),
                remedy,
                "");
    }

    /** The same, or nothing when the key is missing. */
    public Optional<String> optionalText(String key, Pattern form, String remedy) {
        return has(key) ? Optional.of(text(key, form, remedy)) : Optional.empty();
    }

    /** An address with a port of at least {@code minPort}. */
    public HostPort address(String key, int minPort) {
        return convert(
                key,
                null,
                value -> text(value).flatMap(HostPort::parse).filter(address -> address.port() >= minPort),
                "write host:port with a port in " + minPort + "..65535",
                new HostPort("0.0.0.0", 1));
    }

    /** A duration with its unit, from {@code min} to {@code max}. */
    public Duration duration(String key, Duration byDefault, Duration min, Duration max) {
        String range = DurationText.print(min) + ".." + DurationText.print(max);
        return convert(
                key,
                byDefault,
                value -> text(value)
                        .flatMap(DurationText::parse)
                        .filter(given -> given.compareTo(min) >= 0 && given.compareTo(max) <= 0),
                DurationText.REMEDY + ", in " + range,
                byDefault);
    }

    /** A number of bytes with its unit, from {@code min} to {@code max}. */
    public long size(String key, @Nullable Long byDefault, long min, long max) {
        return convert(
                key,
                byDefault,
                value -> Optional.of(value.text())
                        .filter(_ -> value.is(ScalarType.TEXT) || value.is(ScalarType.NUMBER))
                        .flatMap(SizeText::parse)
                        .filter(given -> given >= min && given <= max),
                SizeText.REMEDY + ", in " + SizeText.print(min) + ".." + SizeText.print(max),
                min);
    }

    /** A whole number from {@code min} to {@code max}. */
    public int integer(String key, @Nullable Integer byDefault, int min, int max) {
        return (int) wholeNumber(key, byDefault == null ? null : Long.valueOf(byDefault), min, max);
    }

    /** The same for numbers of any length. */
    public long wholeNumber(String key, @Nullable Long byDefault, long min, long max) {
        return convert(
                key,
                byDefault,
                value -> Optional.of(value)
                        .filter(given ->
                                given.is(ScalarType.NUMBER) && given.text().matches("-?\\d{1,19}"))
                        .map(given -> new BigInteger(given.text()))
                        .filter(number -> number.bitLength() < Long.SIZE)
                        .map(BigInteger::longValue)
                        .filter(number -> number >= min && number <= max),
                "write a whole number in " + min + ".." + max,
                min);
    }

    /** A number from {@code min} to {@code max}. */
    public double number(String key, @Nullable Double byDefault, double min, double max) {
        return convert(
                key,
                byDefault,
                value -> Optional.of(value)
                        .filter(given -> given.type() == ScalarType.NUMBER
                                || (given.type() == ScalarType.OPEN
                                        && NUMBER.matcher(given.text()).matches()))
                        .map(given -> Double.valueOf(given.text()))
                        .filter(number -> number >= min && number <= max),
                "write a number in " + min + ".." + max,
                min);
    }

    /** One of {@code choices}, each written as {@code word} says. */
    public <E> E oneOf(String key, E[] choices, @Nullable E byDefault, Function<E, String> word) {
        String words = String.join(", ", Arrays.stream(choices).map(word).toList());
        return convert(
                key,
                byDefault,
                value -> text(value)
                        .flatMap(text -> Arrays.stream(choices)
                                .filter(choice -> word.apply(choice).equals(text))
                                .findFirst()),
                "use one of " + words,
                choices[0]);
    }

    /** How a constant is written in files: in lower case, with dashes. */
    public static String lowerCase(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The mapping under {@code key}; an empty one, so all defaults, when it is missing. */
    public Fields section(String key) {
        ConfigValue value = take(key);
        return value == null ? new Fields(null, line, pathOf(key), problems) : of(value, pathOf(key), problems);
    }

    /** What {@code read} makes of each item under {@code key} and its path, 1 to {@code maxItems}. */
    public <T> List<T> list(String key, int maxItems, BiFunction<ConfigValue, String, T> read) {
        ConfigValue value = take(key);
        if (value == null) {
            problem(key, "missing; add it");
            return List.of();
        }
        return items(key, value, 1, maxItems, read);
    }

    /** The same, and nothing when the key is missing or its list is empty. */
    public <T> List<T> optionalList(String key, int maxItems, BiFunction<ConfigValue, String, T> read) {
        ConfigValue value = take(key);
        return value == null ? List.of() : items(key, value, 0, maxItems, read);
    }

    private <T> List<T> items(
            String key, ConfigValue value, int min, int max, BiFunction<ConfigValue, String, T> read) {
        if (!(value instanceof Items(List<ConfigValue> values, int _)) || values.size() < min || values.size() > max) {
            problem(key, shown(value) + " is not accepted; write a list of " + min + " to " + max + " items");
            return List.of();
        }
        return IntStream.range(0, values.size())
                .mapToObj(i -> read.apply(values.get(i), pathOf(key) + "[" + i + "]"))
                .toList();
    }

    /** The texts of a list. */
    public List<String> texts(String key, int maxItems, Pattern form, String remedy) {
        return list(key, maxItems, (value, where) -> {
            Optional<String> text = value instanceof Scalar scalar ? text(scalar) : Optional.empty();
            return text.filter(given -> form.matcher(given).matches()).orElseGet(() -> {
                problems.add(value.line(), where, shown(value) + " is not accepted; " + remedy);
                return "";
            });
        });
    }

    /** Reports every key that nobody asked for. Call it last. */
    public void finish() {
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
            String key, @Nullable T byDefault, Function<Scalar, Optional<T>> read, String remedy, T standIn) {
        ConfigValue value = take(key);
        if (value == null) {
            if (byDefault == null) {
                problem(key, "missing; add it");
                refused.add(key);
            }
            return byDefault == null ? standIn : byDefault;
        }
        Optional<T> converted = value instanceof Scalar scalar ? read.apply(scalar) : Optional.empty();
        return converted.orElseGet(() -> {
            problem(key, shown(value) + " is not accepted; " + remedy);
            refused.add(key);
            return byDefault == null ? standIn : byDefault;
        });
    }

    private static Optional<String> text(Scalar value) {
        return value.is(ScalarType.TEXT) ? Optional.of(value.text()) : Optional.empty();
    }

    private @Nullable ConfigValue take(String key) {
        known.add(key);
        return mapping == null ? null : mapping.entries().get(key);
    }

    private String pathOf(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    private static String shown(ConfigValue value) {
        return switch (value) {
            case Scalar(String text, ScalarType type, int _) -> {
                String part = text.length() <= MAX_SHOWN_LENGTH ? text : text.substring(0, MAX_SHOWN_LENGTH) + "...";
                boolean isBare = type == ScalarType.NUMBER || type == ScalarType.WORD;
                yield isBare ? part : text.isEmpty() ? "nothing" : "\"" + part + "\"";
            }
            case Items(List<ConfigValue> values, int _) -> "a list of " + values.size();
            case Mapping _ -> "keys with values";
        };
    }
}
