package dev.retier.iwarp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every class and every test that {@code docs/rfc-coverage.md} names exists. */
class RfcCoverageTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "rfc-coverage.md");
    private static final Pattern NAME = Pattern.compile("`([A-Z]\\w+)(?:\\.(\\w+))?`");
    private static final int LEAST_ROWS = 50;

    private static Map<String, Path> sources() throws IOException {
        Map<String, Path> found = new TreeMap<>();
        try (Stream<Path> files = Files.walk(Path.of("src"))) {
            files.filter(file -> file.toString().endsWith(".java"))
                    .forEach(file -> found.put(file.getFileName().toString().replace(".java", ""), file));
        }
        return found;
    }

    @Test
    void shouldNameRealClassesAndTests_whenRowsAreRead() throws IOException {
        Map<String, Path> sources = sources();
        List<String> dangling = new ArrayList<>();
        int rows = 0;
        for (String line : Files.readAllLines(DOCUMENT)) {
            if (!line.startsWith("|") || line.startsWith("|---") || line.startsWith("| section")) {
                continue;
            }
            rows++;
            Matcher names = NAME.matcher(line);
            while (names.find()) {
                if (!exists(sources.get(names.group(1)), names.group(2))) {
                    dangling.add(names.group());
                }
            }
        }
        assertThat(dangling).as("names that do not exist").isEmpty();
        assertThat(rows).isGreaterThanOrEqualTo(LEAST_ROWS);
    }

    private static boolean exists(@Nullable Path source, @Nullable String method) throws IOException {
        return source != null && (method == null || Files.readString(source).contains("void " + method + "("));
    }
}
