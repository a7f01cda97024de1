package dev.retier.link.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterSecretTest {
    private static final String TEXT = "a secret of this cell";
    private static final Right MEMBER = new Right(2, "");
    private static final Right FABRIC = new Right(3, "retier shared-state fabric");

    @ParameterizedTest
    @ValueSource(ints = {16, 17, 1023, 1024})
    void shouldTakeASecret_whenItHasSixteenToAThousandAndTwentyFourCharacters(int length) {
        assertThat(ClusterSecret.of(" " + "0123 567".repeat(128).substring(0, length - 1) + "x\n"))
                .hasToString("ClusterSecret[hidden]");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 15, 1025})
    void shouldRefuseASecret_whenItIsTooShortOrTooLong(int length) {
        assertThatThrownBy(() -> ClusterSecret.of(" " + "x".repeat(length) + " "))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the cluster secret has " + length
                        + " characters, not 16 to 1024: make one with retier secret new");
    }

    @Test
    void shouldRefuseASecret_whenItHasFewerThanEightDifferentCharacters() {
        assertThatThrownBy(() -> ClusterSecret.of("a".repeat(16)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the cluster secret has 1 different characters, fewer than 8, and is soon guessed: make one"
                        + " with retier secret new");
        assertThatThrownBy(() -> ClusterSecret.of("abcdefg".repeat(20))).hasMessageContaining("7 different");
        assertThat(ClusterSecret.of("abcdefgh".repeat(2))).hasToString("ClusterSecret[hidden]");
    }

    @Test
    void shouldBeEqual_whenBothAreOfOneText() {
        assertThat(ClusterSecret.of(TEXT))
                .isEqualTo(ClusterSecret.of(TEXT + "\n"))
                .hasSameHashCodeAs(ClusterSecret.of(TEXT))
                .isNotEqualTo(ClusterSecret.of(TEXT + "s"));
    }

    /** As HMAC-SHA256 of RFC 2104 says it, without the code of the product. */
    @Test
    void shouldDeriveOneKeyForEachRightAndVersion_asDrawn() throws GeneralSecurityException {
        byte[] secret = bytes(TEXT);

        assertThat(proof(MEMBER, 2)).as("the secret itself").isEqualTo(hmac(secret, "said"));
        assertThat(proof(FABRIC, 2)).isEqualTo(hmac(hmac(secret, "retier shared-state fabric"), "said"));
        assertThat(proof(MEMBER, 3)).isEqualTo(hmac(hmac(secret, "retier handshake 3 right 2"), "said"));
        assertThat(proof(FABRIC, 3)).isEqualTo(hmac(hmac(secret, "retier handshake 3 right 3"), "said"));
    }

    @Test
    void shouldHintAtTheKeyByTwoBytes_asDrawn() throws GeneralSecurityException {
        byte[] derived = hmac(bytes(TEXT), "retier handshake 3 right 2");
        byte[] hint = hmac(derived, "retier handshake key hint");

        assertThat(hint).startsWith(0xd0, 0x78);
        assertThat(ClusterSecret.of(TEXT).keyFor(MEMBER, 3).hint()).isEqualTo(0xd078);
    }

    @Test
    void shouldHaveACodeOfOneByte_whenARightIsDefined() {
        assertThat(new Right(1, "")).hasToString("right 1");
        assertThat(new Right(255, "retier volume")).hasToString("right 255 (retier volume)");
        for (int other : new int[] {0, 256}) {
            assertThatThrownBy(() -> new Right(other, ""))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("right " + other + " is not in 1..255");
        }
    }

    private static byte[] proof(Right right, int version) {
        return ClusterSecret.of(TEXT).keyFor(right, version).mac().doFinal(bytes("said"));
    }

    private static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(bytes(text));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
