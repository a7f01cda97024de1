package dev.retier.agent.config;

import java.util.List;
import java.util.Map;

/** One value of a YAML text, with the line on which it begins. Scalars stay text: their reader knows the type. */
public sealed interface YamlValue {
    /** Where it begins, from 1. */
    int line();

    /** Anything but a list or keys with values. */
    record Scalar(String text, int line) implements YamlValue {}

    /** A list. */
    record Items(List<YamlValue> values, int line) implements YamlValue {}

    /** Keys with values, in the order of the text. */
    record Mapping(Map<String, YamlValue> entries, int line) implements YamlValue {}
}
