package dev.retier.verbs;

import java.security.cert.X509Certificate;
import java.util.List;

/**
 * What a provider's {@code RdmaCmId} may implement: TLS 1.3 under its connections, both ends of which show a
 * certificate. soft-iwarp's does; native-verbs' does not, as RDMA hardware speaks none. So a program that must have it
 * asks first, and refuses to go on without:
 *
 * <pre>{@code
 * if (!(id instanceof TlsControl tls)) {
 *     throw new IOException("this transport has no TLS");
 * }
 * tls.secure(keys);
 * }</pre>
 *
 * <p>Safe for any thread.
 */
public interface TlsControl {
    /**
     * All connections that this listens for or makes from now on are under TLS. Before {@code listen} or {@code
     * connect}; a peer that does not speak it is refused.
     */
    void secure(TlsKeys keys);

    /**
     * The certificates that the peer of this connection has shown, its own first, once they were believed: at a
     * connection request, and at an established connection. Empty without TLS, and of a listener.
     */
    List<X509Certificate> peerCertificates();
}
