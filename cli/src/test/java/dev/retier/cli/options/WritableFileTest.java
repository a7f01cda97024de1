package dev.retier.cli.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class WritableFileTest {
    @TempDir
    private Path folder = Path.of("");

    /** A process that is in the middle of a file, and says so. */
    static final class Writing {
        private Writing() {}

        public static void main(String[] arguments) throws IOException {
            WritableFile.writeChannel(Path.of(arguments[0]), (_, _) -> {
                System.out.println("writing");
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return 0;
            });
        }
    }

    @Test
    @Timeout(60)
    void shouldLeaveNoPart_whenItIsAskedToEndMeanwhile() throws Exception {
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Writing.class.getName(),
                        folder.resolve("image").toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var said = process.inputReader()) {
            assertThat(said.readLine()).isEqualTo("writing");
            assertThat(files()).hasSize(1).first().asString().endsWith(".part");
            process.destroy();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(files()).isEmpty();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.toList();
        }
    }
}
