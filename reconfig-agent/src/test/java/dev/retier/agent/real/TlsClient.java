package dev.retier.agent.real;

import dev.retier.config.HostPort;
import dev.retier.testsupport.ExternalTool;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** A client by TLS that takes every certificate, and a key for a server. Stateless. */
final class TlsClient {
    private TlsClient() {}

    /** Writes {@code site.key} and {@code site.crt}. */
    static void writeKey(Path folder) {
        try {
            Process openssl = new ProcessBuilder(
                            ExternalTool.find("openssl").toString(),
                            "req",
                            "-x509",
                            "-newkey",
                            "ec",
                            "-pkeyopt",
                            "ec_paramgen_curve:prime256v1",
                            "-nodes",
                            "-subj",
                            "/CN=shop.example",
                            "-keyout",
                            folder.resolve("site.key").toString(),
                            "-out",
                            folder.resolve("site.crt").toString())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("openssl.log").toFile())
                    .start();
            if (openssl.waitFor() != 0) {
                throw new IllegalStateException(Files.readString(folder.resolve("openssl.log")));
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The whole answer to a GET on a connection of its own. */
    static String get(HostPort address, String host, String path) throws IOException {
        try (Socket socket = context().getSocketFactory().createSocket(address.host(), address.port())) {
            String request = "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new TrustAll()}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class TrustAll extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
