package dev.retier.bench.mutation;

import dev.retier.bench.Digests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The sources of the listed packages, by class, with a digest of each. Stateless. */
final class Sources {
    private static final int DIGEST_CHARACTERS = 12;
    private static final String DIGEST = "[0-9a-f]{" + DIGEST_CHARACTERS + "}";
    private static final String SUFFIX = ".java";

    private Sources() {}

    /**
     * The outermost classes of {@code module} that are in {@code scope}, and the beginning of the SHA-256 of the source
     * of each.
     *
     * @throws IOException if the sources cannot be read
     */
    static Map<String, String> digests(Path root, String module, Scope scope) throws IOException {
        Path sources = root.resolve(module).resolve("src/main/java");
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file : files.filter(each -> each.toString().endsWith(SUFFIX))
                    .filter(each -> !each.endsWith("package-info.java"))
                    .toList()) {
                String path = sources.relativize(file).toString();
                String className =
                        path.substring(0, path.length() - SUFFIX.length()).replace('/', '.');
                if (scope.target(Mutant.packageOf(className)).isPresent()) {
                    found.put(className, Digests.of(Files.readAllBytes(file)).substring(0, DIGEST_CHARACTERS));
                }
            }
        }
        return found;
    }

    /**
     * What a record says of each class: the digest of the source that it was made from.
     *
     * @param record the file {@code mutation-MODULE.md}
     * @throws IOException if it cannot be read
     */
    static Map<String, String> recorded(Path record) throws IOException {
        try (Stream<String> lines = Files.lines(record)) {
            return lines.map(line -> line.split(" ?\\| ?", -1))
                    .filter(cells -> cells.length > 2 && cells[2].matches(DIGEST))
                    .collect(Collectors.toMap(cells -> cells[1], cells -> cells[2]));
        }
    }
}
