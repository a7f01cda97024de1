package dev.retier.agent.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever happens to a file between two looks, a look tells what is there. */
class HeldFileTest {
    @TempDir
    @Nullable
    Path folder;

    private Path file() {
        return Objects.requireNonNull(folder).resolve("figures");
    }

    @Test
    void shouldTellWhatIsThereNow_whenTheFileHasChanged() throws IOException {
        Files.writeString(file(), "17 and more\n");
        try (HeldFile held = new HeldFile(file())) {
            assertThat(held.read()).contains("17 and more\n");
            Files.writeString(file(), "9\n");
            assertThat(held.read()).contains("9\n");
        }
    }

    @Test
    void shouldTellNothing_untilThereIsAFile() throws IOException {
        try (HeldFile held = new HeldFile(file())) {
            assertThat(held.read()).isEmpty();
            Files.writeString(file(), "1\n");
            assertThat(held.read()).contains("1\n");
        }
    }

    @Test
    void shouldTellTheBeginning_whenTheFileIsLong() throws IOException {
        Files.writeString(file(), "x".repeat(HeldFile.MAX_BYTES) + "y");
        try (HeldFile held = new HeldFile(file())) {
            assertThat(held.read()).contains("x".repeat(HeldFile.MAX_BYTES));
        }
    }

    @Test
    void shouldOpenTheFileAgain_whenItWasClosed() throws IOException {
        Files.writeString(file(), "1\n");
        HeldFile held = new HeldFile(file());
        assertThat(held.read()).contains("1\n");
        held.close();
        assertThat(held.read()).contains("1\n");
        held.close();
    }

    /** The kernel answers ESRCH to who holds the file of a process that is over. */
    @Test
    void shouldTellNothing_whenTheProcessIsOver() throws Exception {
        Process process = new ProcessBuilder("sleep", "600").start();
        try (HeldFile held = Processes.OF_SYSTEM.hold(process.pid(), "stat")) {
            assertThat(held.read().orElseThrow()).startsWith(process.pid() + " (sleep)");
            process.destroyForcibly();
            assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(held.read()).isEmpty();
        } finally {
            process.destroyForcibly();
        }
    }
}
