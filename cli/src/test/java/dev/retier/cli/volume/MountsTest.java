package dev.retier.cli.volume;

import static org.assertj.core.api.Assertions.assertThat;

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

    /**
     * After a crash its number may be another process's, which {@code volume unmount} must not end; and who has it
     * mounted must not be taken for dead when somebody sets the clock, which moves the time of its start.
     */
    @Test
    void shouldKnowWhoHasItMounted_andNobodyWhoHasItsNumberSince() throws IOException {
        Mounts mounts = new Mounts(home);
        assertThat(mounts.process()).as("it says nothing").isEmpty();
        ProcessHandle me = ProcessHandle.current();
        String[] stat = Files.readString(Path.of("/proc/self/stat")).split(" ", -1); // java, a name without spaces
        long ticks = Long.parseLong(stat[21]);
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
