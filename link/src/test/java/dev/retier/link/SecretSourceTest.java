package dev.retier.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretSourceTest {
    @TempDir
    private Path folder;

    @Test
    void shouldReadTheSecret_whenTheFileHasOne() throws IOException {
        Path file = Files.writeString(folder.resolve("secret"), "a secret of this cell\n");

        assertThat(SecretSource.fromFile(file).toString()).isEqualTo("ClusterSecret[hidden]");
    }

    @Test
    void shouldNameTheFileOnly_whenItIsMissingTooShortOrTooLong() throws IOException {
        Path shortOne = Files.writeString(folder.resolve("short"), "hush");
        Path longOne = Files.writeString(folder.resolve("long"), "x".repeat(5000));

        assertThatThrownBy(() -> SecretSource.fromFile(folder.resolve("none")))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("none");
        assertThatThrownBy(() -> SecretSource.fromFile(shortOne))
                .hasMessageContaining("4 characters")
                .hasMessageNotContaining("hush");
        assertThatThrownBy(() -> SecretSource.fromFile(longOne)).hasMessageContaining("no file of up to 4096 bytes");
        assertThatThrownBy(() -> SecretSource.fromFile(Path.of("/dev/zero"))).hasMessageContaining("no file of up to");
    }

    @Test
    void shouldSayWhy_whenTheFileIsThereAndCannotBeRead() throws IOException {
        Path odd = Files.write(folder.resolve("odd"), new byte[] {'s', (byte) 0xFF});
        assertThatThrownBy(() -> SecretSource.fromFile(odd))
                .hasMessageContaining("odd: it is no text in UTF-8; write the secret into it")
                .hasMessageNotContaining("create");

        Path hidden = Files.writeString(folder.resolve("hidden"), "a secret of this cell");
        Files.setPosixFilePermissions(hidden, Set.of());
        if (!Files.isReadable(hidden)) { // root reads it all the same
            assertThatThrownBy(() -> SecretSource.fromFile(hidden))
                    .hasMessageContaining("hidden: permission denied; give it to this user");
        }
    }

    @Test
    void shouldNameTheVariable_whenItIsNotSet() {
        assertThatThrownBy(() -> SecretSource.fromEnvironment("RETIER_NO_SUCH_VARIABLE"))
                .hasMessageContaining("RETIER_NO_SUCH_VARIABLE is not set");
    }
}
