package dev.retier.config.tls;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * The authorities whose certificates are believed, from a PEM file that is read again when it changes: each new
 * connection is judged by what it says then. A change that is no good is told and not taken. While one authority takes
 * the place of another the file has both. Safe for any thread.
 */
public final class TrustFile extends X509ExtendedTrustManager {
    private final Rereading<X509ExtendedTrustManager> file;

    private TrustFile(Rereading<X509ExtendedTrustManager> file) {
        this.file = file;
    }

    /**
     * Reads it for the first time.
     *
     * @param authorities certificates of one or more authorities
     * @param listener hears of later changes
     * @throws PemException if it is no good
     */
    public static TrustFile open(Path authorities, RereadListener listener) {
        return new TrustFile(new Rereading<>(List.of(authorities), _ -> read(authorities), listener));
    }

    private static X509ExtendedTrustManager read(Path authorities) {
        List<X509Certificate> certificates = PemText.read(authorities).certificates();
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (X509Certificate certificate : certificates) {
                store.setCertificateEntry("authority-" + store.size(), certificate);
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            for (TrustManager manager : factory.getTrustManagers()) {
                if (manager instanceof X509ExtendedTrustManager extended) {
                    return extended;
                }
            }
            throw new IllegalStateException("this JDK checks no certificates: " + factory.getAlgorithm());
        } catch (GeneralSecurityException | IOException refused) {
            throw new PemException(
                    authorities + ": the certificates cannot be used: " + refused.getMessage()
                            + "; give those of the authority that issues the nodes' certificates",
                    refused);
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind) throws CertificateException {
        file.current().checkClientTrusted(chain, kind);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind, Socket socket) throws CertificateException {
        file.current().checkClientTrusted(chain, kind, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind, SSLEngine engine) throws CertificateException {
        file.current().checkClientTrusted(chain, kind, engine);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind) throws CertificateException {
        file.current().checkServerTrusted(chain, kind);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind, Socket socket) throws CertificateException {
        file.current().checkServerTrusted(chain, kind, socket);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind, SSLEngine engine) throws CertificateException {
        file.current().checkServerTrusted(chain, kind, engine);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return file.current().getAcceptedIssuers();
    }
}
