package dev.retier.iwarp.verbs;

import dev.retier.iwarp.testbed.Certified;
import dev.retier.testsupport.TestAuthority.Subject;
import dev.retier.verbs.TlsKeys;
import java.util.Optional;

/** What verbs promise is kept under TLS, too. */
class TlsVerbsTest extends VerbsTest {
    private static final TlsKeys KEYS = new Certified("cell").keys(Subject.of("web-1"));

    @Override
    Optional<TlsKeys> tls() {
        return Optional.of(KEYS);
    }
}
