package dev.retier.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code src/modules} beside what jdeps finds in the jars. */
class ModulesTest {
    /** Modules that libraries name for parts of theirs that we do not use; src/modules says which. */
    private static final Set<String> LEFT_OUT = Set.of("java.desktop", "java.security.jgss", "java.sql", "jdk.jfr");

    private static final Pattern USED = Pattern.compile("-> ((?:java|jdk)\\.[a-z.]+)$", Pattern.MULTILINE);

    @TempDir
    private Path folder;

    @Test
    void shouldListWhatTheJarsUse() throws IOException {
        Set<String> used = new TreeSet<>();
        for (Path jar : jars()) {
            used.addAll(usedBy(jar));
        }
        used.removeAll(LEFT_OUT);

        List<String> listed = Files.readAllLines(Path.of("src/modules")).stream()
                .filter(line -> !line.startsWith("#"))
                .toList();

        assertThat(listed).containsExactlyElementsOf(used);
    }

    private static List<Path> jars() throws IOException {
        Path cli = Path.of("..", "cli", "target");
        List<Path> jars = new ArrayList<>(List.of(cli.resolve("retier.jar")));
        try (Stream<Path> libraries = Files.list(cli.resolve("lib"))) {
            jars.addAll(libraries.sorted().toList());
        }
        return jars;
    }

    /** Without its module descriptor, as it is on the class path and jdeps would look for the modules that it names. */
    private Set<String> usedBy(Path jar) throws IOException {
        Path copy = folder.resolve(jar.getFileName());
        Files.copy(jar, copy);
        try (FileSystem inside = FileSystems.newFileSystem(copy)) {
            Files.deleteIfExists(inside.getPath("module-info.class"));
            Files.deleteIfExists(inside.getPath("META-INF/versions/9/module-info.class"));
            Files.deleteIfExists(inside.getPath("META-INF/versions/11/module-info.class"));
        }
        StringWriter said = new StringWriter();
        PrintWriter writer = new PrintWriter(said);
        int code = ToolProvider.findFirst("jdeps")
                .orElseThrow()
                .run(writer, writer, "-s", "--multi-release", "25", "--ignore-missing-deps", copy.toString());
        assertThat(code).as("%s: %s", jar, said).isZero();
        Set<String> modules = new TreeSet<>();
        Matcher used = USED.matcher(said.toString());
        while (used.find()) {
            modules.add(used.group(1));
        }
        return modules;
    }
}
