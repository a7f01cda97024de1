package dev.retier.config.tls;

import java.net.Socket;
import java.nio.file.Path;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The own certificate and its key, from two PEM files that are read again when they change: each new connection shows
 * what they say then, standing ones keep what they began with. A change that is no good (half written, or the key of
 * another certificate) is told and not taken. Whether the certificate is still valid is not judged here: its peers do.
 * Safe for any thread.
 */
public final class KeyFiles extends X509ExtendedKeyManager {
    private final Rereading<KeyPairFiles> files;
    /** What TLS may still ask for by name: the newest and the one before. */
    private final ConcurrentMap<String, KeyPairFiles> named = new ConcurrentHashMap<>();

    private KeyFiles(Rereading<KeyPairFiles> files) {
        this.files = files;
    }

    /**
     * Reads both for the first time. They may be one file.
     *
     * @param certificate the own certificate first, then those of who issued it, but for the one that peers trust
     * @param key PKCS#8 without a password, RSA, EC or Ed25519; others than its owner and group may not use the file
     * @param listener hears of later changes
     * @throws PemException if one is no good, or they do not belong together
     */
    public static KeyFiles open(Path certificate, Path key, RereadListener listener) {
        return new KeyFiles(new Rereading<>(
                List.of(certificate, key), number -> KeyPairFiles.read(certificate, key, number), listener));
    }

    /** The own certificate as it is now in use. Looks at the files. */
    public X509Certificate certificate() {
        return files.current().chain().getFirst();
    }

    private @Nullable String choose(@Nullable String[] kinds) {
        KeyPairFiles now = files.current();
        named.put(now.alias(), now);
        named.values().removeIf(old -> old.number() < now.number() - 1);
        Set<String> fitting = kinds == null ? Set.of() : Set.of(kinds);
        return fitting.contains(now.key().getAlgorithm()) ? now.alias() : null;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String kind, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return choose(new String[] {kind});
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] kinds, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return choose(kinds);
    }

    @Override
    public @Nullable String chooseServerAlias(String kind, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return choose(new String[] {kind});
    }

    @Override
    public @Nullable String chooseClientAlias(String[] kinds, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return choose(kinds);
    }

    @Override
    public String @Nullable [] getServerAliases(String kind, Principal @Nullable [] issuers) {
        return aliases(kind);
    }

    @Override
    public String @Nullable [] getClientAliases(String kind, Principal @Nullable [] issuers) {
        return aliases(kind);
    }

    private String @Nullable [] aliases(String kind) {
        String alias = choose(new String[] {kind});
        return alias == null ? null : new String[] {alias};
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        KeyPairFiles pair = named.get(alias);
        return pair == null ? null : pair.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        KeyPairFiles pair = named.get(alias);
        return pair == null ? null : pair.key();
    }
}
