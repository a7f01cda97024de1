package dev.retier.cli.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class MountsTest {
    @TempDir
    private Path home = Path.of("");

    private void says(String process) throws IOException {
        Files.writeString(home.resolve("process"), process);
    }

    private Path mount(String volume, String process) throws IOException {
        Path mount = Files.createDirectory(home.resolve(volume));
        Files.writeString(mount.resolve("folder"), home.toRealPath().toString());
        Files.writeString(mount.resolve("process"), process);
        return mount;
    }

    private static String me() throws IOException {
        String[] stat = Files.readString(Path.of("/proc/self/stat")).split(" ", -1); // java, a name without spaces
        return ProcessHandle.current().pid() + " " + stat[21];
    }

    /** What a crash has left there is another volume's, and must not be taken for the one that is there now. */
    @Test
    void shouldFindWhoHasItMountedThere_beforeWhatOthersLeft() throws Exception {
        for (String left : new String[] {"a", "c"}) {
            Files.writeString(mount(left, Long.MAX_VALUE + " 1").resolve("server"), "one");
        }
        Files.writeString(mount("b", me()).resolve("failure"), "of b");
        assertThat(Mounts.on(home, home).orElseThrow().failure()).contains("of b");
        assertThatThrownBy(() -> new Mounts(home.resolve("d")).begin("one", home))
                .hasMessage("b is mounted there: " + home);
    }

    @Test
    void shouldTellWhoUnmountsIt_howItEnded() throws Exception {
        Path folder = Files.createDirectory(home.resolve("folder"));
        Mounts mounts = new Mounts(home.resolve("homes").resolve("a"));
        mounts.begin("one", folder);
        assertThat(mounts.process()).contains(ProcessHandle.current());
        mounts.release();
        assertThat(mounts.process()).as("nobody else may mount it yet").contains(ProcessHandle.current());
        mounts.undo("it was taken");

        Mounts left = Mounts.on(home.resolve("homes"), folder).orElseThrow();
        assertThat(left.process()).isEmpty();
        assertThat(left.failure()).contains("it was taken");
        mounts.begin("one", folder);
        assertThat(left.failure()).as("of the next one").isEmpty();
        mounts.undo();
    }

    /** It holds nothing any more, and nothing ends it. */
    @Test
    void shouldTakeWhoHasEndedForGone_alsoBeforeHisParentAsksHow() throws Exception {
        Process parent = new ProcessBuilder("sh", "-c", "sleep 0 & echo $!; exec sleep 1000").start();
        try (BufferedReader said = parent.inputReader()) {
            Path stat = Path.of("/proc", said.readLine(), "stat");
            String[] fields = awaitZombie(stat).split(" ", -1);
            says(fields[0] + " " + fields[21]);
            assertThat(new Mounts(home).process()).isEmpty();
        } finally {
            parent.destroy();
        }
    }

    private static String awaitZombie(Path stat) {
        return await().until(() -> Files.readString(stat), text -> text.contains(") Z "));
    }

    /**
     * After a crash its number may be another process's, which {@code volume unmount} must not end; and who has it
     * mounted must not be taken for dead when somebody sets the clock, which moves the time of its start.
     */
    @Test
    void shouldKnowWhoHasItMounted_andNobodyWhoHasItsNumberSince() throws IOException {
        Mounts mounts = new Mounts(home);
        assertThat(mounts.process()).as("it says nothing").isEmpty();
        ProcessHandle me = ProcessHandle.current();
        long ticks = Long.parseLong(me().split(" ", -1)[1]);
        says(me.pid() + " " + ticks);
        assertThat(mounts.process()).contains(me);
        says(me.pid() + " " + (ticks - 1));
        assertThat(mounts.process()).as("another one").isEmpty();
        says(Long.MAX_VALUE + " " + ticks);
        assertThat(mounts.process()).as("one that there is not").isEmpty();
        says("");
        assertThat(mounts.process()).as("cut off").isEmpty();
    }
}
