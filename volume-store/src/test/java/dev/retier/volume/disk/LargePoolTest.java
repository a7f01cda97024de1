package dev.retier.volume.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory for maps: a byte and four for each cluster, and once for all snapshots that have it. */
class LargePoolTest {
    @TempDir
    private Path folder;

    /** Eight million places, which in arrays of each map's own would be 64 MB. */
    @Test
    void shouldHaveAPlaceInLittleMemory() throws IOException, InterruptedException {
        LargePool.make(folder, 64, 7);
        assertThat(used("-Xmx40m")).contains("opened: ", "discarded: ", "rolled back: ", "resized: ");
    }

    private String used(String memory) throws IOException, InterruptedException {
        Process java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        memory,
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LargePool.class.getName(),
                        folder.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(java.waitFor()).as(said).isZero();
        return said;
    }
}
