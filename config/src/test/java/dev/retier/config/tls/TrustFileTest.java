package dev.retier.config.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.testsupport.TestAuthority;
import dev.retier.testsupport.TestAuthority.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrustFileTest {
    private static final Instant NOON = Instant.parse("2026-11-29T12:00:00Z");

    @TempDir
    private Path folder;

    private final AtomicInteger takenTimes = new AtomicInteger();
    private final RereadListener listener = new RereadListener() {
        @Override
        public void taken(List<Path> files) {
            takenTimes.incrementAndGet();
        }

        @Override
        public void refused(PemException why) {
            throw why;
        }
    };

    private X509Certificate[] chain(TestAuthority authority, Subject subject) throws IOException {
        Path file = authority.issue(subject).writeTo(folder, "leaf").certificate();
        return PemText.read(file).certificates().toArray(X509Certificate[]::new);
    }

    @Test
    void shouldBelieveAnotherAuthority_onceItIsInTheFile() throws Exception {
        TestAuthority first = new TestAuthority("first");
        TestAuthority second = new TestAuthority("second");
        TrustFile trust = TrustFile.open(first.writeTo(folder), listener);
        X509Certificate[] old = chain(first, Subject.of("web-1"));
        X509Certificate[] fresh = chain(second, Subject.of("web-1"));

        trust.checkServerTrusted(old, "UNKNOWN");
        assertThatThrownBy(() -> trust.checkServerTrusted(fresh, "UNKNOWN")).isInstanceOf(CertificateException.class);

        Files.writeString(folder.resolve("ca.pem"), first.certificate() + second.certificate());
        trust.checkServerTrusted(old, "UNKNOWN");
        trust.checkClientTrusted(fresh, "UNKNOWN");

        second.writeTo(folder);
        assertThatThrownBy(() -> trust.checkClientTrusted(old, "UNKNOWN")).isInstanceOf(CertificateException.class);
        assertThatCode(() -> trust.checkServerTrusted(fresh, "UNKNOWN")).doesNotThrowAnyException();
        assertThat(takenTimes).hasValue(2);
        assertThat(trust.getAcceptedIssuers()).hasSize(1);
    }

    /** A client chooses among its certificates by what a listener names, before the listener has judged any. */
    @Test
    void shouldNameTheAuthorityOfNow_whenTheFileWasReplaced() throws Exception {
        TrustFile trust = TrustFile.open(new TestAuthority("first").writeTo(folder), listener);

        new TestAuthority("second").writeTo(folder);

        assertThat(trust.getAcceptedIssuers())
                .extracting(named -> named.getSubjectX500Principal().getName())
                .containsExactly("CN=second");
    }

    @Test
    void shouldTakeTheCommonName_onlyWithoutDnsNames() throws Exception {
        TestAuthority authority = new TestAuthority("cell");

        assertThat(Certificates.names(chain(authority, Subject.of("Web-1").withNames("WEB-2", "web-3", "10.0.0.1"))[0]))
                .containsExactly("web-2", "web-3");
        assertThat(Certificates.names(chain(authority, Subject.of("Web-1").withNames())[0]))
                .containsExactly("web-1");
        assertThat(Certificates.names(chain(authority, Subject.of("Web-1").withNames("10.0.0.1"))[0]))
                .containsExactly("web-1");
    }

    /** As directories issue them: CN=web-1,CN=Computers. */
    @Test
    void shouldTakeTheMostSpecificCommonName_whenThereAreTwo() throws Exception {
        X509Certificate shown =
                chain(new TestAuthority("cell"), Subject.of("Computers/Web-1").withNames())[0];

        assertThat(Certificates.subject(shown)).isEqualTo("CN=Web-1,CN=Computers");
        assertThat(Certificates.names(shown)).containsExactly("web-1");
    }

    @Test
    void shouldSayWhose_whenACertificateIsOfAnotherNode() throws Exception {
        TestAuthority authority = new TestAuthority("cell");
        X509Certificate own = chain(authority, Subject.of("x").withNames("WEB-2", "*.example"))[0];

        assertThat(NodeName.refusal(own, "Web-2")).isEmpty();
        assertThat(NodeName.refusal(own, "web-1"))
                .contains("it claims to be web-1 and shows a certificate of *.example, web-2");
        assertThat(NodeName.refusal(own, "a.example"))
                .as("wildcards name nobody")
                .isPresent();
        assertThat(NodeName.refusal(own, "x"))
                .as("a common name beside DNS names")
                .isPresent();
    }

    @Test
    void shouldSayWhen_whenItIsNotValid() throws Exception {
        Subject subject = Subject.of("web-1").valid(NOON, NOON.plusSeconds(60));
        X509Certificate certificate = chain(new TestAuthority("cell"), subject)[0];

        assertThat(Certificates.whyNotValid(certificate, NOON)).isEmpty();
        assertThat(Certificates.whyNotValid(certificate, NOON.plusSeconds(60))).isEmpty();
        assertThat(Certificates.whyNotValid(certificate, NOON.plusSeconds(61)))
                .contains("expired at 2026-11-29T12:01:00Z");
        assertThat(Certificates.whyNotValid(certificate, NOON.minusSeconds(1)))
                .contains("not valid before 2026-11-29T12:00:00Z");
    }
}
