package dev.retier.verbs;

import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * What one end of a connection shows and believes under TLS. Both are asked anew by each connection, by any thread, so
 * they may follow files that change.
 *
 * @param own the own certificate and its key
 * @param trusted judges the certificates of peers, in either direction; names are not its business
 */
public record TlsKeys(X509ExtendedKeyManager own, X509ExtendedTrustManager trusted) {}
