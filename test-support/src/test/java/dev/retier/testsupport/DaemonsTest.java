package dev.retier.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DaemonsTest {
    @TempDir
    private Path folder;

    @AfterEach
    void killAll() {
        Daemons.kill(Daemons.of(folder.resolve("pid")));
    }

    /** A parent with a child, neither of them a child of this process. */
    private List<ProcessHandle> start() throws IOException, InterruptedException {
        Path pidFile = folder.resolve("pid");
        String parent = "sleep 600 & echo $$ > " + pidFile + "; wait";
        new ProcessBuilder("sh", "-c", "sh -c '" + parent + "' & while [ ! -s " + pidFile + " ]; do :; done")
                .redirectOutput(folder.resolve("said").toFile())
                .redirectErrorStream(true)
                .start()
                .waitFor();
        return Daemons.of(pidFile);
    }

    @Test
    void shouldKnowParentAndChild_whenAPidFileNamesTheParent() throws Exception {
        List<ProcessHandle> processes = start();
        assertThat(processes).hasSize(2).allMatch(Daemons::runs);
        Daemons.kill(processes);
        assertThat(processes).noneMatch(Daemons::runs);
    }

    @Test
    void shouldLeaveNoId_whenTheyAreToBeStartedAgain() throws Exception {
        List<ProcessHandle> processes = start();
        assertThat(processes).isNotEmpty();
        Daemons.killForRestart(processes);
        assertThat(processes).noneMatch(ProcessHandle::isAlive);
        assertThat(Daemons.of(folder.resolve("pid"))).isEmpty();
    }

    @Test
    void shouldCallAZombieEnded() throws Exception {
        Process parent = new ProcessBuilder("sh", "-c", "sleep 600 & echo $!; exec sleep 600").start();
        try {
            ProcessHandle zombie = ProcessHandle.of(
                            Long.parseLong(parent.inputReader().readLine()))
                    .orElseThrow();
            // A shell may ask for the end of its child, the program that it turns into never does.
            Patience.await().until(() -> parent.info().command().orElse("").endsWith("sleep"));
            assertThat(Daemons.runs(zombie)).isTrue();
            zombie.destroyForcibly();
            Patience.await().until(() -> !Daemons.runs(zombie));
            assertThat(zombie.isAlive())
                    .as("its parent has not asked for its end")
                    .isTrue();
        } finally {
            parent.descendants().forEach(ProcessHandle::destroyForcibly);
            parent.destroyForcibly().waitFor();
        }
    }

    @Test
    void shouldKnowNone_whenThereIsNoFile() {
        assertThat(Daemons.of(folder.resolve("none"))).isEmpty();
    }
}
