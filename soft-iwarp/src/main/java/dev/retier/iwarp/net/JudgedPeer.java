package dev.retier.iwarp.net;

import dev.retier.iwarp.tls.TlsWords;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * The peer of one connection as another trust manager judges it: remembers what it has shown, whether or not that was
 * believed. Written by the thread that runs the handshake's tasks, read by any.
 */
public final class JudgedPeer extends X509ExtendedTrustManager {
    private final X509ExtendedTrustManager judge;
    private volatile List<X509Certificate> shown = List.of();

    /** A peer that has shown nothing yet. */
    public JudgedPeer(X509ExtendedTrustManager judge) {
        this.judge = judge;
    }

    /** Who is to be judged by a method of {@code judge}. */
    @FunctionalInterface
    private interface Check {
        void run() throws CertificateException;
    }

    private void judge(X509Certificate[] chain, Check check) throws CertificateException {
        shown = Arrays.stream(chain).toList();
        check.run();
    }

    /** What the peer has shown, its own certificate first, believed or not. */
    public List<X509Certificate> shown() {
        return shown;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind, SSLEngine engine) throws CertificateException {
        judge(chain, () -> judge.checkClientTrusted(chain, kind, engine));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind, SSLEngine engine) throws CertificateException {
        judge(chain, () -> judge.checkServerTrusted(chain, kind, engine));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind, Socket socket) throws CertificateException {
        judge(chain, () -> judge.checkClientTrusted(chain, kind, socket));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind, Socket socket) throws CertificateException {
        judge(chain, () -> judge.checkServerTrusted(chain, kind, socket));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind) throws CertificateException {
        judge(chain, () -> judge.checkClientTrusted(chain, kind));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind) throws CertificateException {
        judge(chain, () -> judge.checkServerTrusted(chain, kind));
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return judge.getAcceptedIssuers();
    }

    /** Why TLS with this peer failed, for people. */
    public String why(SSLException failure) {
        return TlsWords.of(failure, shown);
    }
}
