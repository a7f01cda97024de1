package dev.retier.agent.http;

import dev.retier.agent.access.Printable;
import dev.retier.agent.access.Refusals;
import dev.retier.agent.config.AdminConfig;
import dev.retier.agent.tls.RereadLog;
import dev.retier.agent.tls.Signers;
import dev.retier.config.tls.KeyFiles;
import dev.retier.config.tls.PemException;
import dev.retier.config.tls.TrustFile;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.Sequence;
import org.xnio.SslClientAuthMode;

/** TLS 1.3 of an agent's listener, by files that are read again when they change. Thread-safe. */
final class AdminTls {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");
    private static final String PROTOCOL = "TLSv1.3";

    private final SSLContext context;
    private final Signers clientSigners;

    private AdminTls(SSLContext context, Signers clientSigners) {
        this.context = context;
        this.clientSigners = clientSigners;
    }

    /**
     * By these files.
     *
     * @param node for logs
     * @param refusals of clients are counted there
     * @throws PemException when one cannot be used, with the remedy
     */
    static AdminTls open(String node, AdminConfig.Tls files, Refusals refusals) {
        RereadLog log = new RereadLog(node);
        KeyFiles own = KeyFiles.open(files.certificate(), files.key(), log);
        Signers signers = new Signers(
                TrustFile.open(files.clientCa(), log),
                files.clientCa().toString(),
                (host, why) -> refused(node, refusals, host, why));
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {own}, new TrustManager[] {signers}, null);
            return new AdminTls(context, signers);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has TLS", e);
        }
    }

    private static void refused(String node, Refusals refusals, String host, String why) {
        long told = refusals.refused(InetAddress.ofLiteral(host), System.nanoTime());
        if (told > 0) {
            LOG.warn("{}: refused to connect to {}: {}{}", node, host, Printable.of(why), Refusals.others(told));
        }
    }

    SSLContext context() {
        return context;
    }

    /** What the listener asks of connections. */
    OptionMap options() {
        return OptionMap.builder()
                .set(Options.SSL_ENABLED_PROTOCOLS, Sequence.of(PROTOCOL))
                .set(Options.SSL_CLIENT_AUTH_MODE, SslClientAuthMode.REQUESTED)
                .getMap();
    }

    /**
     * Holds the certificate of a client against those that sign for clients now.
     *
     * @throws CertificateException when it is not good now, with the reason
     */
    void requireTrusted(X509Certificate[] chain) throws CertificateException {
        clientSigners.checkClientTrusted(chain, chain[0].getPublicKey().getAlgorithm());
    }
}
