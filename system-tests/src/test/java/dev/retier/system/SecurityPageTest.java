package dev.retier.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every test that {@code SECURITY.md} names exists, and every attacker has one. */
class SecurityPageTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern NAME = Pattern.compile("`([A-Z]\\w+)\\.(should\\w+)`");
    private static final int LEAST_ROWS = 12;

    private static boolean exists(String type, String method) throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path tests :
                    modules.map(module -> module.resolve("src/test/java")).toList()) {
                if (Files.isDirectory(tests) && isIn(tests, type, method)) {
                    return true;
                }
            }
            return false;
        }
    }

    private static boolean isIn(Path tests, String type, String method) throws IOException {
        try (Stream<Path> files =
                Files.find(tests, 20, (file, _) -> file.getFileName().toString().equals(type + ".java"))) {
            for (Path file : files.toList()) {
                if (Files.readString(file).contains("void " + method + "(")) {
                    return true;
                }
            }
            return false;
        }
    }

    @Test
    void shouldNameRealTests_whereAnAttackerIsToldOf() throws IOException {
        List<String> dangling = new ArrayList<>();
        int rows = 0;
        for (String line : Files.readAllLines(ROOT.resolve("SECURITY.md"))) {
            if (!line.startsWith("| ") || line.startsWith("| attacker")) {
                continue;
            }
            rows++;
            Matcher names = NAME.matcher(line);
            assertThat(names.find()).as(line).isTrue();
            do {
                if (!exists(names.group(1), names.group(2))) {
                    dangling.add(names.group());
                }
            } while (names.find());
        }
        assertThat(dangling).as("tests that do not exist").isEmpty();
        assertThat(rows).isGreaterThanOrEqualTo(LEAST_ROWS);
    }
}
