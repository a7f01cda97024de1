package dev.retier.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.testsupport.ExternalTool;
import dev.retier.testsupport.Readme;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The lines of README's "Running the parts", as a reader pastes them into a shell. */
@Timeout(value = 150, unit = TimeUnit.SECONDS)
class RunningThePartsIT {
    @TempDir
    private Path folder;

    @Test
    void shouldRun_whenItsLinesArePasted() throws IOException, InterruptedException {
        Path root = Path.of("").toAbsolutePath().getParent();
        String commands = Readme.commands(root, "Running the parts").getFirst();
        assertThat(commands.lines()).hasSizeLessThanOrEqualTo(12);
        Files.createSymbolicLink(folder.resolve("retier"), root.resolve("retier"));
        Files.createSymbolicLink(folder.resolve("conf"), root.resolve("conf"));
        Path said = folder.resolve("said.txt");
        Path errors = folder.resolve("errors.txt");
        Path lines = Files.writeString(
                folder.resolve("lines.sh"),
                "set -e\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n" + commands + "wait || true\n");

        ProcessBuilder builder = new ProcessBuilder(ExternalTool.find("bash").toString(), lines.toString())
                .directory(folder.toFile())
                .redirectOutput(said.toFile())
                .redirectError(errors.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process shell = builder.start();
        try {
            shell.getOutputStream().close();
            assertThat(shell.waitFor(120, TimeUnit.SECONDS))
                    .as(Files.readString(errors))
                    .isTrue();
        } finally {
            shell.descendants().forEach(ProcessHandle::destroyForcibly);
            shell.destroyForcibly();
        }

        assertThat(shell.exitValue()).as(Files.readString(errors)).isZero();
        assertThat(said)
                .content()
                .contains("node-1", "node-2", "node-3", "shop/proxy", "shop/app")
                .containsPattern("answered +requests +[1-9][0-9]*\n")
                .containsPattern("failed +requests +0\n");
        assertThat(errors)
                .content()
                .as("proxies send by what their agents know")
                .contains("goes by the loads of");
        assertThat(folder.resolve("load.html")).content().contains("</html>");
        assertThat(folder.resolve("example-run/journal/node-1")).isDirectory();
    }
}
