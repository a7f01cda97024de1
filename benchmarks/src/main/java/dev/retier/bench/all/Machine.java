package dev.retier.bench.all;

import dev.retier.bench.Measures.Need;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/** What this machine has of what measurements need. Stateless. */
final class Machine {
    private static final List<Path> OF_ROOT = List.of(Path.of("/usr/sbin"), Path.of("/sbin"));

    private Machine() {}

    /** What of {@code needs} is missing, in words; empty when nothing is. */
    static List<String> missing(List<Need> needs) {
        return needs.stream()
                .filter(need -> !has(need))
                .map(need -> need == Need.ROOT ? "root" : command(need))
                .toList();
    }

    private static boolean has(Need need) {
        if (need == Need.ROOT) {
            return System.getProperty("os.name", "").equals("Linux")
                    && System.getProperty("user.name", "").equals("root");
        }
        return Stream.concat(
                        Arrays.stream(Objects.requireNonNullElse(System.getenv("PATH"), "")
                                        .split(":", -1))
                                .filter(folder -> !folder.isEmpty())
                                .map(Path::of),
                        OF_ROOT.stream())
                .anyMatch(folder -> Files.isExecutable(folder.resolve(command(need))));
    }

    private static String command(Need need) {
        return need.name().toLowerCase(Locale.ROOT);
    }
}
