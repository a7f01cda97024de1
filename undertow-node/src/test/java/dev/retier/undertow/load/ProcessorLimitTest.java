package dev.retier.undertow.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessorLimitTest {
    private static final int ALL = Runtime.getRuntime().availableProcessors();

    @TempDir
    private Path folder;

    @Test
    void shouldTakeTheScarcestQuota_whenVersion2() throws IOException {
        write("own", "0::/shop/web.service\n");
        write("shop/web.service/cpu.max", "50000 100000\n");
        write("shop/cpu.max", "10000 100000\n");
        write("cpu.max", "max 100000\n");
        assertThat(limit()).isEqualTo(0.1);
        write("shop/cpu.max", "max 100000\n");
        assertThat(limit()).isEqualTo(0.5);
    }

    @Test
    void shouldTakeTheScarcestQuota_whenVersion1() throws IOException {
        write("own", "5:memory:/a\n4:cpu,cpuacct:/lab/node-1\n");
        write("cpu,cpuacct/lab/node-1/cpu.cfs_quota_us", "2000\n");
        write("cpu,cpuacct/lab/node-1/cpu.cfs_period_us", "20000\n");
        write("cpu,cpuacct/lab/cpu.cfs_quota_us", "-1\n");
        write("cpu,cpuacct/lab/cpu.cfs_period_us", "100000\n");
        assertThat(limit()).isEqualTo(0.1);
    }

    @Test
    void shouldTakeTheProcessorsThatThereAre_whenNothingLimitsThem() throws IOException {
        assertThat(limit()).as("no control groups").isEqualTo(ALL);
        write("own", "0::/\nnonsense\n");
        write("cpu.max", "what 100000\n");
        assertThat(limit()).isEqualTo(ALL);
        write("cpu.max", (ALL + 1) + "00000 100000\n");
        assertThat(limit()).as("more than there are").isEqualTo(ALL);
    }

    private double limit() {
        return new ProcessorLimit(folder.resolve("own"), folder).read();
    }

    private void write(String file, String text) throws IOException {
        Files.createDirectories(folder.resolve(file).getParent());
        Files.writeString(folder.resolve(file), text);
    }
}
