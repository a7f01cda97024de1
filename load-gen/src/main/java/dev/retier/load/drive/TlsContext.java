package dev.retier.load.drive;

import dev.retier.config.IoReason;
import dev.retier.load.LoadException;
import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * The client side of TLS for one run, by the JDK's own provider. Thread-safe.
 *
 * <p>Without TLS in sight nothing is loaded: the provider and its trusted certificates take several megabytes.
 */
final class TlsContext {
    private static final String PEM_START = "-----BEGIN";

    /** Addresses and what no name server knows are not asked for (RFC 6066 section 3). */
    private static final Pattern HOST_NAME = Pattern.compile(
            "(?=.*[A-Za-z])[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*");

    private final TlsOptions options;
    private final long handshakeTimeoutMillis;
    private @Nullable SslContext loaded;

    private TlsContext(TlsOptions options, long handshakeTimeoutMillis) {
        this.options = options;
        this.handshakeTimeoutMillis = handshakeTimeoutMillis;
    }

    /**
     * As {@code options} say; loaded at once. Null stands for checked certificates, loaded when they are needed.
     *
     * @throws LoadException in one line, naming the file, when the trust store cannot be used
     */
    static TlsContext of(@Nullable TlsOptions options, long handshakeTimeoutMillis) {
        TlsContext context = new TlsContext(options == null ? TlsOptions.CHECKED : options, handshakeTimeoutMillis);
        if (options != null) {
            context.load();
        }
        return context;
    }

    /** Loads what connections need, if that has not been done: the first one would wait for it. */
    synchronized SslContext load() {
        if (loaded == null) {
            loaded = context(options);
        }
        return loaded;
    }

    /** The handler for a new connection to a server called {@code serverName}. */
    SslHandler newHandler(Channel channel, String serverName, int port) {
        SslHandler handler = load().newHandler(channel.alloc(), serverName, port);
        handler.setHandshakeTimeoutMillis(handshakeTimeoutMillis);
        if (HOST_NAME.matcher(serverName).matches()) {
            SSLParameters parameters = handler.engine().getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName(serverName)));
            handler.engine().setSSLParameters(parameters);
        }
        return handler;
    }

    private static SslContext context(TlsOptions options) {
        SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
        Path trustStore = options.trustStore();
        try {
            if (options.insecure()) {
                builder.trustManager(InsecureTrustManagerFactory.INSTANCE).endpointIdentificationAlgorithm("");
            } else if (trustStore != null) {
                builder.trustManager(trusted(trustStore, options.trustStorePassword()));
            }
            identify(builder, options);
            return builder.build();
        } catch (FileSystemException e) {
            throw new LoadException(
                    "trust store " + trustStore + ": cannot be read (" + IoReason.of(e) + "); name another", e);
        } catch (IOException | GeneralSecurityException e) {
            throw new LoadException(
                    "trust store " + trustStore + ": has no certificates that can be used; give them in PEM, or a"
                            + " PKCS #12 or JKS store that needs no password",
                    e);
        }
    }

    private static void identify(SslContextBuilder builder, TlsOptions options) {
        Path certificate = options.certificate();
        Path key = options.key();
        if (certificate == null && key == null) {
            return;
        }
        if (certificate == null || key == null) {
            throw new LoadException("a client's certificate and its key go together; give both");
        }
        try {
            requireReadable(certificate);
            requireReadable(key);
            builder.keyManager(certificate.toFile(), key.toFile());
        } catch (IllegalArgumentException e) {
            throw new LoadException(
                    "client certificate " + certificate + " with key " + key
                            + ": cannot be used; give both in PEM, the key in PKCS #8 without a password",
                    e);
        }
    }

    private static void requireReadable(Path file) {
        if (!Files.isReadable(file)) {
            throw new LoadException("client certificate or key " + file + ": cannot be read; name another");
        }
    }

    private static X509Certificate[] trusted(Path file, @Nullable String password)
            throws IOException, GeneralSecurityException {
        byte[] bytes = Files.readAllBytes(file);
        List<X509Certificate> found = isPem(bytes) ? ofPem(bytes) : ofKeyStore(file, password);
        if (found.isEmpty()) {
            throw new IOException("it has no certificate");
        }
        return found.toArray(new X509Certificate[0]);
    }

    private static boolean isPem(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1).contains(PEM_START);
    }

    private static List<X509Certificate> ofPem(byte[] bytes) throws GeneralSecurityException {
        return CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(bytes)).stream()
                .map(X509Certificate.class::cast)
                .toList();
    }

    private static List<X509Certificate> ofKeyStore(Path file, @Nullable String password)
            throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(file.toFile(), password == null ? null : password.toCharArray());
        List<X509Certificate> found = new ArrayList<>();
        for (String alias : Collections.list(store.aliases())) {
            if (store.getCertificate(alias) instanceof X509Certificate certificate) {
                found.add(certificate);
            }
        }
        return found;
    }
}
