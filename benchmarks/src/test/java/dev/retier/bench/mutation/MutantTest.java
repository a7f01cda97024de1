package dev.retier.bench.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MutantTest {
    @TempDir
    private Path folder;

    @Test
    void shouldTellTheDeadFromTheLiving_whenAReportHasAllStates() throws IOException {
        List<Mutant> found = Mutant.read(report("<mutations>"
                + mutation("KILLED", "dev.retier.link.core.Door")
                + mutation("TIMED_OUT", "dev.retier.link.core.Door$Place")
                + mutation("SURVIVED", "dev.retier.link.core.Door$Place$Inner")
                + mutation("NO_COVERAGE", "dev.retier.link.core.Door")
                + mutation("NON_VIABLE", "dev.retier.link.core.Door")
                + mutation("RUN_ERROR", "dev.retier.link.core.Door")
                + mutation("MEMORY_ERROR", "dev.retier.link.core.Door")
                + "</mutations>"));

        assertThat(found).extracting(Mutant::isKilled).containsExactly(true, true, false, false, false, true);
        assertThat(found).extracting(Mutant::isUntried).containsExactly(false, false, false, false, true, false);
        assertThat(found).extracting(Mutant::className).containsOnly("dev.retier.link.core.Door");
        assertThat(found.getFirst())
                .isEqualTo(new Mutant(
                        "dev.retier.link.core.Door",
                        "<init>",
                        42,
                        "MathMutator",
                        "Replaced integer addition with subtraction & more",
                        "KILLED"));
        assertThat(found.getFirst().packageName()).isEqualTo("dev.retier.link.core");
    }

    @Test
    void shouldNameTheFile_whenItIsCutShort() throws IOException {
        Path cut = report("<mutations>" + mutation("KILLED", "dev.retier.link.core.Door"));

        assertThatIOException().isThrownBy(() -> Mutant.read(cut)).withMessageContaining(cut.toString());
    }

    private Path report(String text) throws IOException {
        return Files.writeString(folder.resolve("mutations.xml"), text);
    }

    private static String mutation(String status, String className) {
        String mutator = "org.pitest.mutationtest.engine.gregor.mutators.MathMutator";
        String what = "Replaced integer addition with subtraction &amp; more";
        return """
                <mutation detected='x' status='%s'><sourceFile>Door.java</sourceFile><mutatedClass>%s</mutatedClass>
                <mutatedMethod>&lt;init&gt;</mutatedMethod><lineNumber>42</lineNumber><mutator>%s</mutator>
                <indexes><index>5</index></indexes><description>%s</description></mutation>
                """.formatted(status, className, mutator, what);
    }
}
