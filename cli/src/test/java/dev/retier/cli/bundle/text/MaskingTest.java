package dev.retier.cli.bundle.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MaskingTest {
    private static final Masking MASKING = new Masking(Set.of("known-to-be-one", "no"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "password: hunter2-x",
                "  db-password : 'hunter2-x'",
                "\"token\": \"hunter2-x\", \"a\": 1",
                "RETIER_SECRET=hunter2-x",
                "check: [/bin/check, --password, hunter2-x]",
                "check --api-key hunter2-x now",
                "--token=hunter2-x",
                "apiKey=hunter2-x",
                "Authorization: Bearer hunter2-x",
                "Authorization: Basic hunter2-x",
                "    stats auth admin:hunter2-x",
                "    user admin insecure-password hunter2-x",
                "  AuthLDAPBindPassword hunter2-x",
                "AuthLDAPBindPassword \"hunter2-x y\"",
                "<Certificate certificateKeystoreFile=\"conf/a\" keystorePass=\"hunter2-x\"/>",
                "env[DB_PASSWORD] = hunter2-x",
                "http://admin:hunter2-x@10.0.0.1/status",
                "-----BEGIN PRIVATE KEY-----\nhunter2-x\n-----END PRIVATE KEY-----",
                "-----BEGIN RSA PRIVATE KEY-----\nhunter2-x\ncut off"
            })
    void shouldTakeOutWhatStandsWhereSecretsDo(String text) {
        assertThat(MASKING.mask(text)).doesNotContain("hunter2-x").contains(Masking.MASK);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "secret-file: /etc/retier/secret",
                "secret-env: RETIER_SECRET",
                "tokens-file: /etc/retier/tokens",
                "server: {address: \"10.0.0.1:80\", admin: \"10.0.0.1:81\"}",
                "web-1: the secret is not the same at node-2",
                "ProxyPass \"/\" \"balancer://retier-apps/\"",
                "auth_basic_user_file /etc/nginx/users",
                "SSLCertificateKeyFile /etc/ssl/private/a.key",
                "there is no way around it"
            })
    void shouldLeaveTheRest(String text) {
        assertThat(MASKING.mask(text)).isEqualTo(text);
    }

    @Test
    void shouldTakeOutKnownSecretsAnywhere() {
        assertThat(MASKING.mask("x known-to-be-one, known-to-be-one.")).isEqualTo("x ***, ***.");
    }

    @Test
    void shouldFindWhereSecretsAre_inAnyForm() {
        assertThat(Masking.named(
                        "secret-file: /a # b\nx: {secret-file: \"/b c\", y: 1}\nsecret-file: [/d, '/e']",
                        "secret-file"))
                .containsExactlyInAnyOrder("/a", "/b c", "/d", "/e");
        assertThat(Masking.named("secret-env: OURS", "secret-env")).containsExactly("OURS");
        assertThat(Masking.named("x: {my-key: /a, key: '/{node}.key'}\n  key: /k/{node}.pem\n", "key"))
                .containsExactlyInAnyOrder("/{node}.key", "/k/{node}.pem");
    }

    @Test
    void shouldKeepQuotes_soThatJsonIsJsonStill() {
        assertThat(MASKING.mask("{\"token\": \"hunter2-x\", \"a\": 1}")).isEqualTo("{\"token\": \"***\", \"a\": 1}");
    }

    @Test
    void shouldNotTakeForEver_whenALineIsLong() {
        String line = "a.-".repeat(100_000);
        assertTimeoutPreemptively(
                Duration.ofSeconds(20), () -> assertThat(MASKING.mask(line)).isEqualTo(line));
    }
}
