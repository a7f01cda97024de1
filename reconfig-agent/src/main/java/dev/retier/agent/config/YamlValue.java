package dev.retier.agent.config;

import java.util.List;
import java.util.Map;

/** One value of a YAML text, with the line on which it begins. Scalars stay text: their reader knows the type. */
sealed interface YamlValue {
    int line();

    record Scalar(String text, int line) implements YamlValue {}

    record Items(List<YamlValue> values, int line) implements YamlValue {}

    record Mapping(Map<String, YamlValue> entries, int line) implements YamlValue {}
}
