package dev.retier.cli.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.cli.ExitCode;
import dev.retier.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the launchers' options do where a volume server has no memory left. */
class VolumeMemoryTest {
    @TempDir
    private Path folder = Path.of("");

    /** Loses a thread that others would wait for. */
    static final class Forgetful {
        private Forgetful() {}

        public static void main(String[] arguments) throws InterruptedException {
            Thread.ofPlatform().start(() -> {
                byte[][] all = new byte[1 << 10][];
                for (int i = 0; i < all.length; i++) {
                    all[i] = new byte[1 << 16];
                }
            });
            new CountDownLatch(1).await();
        }
    }

    @Test
    void shouldEnd_andNotAsOneWhoseVolumeWasTaken() throws IOException, InterruptedException {
        isEnded(
                ExitCode.FAILED,
                "OutOfMemoryError",
                "-Xmx16m -cp '" + Path.of("target/test-classes").toAbsolutePath() + "' '" + Forgetful.class.getName()
                        + "'");
    }

    @Test
    void shouldSayHowMuch_whenTheIndexOfTheJournalMayTakeMoreThanThereIs() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("secret"), "a secret of some length");
        Files.setPosixFilePermissions(folder.resolve("secret"), PosixFilePermissions.fromString("rw-------"));
        Files.writeString(
                folder.resolve("pool.yaml"),
                "directory: none\nlisten: 127.0.0.1:7100\nsecret-file: " + folder.resolve("secret") + "\n");
        isEnded(
                ExitCode.CONFIG,
                "start it with RETIER_JAVA_OPTIONS=-Xmx192m, or more",
                "-Xmx100m -cp '"
                        + System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                        + "' " + Main.class.getName() + " volume serve --config pool.yaml");
    }

    private void isEnded(ExitCode code, String says, String arguments) throws IOException, InterruptedException {
        Path options = Path.of("..", "dist/src/lib/java-options").toAbsolutePath();
        String script = ". '" + options + "'; java_options volume; cd '" + folder + "'; exec '"
                + Path.of(System.getProperty("java.home"), "bin", "java") + "' $BASE_OPTIONS $OPTIONS " + arguments;
        Path said = folder.resolve("said");
        Process process = new ProcessBuilder("sh", "-c", script)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
            assertThat(process.exitValue()).as(Files.readString(said)).isEqualTo(code.code());
            assertThat(said).content().contains(says);
        } finally {
            process.destroyForcibly();
        }
    }
}
