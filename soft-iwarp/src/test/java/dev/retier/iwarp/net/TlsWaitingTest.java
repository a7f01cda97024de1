package dev.retier.iwarp.net;

import dev.retier.iwarp.testbed.Certified;
import dev.retier.testsupport.TestAuthority.Subject;
import dev.retier.verbs.TlsKeys;

/** Who waits for a message hears of it under TLS, too, where a selector knows less of what has come. */
class TlsWaitingTest extends WaitingTest {
    private static final TlsKeys KEYS = new Certified("cell").keys(Subject.of("web-1"));

    @Override
    TlsKeys tls() {
        return KEYS;
    }
}
