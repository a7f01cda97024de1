package dev.retier.cli.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VolumeCommandTest {
    @TempDir
    private Path folder = Path.of("");

    private static void refuses(String why, String... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertThat(run.code()).as(run.err()).isEqualTo(64);
        assertThat(run.err()).contains(why);
    }

    @Test
    void shouldSayWhatIsMissing() {
        refuses("say what to do: serve, create", "volume");
        refuses("name the server: --server and --secret-file, or --config", "volume", "list");
        refuses("name the server", "volume", "list", "--server", "127.0.0.1:1");
        refuses("--server here: write host:port", "volume", "list", "--server", "here", "--secret-file", "s");
        refuses("\"Accounts\" is no name of a volume", "volume", "create", "Accounts", "--size", "1g");
        refuses("'1 GB' is no size; write a whole number", "volume", "create", "accounts", "--size", "1 GB");
        refuses("deleting accounts cannot be undone: say --yes", "volume", "delete", "accounts", "--server", "a:1");
    }

    @Test
    void shouldTellWhatIsWrongInTheFile() throws IOException {
        Path file = Files.writeString(folder.resolve("pool.yaml"), "directory: /nowhere\nlisten: 127.0.0.1:7100\n");
        CommandRun run = CommandRun.of("volume", "serve", "--config", file.toString());
        assertThat(run.code()).isEqualTo(78);
        assertThat(run.err()).contains("secret-file: missing; add it");

        Files.writeString(file, "directory: /nowhere\nlisten: 127.0.0.1:7100\nsecret-file: /nowhere/secret\n");
        CommandRun secret = CommandRun.of("volume", "serve", "--config", file.toString());
        assertThat(secret.code()).isEqualTo(78);
        assertThat(secret.err()).contains("/nowhere/secret");

        Path known = Files.writeString(folder.resolve("secret"), "a secret of some length");
        Files.writeString(
                file,
                "directory: /nowhere\nlisten: 127.0.0.1:7100\nsecret-file: " + known
                        + "\nclients: 1024\ncredits: 256\nstaging-slot: 512k\n");
        CommandRun memory = CommandRun.of("volume", "serve", "--config", file.toString());
        assertThat(memory.code()).isEqualTo(78);
        assertThat(memory.err()).contains("ask for up to 256g bytes, and the machine has");

        CommandRun missing = CommandRun.of("volume", "serve", "--config", folder + "/none.yaml");
        assertThat(missing.code()).isEqualTo(78);
        assertThat(missing.err()).contains("none.yaml: cannot be read");
    }
}
