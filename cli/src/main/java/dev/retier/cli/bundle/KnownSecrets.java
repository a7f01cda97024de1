package dev.retier.cli.bundle;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.RdmaTls;
import dev.retier.cli.bundle.text.Masking;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The secrets that a cluster file and the options of a command name, as far as this user may read them: they shall be
 * found wherever they have got to.
 */
final class KnownSecrets {
    /** More than any file of secrets has. */
    private static final int MOST_BYTES = 1 << 20;

    /** A line of a key has more, but for its last; words have less. */
    private static final int LEAST_KEY_LINE = 16;

    private static final String COMMENT = "#";

    private final Set<String> secrets = new HashSet<>();
    private final Set<String> tokenNames = new TreeSet<>();

    /**
     * Reads them.
     *
     * @param text of the cluster file, which may be one that agents refuse
     * @param nodes those for whose names there may be a placeholder in paths
     * @param given files of secrets besides
     * @param environment of this process
     */
    KnownSecrets(String text, Collection<String> nodes, List<Path> given, Map<String, String> environment) {
        files(text, "secret-file", nodes).forEach(file -> secrets.addAll(lines(file)));
        files(text, "tokens-file", nodes).forEach(file -> lines(file).forEach(this::tokenLine));
        Stream.concat(files(text, "key", nodes), given.stream()).forEach(file -> keyOrToken(lines(file)));
        Set<String> variables = Masking.named(text, "secret-env");
        environment.forEach((name, value) -> {
            if (variables.contains(name) || name.equals("RETIER_SECRET")) {
                value.lines().forEach(secrets::add);
            }
        });
    }

    /** The same, of a cluster where the file is one that agents take. */
    static KnownSecrets of(String text, Optional<ClusterConfig> cluster, List<Path> given) {
        List<String> nodes = cluster.stream()
                .flatMap(known -> known.nodes().stream())
                .map(NodeConfig::name)
                .toList();
        return new KnownSecrets(text, nodes, given, System.getenv());
    }

    /** All of them. */
    Set<String> secrets() {
        return Set.copyOf(secrets);
    }

    /** Whose tokens the agents take: no secrets, but names. */
    Set<String> tokenNames() {
        return Set.copyOf(tokenNames);
    }

    private static Stream<Path> files(String text, String key, Collection<String> nodes) {
        return Masking.named(text, key).stream()
                .flatMap(path ->
                        Stream.concat(Stream.of(path), nodes.stream().map(node -> path.replace(RdmaTls.NODE, node))))
                .filter(path -> path.indexOf('\0') < 0)
                .distinct()
                .map(Path::of);
    }

    private void tokenLine(String line) {
        if (!line.startsWith(COMMENT)) {
            secrets.add(line.substring(line.lastIndexOf(':') + 1));
            tokenNames.add(line.replaceFirst(":.*", ""));
        }
    }

    /** A key in PEM has lines that may be anywhere by themselves, a token is one line. */
    private void keyOrToken(List<String> lines) {
        lines.stream()
                .map(String::strip)
                .filter(line -> line.length() >= LEAST_KEY_LINE && !line.startsWith("-----"))
                .forEach(secrets::add);
    }

    /** None of a file that this user may not read. */
    private static List<String> lines(Path file) {
        if (!Files.isRegularFile(file)) {
            return List.of();
        }
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException unreadable) {
            return List.of();
        }
    }
}
