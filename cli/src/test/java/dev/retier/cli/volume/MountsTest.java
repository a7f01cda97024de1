package dev.retier.cli.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
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
        mount("b", me() + "\n");
        assertThat(Mounts.on(home, home).orElseThrow().process()).contains(ProcessHandle.current());
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
        assertThatThrownBy(mounts::clear)
                .hasMessageContaining("process " + ProcessHandle.current().pid());
        mounts.end(Optional.of("it was taken"));

        Mounts left = Mounts.on(home.resolve("homes"), folder).orElseThrow();
        assertThat(left.process()).isEmpty();
        assertThat(left.clear()).isEqualTo(new Mounts.Left(false, Optional.of("it was taken")));
        assertThat(Mounts.on(home.resolve("homes"), folder)).isEmpty();
        mounts.begin("one", folder);
        mounts.end(Optional.of("of the first"));
        mounts.begin("one", folder);
        mounts.end(Optional.empty());
        assertThat(Mounts.on(home.resolve("homes"), folder))
                .as("nothing is left of either")
                .isEmpty();
    }

    /** Who unmounts it is to hear of what lies there, and to be rid of it; the word of one that has ended can wait. */
    @Test
    void shouldFindWhatCrashedThere_beforeTheWordOfOneThatEnded() throws Exception {
        for (String ended : List.of("a", "c")) {
            Path mount = mount(ended, "");
            Files.delete(mount.resolve("process"));
            Files.writeString(mount.resolve("failure"), "of " + ended);
        }
        mount("b", Long.MAX_VALUE + " 1\n");
        assertThat(Mounts.on(home, home).orElseThrow().clear()).isEqualTo(new Mounts.Left(true, Optional.empty()));
        assertThat(home.resolve("b")).doesNotExist();
        assertThat(Mounts.on(home, home).orElseThrow().clear().word()).isPresent();
    }

    /** What the unit asks of the notes, by its own lines. */
    @Test
    void shouldBeReadByItsUnit() throws Exception {
        Path folder = Files.createDirectory(home.resolve("folder"));
        Mounts mounts = new Mounts(home.resolve("homes").resolve("a"));
        mounts.begin("one", folder);
        assertThat(unit("ExecStartPost", "/proc"))
                .as("it is mounted by this process")
                .isEqualTo("0 ");
        assertThat(unit("ExecStopPost", "/srv/a")).as("who lives keeps its own").isEqualTo("1 ");
        Files.writeString(home.resolve("homes/a/process"), Integer.MAX_VALUE + " 1\n");
        assertThat(unit("ExecStopPost", "/srv/a")).isEqualTo("0 volume unmount /srv/a");
    }

    private String unit(String key, String folder) throws IOException, InterruptedException {
        String line = Files.readAllLines(Path.of("../conf/systemd/retier-volume@.service")).stream()
                .filter(each -> each.startsWith(key + "="))
                .findFirst()
                .orElseThrow();
        String script = line.substring(line.indexOf('\'') + 1, line.lastIndexOf('\''))
                .replace("$$", "$")
                .replace("/run/retier-volumes/%i", home.resolve("homes/a").toString())
                .replace("/usr/bin/retier", "echo");
        ProcessBuilder builder = new ProcessBuilder("timeout", "10", "sh", "-c", script);
        builder.environment().put("FOLDER", folder);
        builder.environment()
                .put("MAINPID", Long.toString(ProcessHandle.current().pid()));
        Process process = builder.start();
        try (BufferedReader said = process.inputReader()) {
            String output = said.lines().collect(Collectors.joining());
            return process.waitFor() + " " + output;
        }
    }

    /** It holds nothing any more, and nothing ends it. */
    @Test
    void shouldTakeWhoHasEndedForGone_alsoBeforeHisParentAsksHow() throws Exception {
        String script = "exec 3<&0; { read -r _ <&3; } & echo $!; exec sleep 1000";
        Process parent = new ProcessBuilder("sh", "-c", script).start();
        try (BufferedReader said = parent.inputReader();
                Writer child = parent.outputWriter()) {
            Path stat = Path.of("/proc", said.readLine(), "stat");
            Path command = Path.of("/proc", Long.toString(parent.pid()), "comm");
            await().until(() -> Files.readString(command).strip().equals("sleep")); // which asks nobody how he ended
            child.write("end\n");
            child.flush();
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
