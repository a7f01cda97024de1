package dev.retier.load.drive;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How a site's targets are spoken to over TLS. The certificate must be signed by somebody trusted and name the server,
 * unless {@code insecure}.
 *
 * @param serverName name that is asked for (SNI, RFC 6066 section 3) and that the certificate must have; null: the
 *     host of the plan, without its port, or else the target's own
 * @param trustStore file of trusted certificates, in PEM, PKCS #12 or JKS; null: those that come with Java
 * @param trustStorePassword for a store that needs one
 * @param certificate the client's own certificate, and those that signed it, in PEM; null: none
 * @param key its key, in PEM (PKCS #8), without a password
 * @param insecure whether any certificate will do; for tests, where nobody can listen in
 */
public record TlsOptions(
        @Nullable String serverName,
        @Nullable Path trustStore,
        @Nullable String trustStorePassword,
        @Nullable Path certificate,
        @Nullable Path key,
        boolean insecure) {
    /** Certificates are checked against those that come with Java. */
    public static final TlsOptions CHECKED = new TlsOptions(null, null, null, null, null, false);

    /** Any certificate will do. */
    public static final TlsOptions INSECURE = new TlsOptions(null, null, null, null, null, true);

    /** Certificates are checked against those in {@code file}. */
    public static TlsOptions trusting(Path file) {
        return new TlsOptions(null, file, null, null, null, false);
    }

    /** The same, asking for {@code name}. */
    public TlsOptions named(String name) {
        return new TlsOptions(name, trustStore, trustStorePassword, certificate, key, insecure);
    }

    /** The same, showing {@code newCertificate} to servers that ask. */
    public TlsOptions showing(Path newCertificate, Path newKey) {
        return new TlsOptions(serverName, trustStore, trustStorePassword, newCertificate, newKey, insecure);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "TLS, " + (insecure ? "any certificate" : trustStore == null ? "Java's trust store" : "" + trustStore);
    }
}
