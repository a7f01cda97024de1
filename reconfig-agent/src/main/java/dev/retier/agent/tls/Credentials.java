package dev.retier.agent.tls;

import dev.retier.agent.config.AdminConfig;
import dev.retier.config.HostPort;
import dev.retier.config.IoReason;
import dev.retier.config.tls.KeyFiles;
import dev.retier.config.tls.PemException;
import dev.retier.config.tls.Rereading;
import dev.retier.config.tls.TrustFile;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * How one who asks agents reaches them, and what it shows them: over TLS or in clear, with a certificate, a token, both
 * or nothing. Files are read again when they change. Thread-safe.
 */
public final class Credentials {
    /** In clear, and nothing is shown. */
    public static final Credentials NONE = new Credentials(null, null);

    private static final String PROTOCOL = "TLSv1.3";

    private final @Nullable SSLContext context;
    private final @Nullable Rereading<String> token;

    private Credentials(@Nullable SSLContext context, @Nullable Rereading<String> token) {
        this.context = context;
        this.token = token;
    }

    /**
     * A certificate and its key, by their files.
     *
     * @param certificate PEM
     * @param key PEM, PKCS#8, not for others
     */
    public record Pair(Path certificate, Path key) {}

    /**
     * In clear.
     *
     * @param who shows it, for logs
     * @param tokenFile what is shown
     * @throws PemException when the file cannot be used, with the remedy
     */
    public static Credentials inClear(String who, Optional<Path> tokenFile) {
        return tokenFile.isEmpty() ? NONE : new Credentials(null, token(who, tokenFile));
    }

    /**
     * Over TLS 1.3.
     *
     * @param who asks, for logs
     * @param ca those who sign the certificates of agents; empty for those whom Java trusts
     * @param own what is shown
     * @param tokenFile what is shown besides
     * @throws PemException when a file cannot be used, with the remedy
     */
    public static Credentials overTls(String who, Optional<Path> ca, Optional<Pair> own, Optional<Path> tokenFile) {
        RereadLog log = new RereadLog(who);
        X509ExtendedTrustManager signers = ca.isEmpty() ? Signers.ofPlatform() : TrustFile.open(ca.get(), log);
        String place = ca.map(Path::toString).orElse("what Java trusts (give --ca)");
        KeyManager[] shown = own.isEmpty()
                ? null
                : new KeyManager[] {
                    KeyFiles.open(own.get().certificate(), own.get().key(), log)
                };
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(shown, new TrustManager[] {new Signers(signers, place, Signers.RefusedClients.UNHEARD)}, null);
            return new Credentials(context, token(who, tokenFile));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has TLS", e);
        }
    }

    private static @Nullable Rereading<String> token(String who, Optional<Path> file) {
        return file.map(each -> new Rereading<>(List.of(each), _ -> TokenFiles.token(each), new RereadLog(who)))
                .orElse(null);
    }

    /**
     * Those of an agent: it shows to others what it shows to those who ask it, and believes whom it believes of those.
     *
     * @param node for logs
     * @throws PemException when a file cannot be used, with the remedy
     */
    public static Credentials ofNode(String node, AdminConfig admin) {
        AdminConfig.Tls tls = admin.tls();
        return tls == null
                ? NONE
                : overTls(
                        node,
                        Optional.of(tls.clientCa()),
                        Optional.of(new Pair(tls.certificate(), tls.key())),
                        Optional.empty());
    }

    /** Whether agents are reached over TLS. */
    public boolean isTls() {
        return context != null;
    }

    /** By which TLS is spoken; empty where it is not. */
    public Optional<SSLContext> context() {
        return Optional.ofNullable(context);
    }

    /** A general client of agents, before its own settings. It shows no token by itself. */
    public HttpClient.Builder client() {
        HttpClient.Builder client = HttpClient.newBuilder();
        return context == null
                ? client
                : client.sslContext(context).sslParameters(onlyProtocol(context.getDefaultSSLParameters()));
    }

    private static SSLParameters onlyProtocol(SSLParameters parameters) {
        parameters.setProtocols(new String[] {PROTOCOL});
        return parameters;
    }

    /** The token that is shown now. A secret. */
    public Optional<String> token() {
        return Optional.ofNullable(token).map(Rereading::current);
    }

    /** Whether a token would go in clear to an agent at {@code agent} that is on another machine. */
    public boolean wouldTellAll(HostPort agent) {
        return token != null && context == null && AdminConfig.isReachedByOthers(agent.host());
    }

    /**
     * Speaks TLS over a connection that has just been opened, whose time limits hold for that, too.
     *
     * @throws IOException when the other end is not the agent at {@code agent}, or refuses what is shown
     */
    public Socket secured(Socket plain, HostPort agent) throws IOException {
        SSLContext tls = context;
        if (tls == null) {
            return plain;
        }
        SSLSocket secured = (SSLSocket) tls.getSocketFactory().createSocket(plain, agent.host(), agent.port(), true);
        SSLParameters parameters = onlyProtocol(secured.getSSLParameters());
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        return secured;
    }

    /** Why an agent could not be asked, in words: whose certificate is wrong and how, or what else it was. */
    public static String reason(IOException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException) {
                return String.valueOf(cause.getMessage());
            }
        }
        String message = String.valueOf(failure.getMessage());
        if (!(failure instanceof SSLException)) {
            return IoReason.of(failure);
        }
        if (message.contains("fatal alert")) {
            return "it refuses the client certificate, which its client-ca must have signed, or what is no TLS 1.3 ("
                    + message + ")";
        }
        return message.contains("Unsupported or unrecognized SSL message") ? "it does not speak TLS" : message;
    }
}
