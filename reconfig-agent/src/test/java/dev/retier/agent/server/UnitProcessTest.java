package dev.retier.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code systemctl show --property=MainPID --value UNIT} says, told by a shell here. */
class UnitProcessTest {
    private static final long PID = 4_711;

    @TempDir
    private Path folder = Path.of("");

    private Path asked = Path.of("");

    @BeforeEach
    void prepare() {
        asked = folder.resolve("asked");
    }

    private UnitProcess told(String script) {
        return new UnitProcess(
                List.of("/bin/sh", "-c", "echo x >>" + asked + "; " + script), new Processes(folder.resolve("proc")));
    }

    private void alive(long pid, String state) throws IOException {
        Path process = Files.createDirectories(folder.resolve("proc/" + pid));
        Files.writeString(process.resolve("stat"), pid + " (java) " + state + " 1 1 1 0 -1 0\n");
    }

    @Test
    void shouldAskOnce_whileTheProcessLives() throws IOException {
        alive(PID, "S");
        UnitProcess unit = told("echo " + PID);
        for (int i = 0; i < 50; i++) {
            assertThat(unit.pid()).contains(PID);
        }
        assertThat(asked).hasContent("x");
    }

    @Test
    void shouldAskAgain_whenTheProcessHasEnded() throws IOException {
        alive(PID, "S");
        alive(PID + 1, "S");
        Path named = folder.resolve("named");
        Files.writeString(named, PID + "\n");
        UnitProcess unit = told("cat " + named);
        assertThat(unit.pid()).contains(PID);

        alive(PID, "Z");
        Files.writeString(named, (PID + 1) + "\n");
        await().atMost(Duration.ofSeconds(10)).until(() -> unit.pid().orElse(0L) == PID + 1);
    }

    @Test
    void shouldFindNone_whenTheUnitDoesNotRun() {
        UnitProcess unit = told("echo 0");
        assertThat(unit.pid()).isEmpty();
        assertThat(unit.problem()).as("systemd has answered").isEmpty();
        assertThat(unit.pid()).isEmpty();
        assertThat(asked).as("not at each look").hasContent("x");
    }

    @Test
    void shouldSayWhy_whenNobodyCanTell() {
        UnitProcess unit = told("echo 'System has not been booted with systemd' >&2; exit 1");
        assertThat(unit.pid()).isEmpty();
        assertThat(unit.problem()).contains("has not been booted with systemd");
    }
}
