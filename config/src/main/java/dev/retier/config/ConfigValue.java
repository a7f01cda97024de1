package dev.retier.config;

import java.util.List;
import java.util.Map;

/**
 * One value of a YAML or JSON text, with the line on which it begins. Scalars stay text: their reader knows the type.
 */
public sealed interface ConfigValue {
    /** Where it begins, from 1. */
    int line();

    /** What the text says of a scalar's type: JSON tells texts from numbers, YAML leaves that to the reader. */
    enum ScalarType {
        /** Any that its characters fit. */
        OPEN,
        /** A text. */
        TEXT,
        /** A number. */
        NUMBER,
        /** {@code true}, {@code false} or {@code null}. */
        WORD
    }

    /** Anything but a list or keys with values. */
    record Scalar(String text, ScalarType type, int line) implements ConfigValue {
        /** Whether it may be read as {@code wanted}. */
        public boolean is(ScalarType wanted) {
            return type == ScalarType.OPEN || type == wanted;
        }
    }

    /** A list. */
    record Items(List<ConfigValue> values, int line) implements ConfigValue {}

    /** Keys with values, in the order of the text. */
    record Mapping(Map<String, ConfigValue> entries, int line) implements ConfigValue {}
}
