package dev.retier.link;

import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * TLS under the links of one node, beside the handshake above it: the cluster secret says that somebody belongs to the
 * cell, a certificate says which of its nodes it is.
 *
 * @param own the certificate that this node shows, and its key; asked anew by each connection
 * @param trusted judges the certificates of others, but not whose they are; asked anew by each connection
 * @param names whose certificate may speak for which node
 */
public record LinkTls(X509ExtendedKeyManager own, X509ExtendedTrustManager trusted, NodeNames names) {
    /** Whose certificate may speak for which node. Called by any thread. */
    @FunctionalInterface
    public interface NodeNames {
        /** Why who shows this certificate, which is believed, is not that node; empty if it may be. */
        Optional<String> refusal(NodeId claimed, X509Certificate shown);
    }
}
