package dev.retier.bench.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.bench.board.Variant.Edit;
import dev.retier.bench.board.Variant.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is left out for the ablation must be in the decision as it is. */
class VariantsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern FIGURE = Pattern.compile("static final (?:int|long|double|Duration) ([A-Z_]+) =");

    @TempDir
    private Path folder;

    static Stream<Variant> all() {
        return Stream.concat(Terms.all().stream(), Constants.all().stream());
    }

    @ParameterizedTest
    @MethodSource("all")
    void shouldBeJavaAndDiffer_whenLeftOut(Variant variant) throws IOException {
        VariantBuild.compile(variant, ROOT, folder);

        try (Stream<Path> made = Files.walk(folder)) {
            assertThat(made.filter(file ->
                            file.toString().contains("agent") && file.toString().endsWith(".class")))
                    .isNotEmpty();
        }
    }

    @Test
    void shouldFail_whenTheTextIsGone() {
        Variant gone =
                new Variant("gone", "gone", Kind.TERM, List.of(new Edit("decide/Gains.java", "no such text", "any")));

        assertThatThrownBy(() -> VariantBuild.compile(gone, ROOT, folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("decide/Gains.java has not just once the text \"no such text\"");
    }

    @Test
    void shouldFail_whenTheTextIsThereTwice() {
        Variant twice =
                new Variant("twice", "twice", Kind.TERM, List.of(new Edit("decide/Gains.java", "return", "any")));

        assertThatThrownBy(() -> VariantBuild.compile(twice, ROOT, folder)).isInstanceOf(IOException.class);
    }

    /** A figure that nobody configures is judged by the board, or stated not to change a decision. */
    @Test
    void shouldKnowEveryFigureOfTheDecision() throws IOException {
        TreeSet<String> known = new TreeSet<>(Constants.NOT_JUDGED.keySet());
        Constants.all().stream()
                .filter(variant ->
                        variant.kind() == Kind.CONSTANT && variant.of().contains(" "))
                .map(variant -> variant.of().substring(variant.of().indexOf(' ') + 1))
                .forEach(known::add);
        TreeSet<String> found = new TreeSet<>();
        try (Stream<Path> files = Files.list(VariantBuild.agentSources(ROOT).resolve("decide"))) {
            for (Path file : files.toList()) {
                FIGURE.matcher(Files.readString(file))
                        .results()
                        .map((MatchResult match) -> match.group(1))
                        .forEach(found::add);
            }
        }

        assertThat(found).isNotEmpty();
        assertThat(known).containsAll(found);
    }
}
