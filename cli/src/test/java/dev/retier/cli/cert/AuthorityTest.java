package dev.retier.cli.cert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.SecureRandom;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AuthorityTest {
    private static final Instant FROM = Instant.parse("2026-11-29T10:00:00Z");
    private static final Instant UNTIL = FROM.plus(365, ChronoUnit.DAYS);
    private static final SecureRandom RANDOM = new SecureRandom();

    private static void validate(X509Certificate certificate, X509Certificate authority, Instant at)
            throws GeneralSecurityException {
        PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(authority, null)));
        parameters.setRevocationEnabled(false);
        parameters.setDate(Date.from(at));
        var path = CertificateFactory.getInstance("X.509").generateCertPath(List.of(certificate));
        CertPathValidator.getInstance("PKIX").validate(path, parameters);
    }

    private static Issued authority(String name) {
        return Authority.create(name, FROM, UNTIL, RANDOM);
    }

    private static Issued signed(Issued authority, Subject subject) {
        return new Authority(authority.certificate(), authority.key()).sign(subject, FROM, UNTIL, RANDOM);
    }

    @Test
    void shouldBeGoodForWhatItIsFor_whenSigned() throws Exception {
        Issued authority = authority("shop");
        Subject node = Subject.member(
                "web-1",
                List.of("web-1.example"),
                List.of(InetAddress.ofLiteral("192.0.2.1"), InetAddress.ofLiteral("::1")));
        X509Certificate certificate = signed(authority, node).certificate();

        validate(certificate, authority.certificate(), FROM);
        assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=web-1");
        assertThat(certificate.getIssuerX500Principal().getName()).isEqualTo("CN=shop");
        assertThat(certificate.getVersion()).isEqualTo(3);
        assertThat(certificate.getBasicConstraints()).as("it signs nobody").isEqualTo(-1);
        assertThat(certificate.getKeyUsage())
                .containsExactly(true, false, false, false, false, false, false, false, false);
        assertThat(certificate.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2");
        assertThat(certificate.getSubjectAlternativeNames().stream().map(name -> String.valueOf(name.get(1))))
                .containsExactly("web-1.example", "192.0.2.1", "0:0:0:0:0:0:0:1");
        assertThat(certificate.getExtensionValue("2.5.29.35"))
                .as("the id of its signer's key")
                .endsWith(HexFormat.of()
                        .parseHex(HexFormat.of()
                                .formatHex(authority.certificate().getExtensionValue("2.5.29.14"))
                                .substring(8)));
    }

    @Test
    void shouldSignNoOtherAuthority_whenCreated() {
        X509Certificate certificate = authority("shop").certificate();
        assertThat(certificate.getBasicConstraints()).as("path length").isZero();
        assertThat(certificate.getKeyUsage())
                .containsExactly(false, false, false, false, false, true, true, false, false);
        assertThat(certificate.getCriticalExtensionOIDs()).containsExactlyInAnyOrder("2.5.29.15", "2.5.29.19");
    }

    @Test
    void shouldNotBeTrusted_whenAnotherOfThatNameSigned() {
        Issued leaf = signed(authority("shop"), Subject.client("eve"));
        X509Certificate other = authority("shop").certificate();
        assertThatThrownBy(() -> validate(leaf.certificate(), other, FROM))
                .isInstanceOf(GeneralSecurityException.class);
    }

    @Test
    void shouldHoldFromFirstToLastSecond() {
        Issued authority = authority("shop");
        X509Certificate leaf = signed(authority, Subject.client("eve")).certificate();
        assertThatCode(() -> validate(leaf, authority.certificate(), UNTIL)).doesNotThrowAnyException();
        assertThatThrownBy(() -> validate(leaf, authority.certificate(), UNTIL.plusSeconds(1)))
                .hasRootCauseInstanceOf(java.security.cert.CertificateExpiredException.class);
        assertThatThrownBy(() -> validate(leaf, authority.certificate(), FROM.minusSeconds(1)))
                .hasRootCauseInstanceOf(java.security.cert.CertificateNotYetValidException.class);
    }

    /** RFC 5280, section 4.1.2.5: through 2049 two digits of the year, from 2050 on four. */
    @Test
    void shouldWriteYearsAsTheRfcSays() {
        assertThat(new String(Der.time(Instant.parse("2049-12-31T23:59:59Z")), StandardCharsets.US_ASCII))
                .isEqualTo("\u0017\r491231235959Z");
        assertThat(new String(Der.time(Instant.parse("2050-01-01T00:00:00Z")), StandardCharsets.US_ASCII))
                .isEqualTo("\u0018\u000f20500101000000Z");
    }

    @Test
    void shouldEncodeAsX690_whenLong() {
        assertThat(Der.oid("1.2.840.10045.4.3.2"))
                .isEqualTo(HexFormat.ofDelimiter(" ").parseHex("06 08 2a 86 48 ce 3d 04 03 02"));
        assertThat(Der.octets(new byte[127])).startsWith(4, 127).hasSize(129);
        assertThat(Der.octets(new byte[128])).startsWith(4, 0x81, 128).hasSize(131);
        assertThat(Der.octets(new byte[256])).startsWith(4, 0x82, 1, 0).hasSize(260);
    }

    @Test
    void shouldReadAsItWasWritten_whenPem() throws Exception {
        Issued issued = signed(authority("shop"), Subject.client("Jane Doe, ops + 1"));
        var read = CertificateFactory.getInstance("X.509")
                .generateCertificate(
                        new ByteArrayInputStream(issued.certificatePem().getBytes(StandardCharsets.US_ASCII)));
        assertThat(read).isEqualTo(issued.certificate());
        String key =
                issued.keyPem().lines().filter(line -> !line.startsWith("-")).reduce("", String::concat);
        assertThat(KeyFactory.getInstance("EC")
                        .generatePrivate(
                                new PKCS8EncodedKeySpec(Base64.getDecoder().decode(key))))
                .isEqualTo(issued.key());
        assertThat(issued.keyPem().lines()).allMatch(line -> line.length() <= 64);
        assertThat(issued.toString()).doesNotContain(key.substring(0, 40)).contains("Jane Doe");
    }

    @Test
    void shouldRefuseANameThatDoesNotFit() {
        assertThatThrownBy(() -> Subject.client("n".repeat(65))).hasMessageContaining("1 to 64 characters, not 65");
        assertThatThrownBy(() -> Subject.client("")).isInstanceOf(IllegalArgumentException.class);
    }
}
