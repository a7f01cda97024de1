package dev.retier.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Secrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretSourceTest {
    private static final String TEXT = "a secret of this cell";
    private static final String NEXT = "the next secret of this cell";

    @TempDir
    private Path folder;

    private Path write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    }

    @Test
    void shouldReadTheSecrets_whenTheFileHasOneOrTwo() throws IOException {
        SecretSource one = SecretSource.fromFile(write("one", TEXT + "\n"));
        SecretSource two = SecretSource.fromFile(write("two", NEXT + "\n" + TEXT));

        assertThat(one.secrets()).isEqualTo(Secrets.only(ClusterSecret.of(TEXT)));
        assertThat(two.secrets()).isEqualTo(new Secrets(ClusterSecret.of(NEXT), ClusterSecret.of(TEXT)));
        assertThat(one.toString()).contains("one").doesNotContain(TEXT);
        assertThat(SecretSource.of(one.secrets())).hasToString("SecretSource[hidden]");
    }

    @Test
    void shouldNameTheFileOnly_whenItIsMissingTooShortOrTooLong() throws IOException {
        Path shortOne = write("short", "hush");
        Path longOne = write("long", "x".repeat(5000));

        assertThatThrownBy(() -> SecretSource.fromFile(folder.resolve("none")))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("none");
        assertThatThrownBy(() -> SecretSource.fromFile(shortOne))
                .hasMessageContaining("4 characters")
                .hasMessageNotContaining("hush");
        assertThatThrownBy(() -> SecretSource.fromFile(longOne)).hasMessageContaining("no file of up to 4096 bytes");
        assertThatThrownBy(() -> SecretSource.fromFile(Path.of("/dev/zero"))).hasMessageContaining("no file of up to");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw----r--", "rw-----w-", "rw------x", "rw-r--r--"})
    void shouldRefuseTheFile_whenEveryUserMayOpenIt(String mode) throws IOException {
        Path open = Files.setPosixFilePermissions(write("open", TEXT), PosixFilePermissions.fromString(mode));

        assertThatThrownBy(() -> SecretSource.fromFile(open))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("take that right away (chmod o= " + open + ")")
                .hasMessageNotContaining(TEXT);
    }

    @Test
    void shouldSayWhy_whenTheFileIsThereAndCannotBeRead() throws IOException {
        Path odd = write("odd", "");
        Files.write(odd, new byte[] {'s', (byte) 0xFF});
        assertThatThrownBy(() -> SecretSource.fromFile(odd))
                .hasMessageContaining("odd: it is no text in UTF-8; write the secret into it")
                .hasMessageNotContaining("create");

        Path hidden = write("hidden", TEXT);
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

    @Test
    void shouldTakeAChange_whenTwoLooksInARowSeeTheSame() throws IOException {
        Path file = write("secret", TEXT);
        SecretSource source = SecretSource.fromFile(file);
        Secrets before = source.secrets();

        assertThat(source.look()).isEmpty();
        write("secret", NEXT.substring(0, 20)); // half of it is written, and would do
        assertThat(source.look()).isEmpty();
        write("secret", NEXT + "\n" + TEXT);
        assertThat(source.look()).isEmpty();
        assertThat(source.secrets()).isSameAs(before);

        assertThat(source.look())
                .get()
                .satisfies(news -> assertThat(news.text())
                        .contains("secret has changed: new connections use", "two secrets, and offer the first"))
                .satisfies(news -> assertThat(news.isGood()).isTrue());
        assertThat(source.secrets()).isEqualTo(new Secrets(ClusterSecret.of(NEXT), ClusterSecret.of(TEXT)));
        assertThat(source.look()).isEmpty();
    }

    @Test
    void shouldLookTwiceAgain_whenTheFileCouldNotBeUsedInBetween() throws IOException {
        SecretSource source = SecretSource.fromFile(write("secret", TEXT));
        Secrets before = source.secrets();

        write("secret", NEXT);
        assertThat(source.look()).isEmpty();
        write("secret", "");
        assertThat(source.look()).isPresent();
        write("secret", NEXT);
        assertThat(source.look()).as("seen once since").isEmpty();
        assertThat(source.secrets()).isSameAs(before);

        assertThat(source.look()).isPresent();
        assertThat(source.secrets()).isEqualTo(Secrets.only(ClusterSecret.of(NEXT)));
    }

    @Test
    void shouldKeepWhatItHasAndSaySoOnce_whenTheFileCannotBeUsed() throws IOException {
        Path file = write("secret", TEXT);
        SecretSource source = SecretSource.fromFile(file);
        Secrets before = source.secrets();

        write("secret", "a".repeat(40));
        assertThat(source.look())
                .get()
                .satisfies(news -> assertThat(news.text())
                        .startsWith("what was read of the cluster secret before still counts")
                        .contains("1 different characters")
                        .doesNotContain("aaaa"))
                .satisfies(news -> assertThat(news.isGood()).isFalse());
        assertThat(source.look()).isEmpty();
        Files.setPosixFilePermissions(write("secret", NEXT), PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(source.look()).isPresent();
        Files.delete(file);
        assertThat(source.look()).isPresent();
        assertThat(source.secrets()).isSameAs(before);

        write("secret", NEXT);
        assertThat(source.look()).isEmpty();
        assertThat(source.look()).isPresent();
        assertThat(source.secrets()).isEqualTo(Secrets.only(ClusterSecret.of(NEXT)));
    }
}
