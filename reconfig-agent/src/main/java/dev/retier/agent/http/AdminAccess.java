package dev.retier.agent.http;

import dev.retier.agent.ReconfigException;
import dev.retier.agent.access.Refusals;
import dev.retier.agent.access.Tokens;
import dev.retier.agent.config.AdminConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.tls.RereadLog;
import dev.retier.agent.tls.TokenFiles;
import dev.retier.config.tls.PemException;
import dev.retier.config.tls.Rereading;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who may ask an agent what: by the newest of its cluster file, of its tokens, and of the certificates of those that
 * sign for its clients. Thread-safe.
 */
public final class AdminAccess {
    private final String node;
    private final Supplier<ClusterConfig> cluster;
    private final @Nullable AdminTls tls;
    private final @Nullable Rereading<Tokens> tokens;
    private final Refusals refusals;

    private AdminAccess(
            String node,
            Supplier<ClusterConfig> cluster,
            @Nullable AdminTls tls,
            @Nullable Rereading<Tokens> tokens,
            Refusals refusals) {
        this.node = node;
        this.cluster = cluster;
        this.tls = tls;
        this.tokens = tokens;
        this.refusals = refusals;
    }

    /**
     * Reads what the cluster file names.
     *
     * @param node for logs
     * @param cluster the newest cluster file
     * @throws ReconfigException when a file cannot be used, with the remedy
     */
    public static AdminAccess open(String node, Supplier<ClusterConfig> cluster) {
        AdminConfig admin = cluster.get().admin();
        AdminConfig.Tls files = admin.tls();
        Refusals refusals = new Refusals(System.nanoTime());
        try {
            return new AdminAccess(
                    node,
                    cluster,
                    files == null ? null : AdminTls.open(node, files, refusals),
                    admin.tokensFile()
                            .map(file ->
                                    new Rereading<>(List.of(file), _ -> TokenFiles.tokens(file), new RereadLog(node)))
                            .orElse(null),
                    refusals);
        } catch (PemException e) {
            throw new ReconfigException(
                    ReconfigException.Category.FATAL, "agent of " + node + ": " + e.getMessage(), e);
        }
    }

    /** Whose agent it is, for logs. */
    String node() {
        return node;
    }

    /** How connections are encrypted; empty where they are not. */
    Optional<AdminTls> tls() {
        return Optional.ofNullable(tls);
    }

    ClusterConfig cluster() {
        return cluster.get();
    }

    AdminConfig config() {
        return cluster.get().admin();
    }

    Refusals refusals() {
        return refusals;
    }

    /** Whether callers may prove by a token who they are. */
    boolean takesTokens() {
        return tokens != null;
    }

    /** The newest tokens. */
    Tokens tokens() {
        return tokens == null ? Tokens.NONE : tokens.current();
    }

    /**
     * Holds a certificate that a client has shown against those that sign for clients now.
     *
     * @throws CertificateException when it is not good now
     */
    void requireTrusted(X509Certificate[] chain) throws CertificateException {
        if (tls == null) {
            throw new CertificateException("no certificate is asked for");
        }
        tls.requireTrusted(chain);
    }

    /** How callers can prove who they are. */
    String means() {
        String certificate = tls == null ? "" : "connect with a client certificate that its client-ca has signed";
        String token = takesTokens() ? "send a token (Authorization: Bearer)" : "";
        return certificate + (certificate.isEmpty() || token.isEmpty() ? "" : ", or ") + token;
    }
}
