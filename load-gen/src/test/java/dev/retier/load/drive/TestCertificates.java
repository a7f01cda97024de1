package dev.retier.load.drive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;

/** A server certificate of its own for one test, made by the JDK's keytool. */
final class TestCertificates {
    static final String PASSWORD = "changeit";

    private final Path store;
    private final Path pem;

    private TestCertificates(Path store, Path pem) {
        this.store = store;
        this.pem = pem;
    }

    /** A self-signed certificate for shop.example.com and 127.0.0.1. */
    static TestCertificates make(Path folder) throws IOException, InterruptedException {
        Path store = folder.resolve("server.p12");
        Path pem = folder.resolve("server.pem");
        keytool(
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=test",
                "-validity",
                "2",
                "-ext",
                "san=dns:shop.example.com,ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD);
        keytool(
                "-exportcert",
                "-rfc",
                "-alias",
                "server",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD,
                "-file",
                pem.toString());
        return new TestCertificates(store, pem);
    }

    /** Key and certificate, PKCS #12. */
    Path store() {
        return store;
    }

    /** The certificate alone. */
    Path pem() {
        return pem;
    }

    /** Its key, PKCS #8 in PEM. */
    Path keyPem() throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        byte[] key = keys.getKey("server", PASSWORD.toCharArray()).getEncoded();
        return Files.writeString(
                store.resolveSibling("server-key.pem"),
                "-----BEGIN PRIVATE KEY-----\n" + Base64.getMimeEncoder().encodeToString(key)
                        + "\n-----END PRIVATE KEY-----\n");
    }

    /** For a server that trusts this certificate as a client's, too. */
    SSLContext askingContext() throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry(
                "client",
                KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray()).getCertificate("server"));
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        return context(managers.getTrustManagers());
    }

    SSLContext serverContext() throws IOException, GeneralSecurityException {
        return context(null);
    }

    private SSLContext context(TrustManager @Nullable [] trusting) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), trusting, null);
        return context;
    }

    private static void keytool(String... arguments) throws IOException, InterruptedException {
        Path log = Files.createTempFile("keytool", ".log");
        String[] command = new String[arguments.length + 1];
        command[0] = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        Process keytool = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Assertions.assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        Assertions.assertThat(keytool.exitValue()).as(Files.readString(log)).isZero();
        Files.delete(log);
    }
}
