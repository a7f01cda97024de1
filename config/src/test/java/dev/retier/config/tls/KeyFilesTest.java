package dev.retier.config.tls;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.testsupport.TestAuthority;
import dev.retier.testsupport.TestAuthority.Issued;
import dev.retier.testsupport.TestAuthority.PemPair;
import dev.retier.testsupport.TestAuthority.Subject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyFilesTest {
    private static final TestAuthority AUTHORITY = new TestAuthority("cell");

    @TempDir
    private Path folder;

    private final List<String> told = new ArrayList<>();
    private final RereadListener listener = new RereadListener() {
        @Override
        public void taken(List<Path> files) {
            told.add("taken");
        }

        @Override
        public void refused(PemException why) {
            told.add(why.getMessage());
        }
    };

    private static Issued issued(String name) {
        return AUTHORITY.issue(Subject.of(name));
    }

    private KeyFiles open(PemPair pair) {
        return KeyFiles.open(pair.certificate(), pair.key(), listener);
    }

    private static String alias(KeyFiles keys, String kind) {
        return requireNonNull(keys.chooseEngineServerAlias(kind, null, null));
    }

    private static String shown(KeyFiles keys) {
        return Certificates.subject(requireNonNull(keys.getCertificateChain(alias(keys, "EC")))[0]);
    }

    @Test
    void shouldShowTheNewPair_whenBothFilesWereReplaced() throws IOException {
        KeyFiles keys = open(issued("web-1").writeTo(folder, "node"));
        String before = alias(keys, "EC");
        var oldKey = keys.getPrivateKey(before);

        issued("web-2").writeTo(folder, "node");

        assertThat(shown(keys)).isEqualTo("CN=web-2");
        assertThat(told).containsExactly("taken");
        assertThat(keys.getPrivateKey(before)).as("of a handshake under way").isSameAs(oldKey);
    }

    @Test
    void shouldKeepTheOldPair_whileOneFileIsNew() throws IOException {
        PemPair pair = issued("web-1").writeTo(folder, "node");
        KeyFiles keys = open(pair);
        Issued next = issued("web-2");

        Files.writeString(pair.certificate(), next.certificate());
        assertThat(shown(keys)).isEqualTo("CN=web-1");
        assertThat(shown(keys)).isEqualTo("CN=web-1");

        assertThat(told)
                .singleElement()
                .asString()
                .contains(pair.key() + ": the key is not that of the first", "web-2");

        next.writeTo(folder, "node");
        assertThat(shown(keys)).isEqualTo("CN=web-2");
    }

    @Test
    void shouldKeepTheOldPair_whenTheFilesVanish() throws IOException {
        PemPair pair = issued("web-1").writeTo(folder, "node");
        KeyFiles keys = open(pair);

        Files.delete(pair.key());

        assertThat(shown(keys)).isEqualTo("CN=web-1");
        assertThat(told).singleElement().asString().contains(pair.key() + ": no such file");
    }

    @Test
    void shouldHaveNoAlias_whenAnotherKindOfKeyIsAskedFor() throws IOException {
        KeyFiles keys = open(issued("web-1").writeTo(folder, "node"));

        assertThat(keys.chooseEngineServerAlias("RSA", null, null)).isNull();
        assertThat(keys.chooseEngineClientAlias(new String[] {"RSA", "EC"}, null, null))
                .isNotNull();
        assertThat(keys.getCertificateChain("no such")).isNull();
        assertThat(keys.getPrivateKey("no such")).isNull();
    }

    @ParameterizedTest
    @CsvSource({"rw----r--, true", "rw-----w-, true", "rw-r-----, false", "rw-------, false"})
    void shouldRefuseAKey_whenOthersMayUseIt(String mode, boolean refused) throws IOException {
        PemPair pair = issued("web-1").writeTo(folder, "node");
        Files.setPosixFilePermissions(pair.key(), PosixFilePermissions.fromString(mode));

        if (refused) {
            assertThatThrownBy(() -> open(pair))
                    .isInstanceOf(PemException.class)
                    .hasMessageContaining("others may use it")
                    .hasMessageContaining("chmod o= " + pair.key());
        } else {
            assertThat(shown(open(pair))).isEqualTo("CN=web-1");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "ENCRYPTED PRIVATE KEY, the key is encrypted; write it as plain PKCS#8 by openssl pkcs8",
        "EC PRIVATE KEY, the key is in the form of EC; write it as plain PKCS#8 by openssl pkcs8",
        "PUBLIC KEY, there is no private key in it",
    })
    void shouldNameTheRemedy_whenTheKeyIsInAnotherForm(String label, String message) throws IOException {
        Issued issued = issued("web-1");
        PemPair pair =
                new Issued(issued.certificate(), issued.key().replace("PRIVATE KEY", label)).writeTo(folder, "node");

        assertThatThrownBy(() -> open(pair))
                .hasMessageContaining(pair.key() + ": ")
                .hasMessageContaining(message);
    }

    @Test
    void shouldTellNothingOfAKey_whenItIsOfAnotherKind() throws Exception {
        byte[] rsa = KeyPairGenerator.getInstance("RSA")
                .generateKeyPair()
                .getPrivate()
                .getEncoded();
        String text = Base64.getEncoder().encodeToString(rsa);
        PemPair pair = new Issued(
                        issued("web-1").certificate(),
                        "-----BEGIN PRIVATE KEY-----\n" + text + "\n-----END PRIVATE KEY-----\n")
                .writeTo(folder, "node");

        assertThatThrownBy(() -> open(pair))
                .hasMessage(pair.key() + ": it has no whole EC key, as the certificate asks for; give the key for which"
                        + " the certificate was made")
                .hasNoCause();
    }

    @Test
    void shouldReadRsaAndEdwardsKeys_whenACertificateHasOne() throws Exception {
        for (String kind : List.of("RSA", "Ed25519")) {
            var pair = KeyPairGenerator.getInstance(kind).generateKeyPair();
            PemPair files = AUTHORITY.issue(Subject.of("web-1"), pair).writeTo(folder, kind);

            KeyFiles keys = open(files);

            String alias = alias(keys, pair.getPrivate().getAlgorithm());
            assertThat(keys.getPrivateKey(alias)).isEqualTo(pair.getPrivate());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', there is no certificate in it",
        "-----BEGIN CERTIFICATE-----AAAA-----END CERTIFICATE-----, number 1 is damaged"
    })
    void shouldNameTheFile_whenACertificateIsNone(String text, String message) throws IOException {
        PemPair pair = new Issued(text, issued("web-1").key()).writeTo(folder, "node");

        assertThatThrownBy(() -> open(pair))
                .hasMessageContaining(pair.certificate() + ": ")
                .hasMessageContaining(message);
    }

    @Test
    void shouldRefuseAFile_whenItIsTooLong() throws IOException {
        PemPair pair = new Issued("x".repeat((256 << 10) + 1), issued("web-1").key()).writeTo(folder, "node");

        assertThatThrownBy(() -> open(pair)).hasMessageContaining("more than 256 KiB");
    }

    @Test
    void shouldTakeOneFile_whenBothAreInIt() throws IOException {
        Issued issued = issued("web-1");
        PemPair pair = new Issued("words of openssl\n" + issued.certificate(), issued.key() + issued.certificate())
                .writeTo(folder, "node");

        assertThat(shown(KeyFiles.open(pair.key(), pair.key(), listener))).isEqualTo("CN=web-1");
        assertThat(Files.readString(pair.key(), StandardCharsets.US_ASCII)).contains("CERTIFICATE");
    }
}
