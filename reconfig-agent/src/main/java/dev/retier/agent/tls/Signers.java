package dev.retier.agent.tls;

import dev.retier.agent.access.CertificateText;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Those who sign the certificates of the other end: why one is refused is said in words. Thread-safe. */
public final class Signers extends X509ExtendedTrustManager {
    private final X509ExtendedTrustManager signers;
    private final String place;
    private final RefusedClients refused;

    /** Hears of clients whose certificates are refused, in the midst of a handshake: it waits for nothing. */
    public interface RefusedClients {
        /** Nobody listens. */
        RefusedClients UNHEARD = (_, _) -> {};

        /**
         * One was refused.
         *
         * @param host its address
         * @param why in words
         */
        void refused(String host, String why);
    }

    /**
     * Those of {@code signers}.
     *
     * @param place where they stand, for people
     */
    public Signers(X509ExtendedTrustManager signers, String place, RefusedClients refused) {
        this.signers = signers;
        this.place = place;
        this.refused = refused;
    }

    /** Those whom this machine's Java trusts. */
    public static X509ExtendedTrustManager ofPlatform() {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init((KeyStore) null);
            return Stream.of(factory.getTrustManagers())
                    .filter(X509ExtendedTrustManager.class::isInstance)
                    .map(X509ExtendedTrustManager.class::cast)
                    .findFirst()
                    .orElseThrow();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK checks no certificates", e);
        }
    }

    private interface Check {
        void of(X509ExtendedTrustManager manager) throws CertificateException;
    }

    /**
     * By {@code whole}, which also looks for {@code host}; {@code signed} is the same without.
     *
     * @param host that the other end must be; null of clients
     */
    private void check(X509Certificate[] chain, @Nullable String host, Check signed, Check whole)
            throws CertificateException {
        try {
            whole.of(signers);
        } catch (CertificateException e) {
            throw new CertificateException(
                    CertificateText.refusal(chain, host, place, passes(signers, signed), Instant.now()), e);
        }
    }

    private static boolean passes(X509ExtendedTrustManager manager, Check check) {
        try {
            check.of(manager);
            return true;
        } catch (CertificateException e) {
            return false;
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        Check check = manager -> manager.checkClientTrusted(chain, authType);
        check(chain, null, check, check);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        Check signed = manager -> manager.checkClientTrusted(chain, authType);
        check(chain, null, signed, manager -> manager.checkClientTrusted(chain, authType, socket));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        Check signed = manager -> manager.checkClientTrusted(chain, authType);
        try {
            check(chain, null, signed, manager -> manager.checkClientTrusted(chain, authType, engine));
        } catch (CertificateException e) {
            refused.refused(engine.getPeerHost(), String.valueOf(e.getMessage()));
            throw e;
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        Check check = manager -> manager.checkServerTrusted(chain, authType);
        check(chain, null, check, check);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        String host = socket instanceof SSLSocket secured
                ? secured.getHandshakeSession().getPeerHost()
                : null;
        Check signed = manager -> manager.checkServerTrusted(chain, authType);
        check(chain, host, signed, manager -> manager.checkServerTrusted(chain, authType, socket));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        Check signed = manager -> manager.checkServerTrusted(chain, authType);
        check(chain, engine.getPeerHost(), signed, manager -> manager.checkServerTrusted(chain, authType, engine));
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return signers.getAcceptedIssuers();
    }
}
