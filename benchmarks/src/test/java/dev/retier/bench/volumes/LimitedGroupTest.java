package dev.retier.bench.volumes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On folders in the place of the system's. */
class LimitedGroupTest {
    @TempDir
    Path root = Path.of("");

    private String text(String file) throws IOException {
        return Files.readString(root.resolve(file));
    }

    @Test
    void shouldLimitByTheFilesOfVersion1() throws IOException {
        Files.createDirectories(root.resolve("memory/bench")); // that a run before has left
        Files.createDirectories(root.resolve("blkio"));
        LimitedGroup group = LimitedGroup.make(root, "bench");
        group.limitMemory(4096);
        group.limitDisk("8:0", 100, 20);

        assertThat(text("memory/bench/memory.limit_in_bytes")).isEqualTo("4096");
        assertThat(text("blkio/bench/blkio.throttle.read_bps_device")).isEqualTo("8:0 100");
        assertThat(text("blkio/bench/blkio.throttle.write_bps_device")).isEqualTo("8:0 100");
        assertThat(text("blkio/bench/blkio.throttle.read_iops_device")).isEqualTo("8:0 20");
        assertThat(text("blkio/bench/blkio.throttle.write_iops_device")).isEqualTo("8:0 20");
    }

    @Test
    void shouldLimitByTheFilesOfVersion2() throws IOException {
        Files.writeString(root.resolve("cgroup.controllers"), "memory io");
        LimitedGroup group = LimitedGroup.make(root, "bench");
        group.limitMemory(4096);
        group.limitDisk("8:0", 100, 20);

        assertThat(text("cgroup.subtree_control")).isEqualTo("+memory +io");
        assertThat(text("bench/memory.max")).isEqualTo("4096");
        assertThat(text("bench/io.max")).isEqualTo("8:0 rbps=100 wbps=100 riops=20 wiops=20");
    }

    @Test
    void shouldRunACommandInBothGroups_asTheSameProcess() throws Exception {
        Files.createDirectories(root.resolve("memory"));
        Files.createDirectories(root.resolve("blkio"));
        LimitedGroup group = LimitedGroup.make(root, "bench");
        Process process = new ProcessBuilder(group.command(List.of("sh", "-c", "echo $$ $0", "two words"))).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).isZero();
        assertThat(said).isEqualTo(process.pid() + " two words\n");
        assertThat(text("memory/bench/cgroup.procs")).isEqualTo(process.pid() + "\n");
        assertThat(text("blkio/bench/cgroup.procs")).isEqualTo(process.pid() + "\n");
    }

    @Test
    void shouldSayWhatIsMissing() throws IOException {
        Files.createDirectories(root.resolve("memory"));
        assertThatThrownBy(() -> LimitedGroup.make(root, "bench"))
                .isInstanceOf(LimitedGroup.Unavailable.class)
                .hasMessageContaining("no control groups for blkio")
                .hasMessageContaining("mount");
    }
}
