package dev.retier.iwarp.tls;

import javax.net.ssl.SSLException;

/** The peer speaks MPA where TLS belongs. */
final class NoTlsException extends SSLException {
    private static final long serialVersionUID = 1L;

    NoTlsException() {
        super("it speaks no TLS, and this side does: there is no rdma.tls in its configuration");
    }
}
