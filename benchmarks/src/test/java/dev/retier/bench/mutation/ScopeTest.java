package dev.retier.bench.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScopeTest {
    private static final Path ROOT = Path.of("..");

    @TempDir
    private Path folder;

    @Test
    void shouldFindClassesOfEveryPackage_whenThePomIsOurs() throws IOException {
        Scope scope = Scope.of(ROOT.resolve("pom.xml"));
        Map<String, String> all = new TreeMap<>();
        for (String module : scope.modules()) {
            Map<String, String> found = Sources.digests(ROOT, module, scope);
            assertThat(found).as(module).isNotEmpty();
            all.putAll(found);
        }

        assertThat(all.keySet().stream().map(name -> name.substring(0, name.lastIndexOf('.'))))
                .containsAll(Stream.concat(scope.pure().stream(), scope.drivers().stream())
                        .toList());
        assertThat(scope.target("dev.retier.link.core")).contains(Scope.PURE_SHARE);
        assertThat(scope.target("dev.retier.link")).contains(Scope.DRIVER_SHARE);
        assertThat(scope.target("dev.retier.link.else")).isEmpty();
    }

    @Test
    void shouldTellAChangedClassFromOneOfTheRecord_whenASourceIsEdited() throws IOException {
        Scope scope = Scope.of(ROOT.resolve("pom.xml"));
        Path source = folder.resolve("link/src/main/java/dev/retier/link/core/Door.java");
        Files.createDirectories(source.getParent());
        Files.writeString(source, "package dev.retier.link.core; final class Door {}");
        Map<String, String> before = Sources.digests(folder, "link", scope);
        Path record = folder.resolve("mutation-link.md");
        Files.writeString(
                record,
                "| class | source | mutants | killed |\n| dev.retier.link.core.Door | "
                        + before.get("dev.retier.link.core.Door") + " | 4 | 4 |\n");
        assertThat(Sources.recorded(record)).isEqualTo(before);

        Files.writeString(source, "package dev.retier.link.core; final class Door { int places; }");

        assertThat(Sources.digests(folder, "link", scope)).isNotEqualTo(Sources.recorded(record));
    }

    @Test
    void shouldNameWhatIsMissing_whenThePomHasNoLists() throws IOException {
        Path pom = Files.writeString(folder.resolve("pom.xml"), "<project><properties/></project>");

        assertThatIOException()
                .isThrownBy(() -> Scope.of(pom))
                .withMessageContaining(pom.toString())
                .withMessageContaining("mutation.modules");
    }
}
