package dev.retier.load.drive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.assertj.core.api.Assertions;

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

    SSLContext serverContext() throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
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
