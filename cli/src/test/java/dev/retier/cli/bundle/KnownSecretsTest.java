package dev.retier.cli.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownSecretsTest {
    private static final String DIGEST = "0a".repeat(32);

    @TempDir
    private Path folder;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void shouldReadAllThatTheFileNames() throws IOException {
        file("web-1.key", "-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49\nQUJD\n-----END PRIVATE KEY-----\n");
        file("web-2.key", "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIE\n-----END PRIVATE KEY-----\n");
        String cluster = "secret-file: " + file("secret", "the-new-one\nthe-old-one\n") + "\nsecret-env: OURS\n"
                + "admin: {tokens-file: \"" + file("tokens", "# who may\nann:viewer:" + DIGEST + "\n") + "\"}\n"
                + "rdma: {tls: {key: '" + folder + "/{node}.key', ca: /none}}\n";
        KnownSecrets known = new KnownSecrets(
                cluster,
                List.of("web-1", "web-2", "web-3"),
                List.of(file("mine", "a-token-of-ann-alone\n"), folder.resolve("none"), folder),
                Map.of("OURS", "one\ntwo", "RETIER_SECRET", "three", "HOME", "/root"));
        assertThat(known.secrets())
                .containsExactlyInAnyOrder(
                        "the-new-one",
                        "the-old-one",
                        DIGEST,
                        "MIGHAgEAMBMGByqGSM49",
                        "MC4CAQAwBQYDK2VwBCIE",
                        "a-token-of-ann-alone",
                        "one",
                        "two",
                        "three");
        assertThat(known.tokenNames()).containsExactly("ann");
    }
}
