package dev.retier.agent.files;

import dev.retier.config.ConfigReader;
import dev.retier.config.ConfigValue;
import dev.retier.config.Problems;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Where the keys of a cluster file stand, for people who are to change them. Immutable. */
public final class ClusterLines {
    private final String file;
    private final @Nullable ConfigValue root;

    private ClusterLines(String file, @Nullable ConfigValue root) {
        this.file = file;
        this.root = root;
    }

    /** Of a file; of one that cannot be read, only its keys are named. */
    public static ClusterLines of(Path file) {
        try {
            return new ClusterLines(file.toString(), ConfigReader.yaml(ConfigFile.text(file), new Problems("")));
        } catch (IOException e) {
            return none();
        }
    }

    /** Of a file that nobody knows. */
    public static ClusterLines none() {
        return new ClusterLines("", null);
    }

    /**
     * The line of a key, such as {@code nodes.web-1.server.check}, with the key. One that is not there would stand
     * where what is around it begins.
     */
    public String at(String key) {
        OptionalInt line = line(key);
        return line.isEmpty() ? key : file + ":" + line.getAsInt() + " " + key;
    }

    /** The same line alone; empty of a file that nobody knows. */
    public OptionalInt line(String key) {
        ConfigValue value = root;
        ConfigValue found = root;
        for (String word : key.split("\\.", -1)) {
            value = value == null ? null : child(value, word).orElse(null);
            found = value == null ? found : value;
        }
        return found == null ? OptionalInt.empty() : OptionalInt.of(found.line());
    }

    /** By its key, in a list by its name. */
    private static Optional<ConfigValue> child(ConfigValue value, String word) {
        return switch (value) {
            case ConfigValue.Mapping mapping ->
                Optional.ofNullable(mapping.entries().get(word));
            case ConfigValue.Items items ->
                items.values().stream()
                        .filter(item -> item instanceof ConfigValue.Mapping mapping
                                && mapping.entries().get("name") instanceof ConfigValue.Scalar name
                                && name.text().equals(word))
                        .findFirst();
            case ConfigValue.Scalar _ -> Optional.empty();
        };
    }
}
