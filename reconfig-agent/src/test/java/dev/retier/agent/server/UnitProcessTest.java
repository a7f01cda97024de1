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
    private Path named = Path.of("");

    @BeforeEach
    void prepare() {
        asked = folder.resolve("asked");
        named = folder.resolve("named");
    }

    private UnitProcess told(String script) {
        return new UnitProcess(
                List.of("/bin/sh", "-c", "echo x >>" + asked + "; " + script), new Processes(folder.resolve("proc")));
    }

    /** Alive or not, and begun then. */
    private void process(long pid, String state, int start) throws IOException {
        Path process = Files.createDirectories(folder.resolve("proc/" + pid));
        Files.writeString(
                process.resolve("stat"),
                pid + " (java) " + state + " 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 " + start + " 0\n");
    }

    /** One whose process lives and is told; what is told next is in the file. */
    private UnitProcess running() throws IOException {
        process(PID, "S", 7);
        Files.writeString(named, PID + "\n");
        UnitProcess unit = told("cat " + named);
        unit.ask();
        assertThat(unit.pid()).contains(PID);
        return unit;
    }

    @Test
    void shouldAskOnce_whileTheProcessLives() throws IOException {
        process(PID, "S", 7);
        UnitProcess unit = told("echo " + PID);
        for (int i = 0; i < 5; i++) {
            unit.ask();
            assertThat(unit.pid()).contains(PID);
        }
        assertThat(asked).hasContent("x");
    }

    @Test
    void shouldAskAgain_whenTheProcessHasEnded() throws IOException {
        UnitProcess unit = running();
        process(PID + 1, "S", 9);

        process(PID, "Z", 7);
        Files.writeString(named, (PID + 1) + "\n");
        await().atMost(Duration.ofSeconds(10)).until(() -> unit.pid().orElse(0L) == PID + 1);
    }

    /** It is somebody else now, whom nobody may signal. */
    @Test
    void shouldForgetTheNumber_whenAnotherProcessHasGotIt() throws IOException {
        UnitProcess unit = running();

        Files.writeString(named, "0\n");
        process(PID, "S", 4_000);
        assertThat(unit.pid()).isEmpty();
    }

    /** Looks at the load go on meanwhile. */
    @Test
    void shouldNotWait_whenItIsOnlyLookedAt() throws IOException {
        process(PID, "S", 7);
        Path go = folder.resolve("go");
        UnitProcess unit = told("while [ ! -e " + go + " ]; do sleep 0.02; done; echo " + PID);
        assertThat(unit.pid()).isEmpty();
        assertThat(unit.problem()).contains("not been asked yet");
        Files.createFile(go);
        await().atMost(Duration.ofSeconds(10)).until(() -> unit.pid().orElse(0L) == PID);
        assertThat(asked).hasContent("x");
    }

    /** systemd is busy, and the server works. */
    @Test
    void shouldGoOnWithAProcessThatLives_whenNobodyCanTellAnyMore() throws IOException {
        UnitProcess unit = running();
        Files.delete(named);
        await().atMost(Duration.ofSeconds(10)).until(() -> {
            unit.ask();
            return !unit.problem().isEmpty();
        });
        assertThat(unit.pid()).contains(PID);
    }

    @Test
    void shouldAskAtOnce_whenItIsToForgetWhatWasSaid() throws IOException {
        Files.writeString(named, "0\n");
        UnitProcess unit = told("cat " + named);
        unit.ask();
        process(PID, "S", 7);
        Files.writeString(named, PID + "\n");
        unit.forget();
        unit.ask();
        assertThat(unit.pid()).contains(PID);
    }

    @Test
    void shouldFindNone_whenTheUnitDoesNotRun() {
        UnitProcess unit = told("echo 0");
        unit.ask();
        assertThat(unit.pid()).isEmpty();
        assertThat(unit.problem()).as("systemd has answered").isEmpty();
        unit.ask();
        assertThat(unit.pid()).isEmpty();
        assertThat(asked).as("not at each look").hasContent("x");
    }

    @Test
    void shouldSayWhy_whenNobodyCanTell() {
        UnitProcess unit = told("echo 'System has not been booted with systemd' >&2; exit 1");
        unit.ask();
        assertThat(unit.pid()).isEmpty();
        assertThat(unit.problem()).contains("has not been booted with systemd");
    }
}
