package dev.retier.cli.cert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.tls.Credentials;
import dev.retier.cli.CommandRun;
import dev.retier.testsupport.TestAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CertCommandTest {
    @TempDir
    private Path folder = Path.of("");

    private CommandRun authority() {
        return CommandRun.of("cert", "new", folder.toString());
    }

    private CommandRun sign(String... options) {
        return CommandRun.of(Stream.concat(
                        Stream.of("cert", "sign", "--ca", folder.toString(), "--out", folder.toString()),
                        Stream.of(options))
                .toArray(String[]::new));
    }

    private String mode(String file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(file)));
    }

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private Credentials credentials(String name) {
        return Credentials.overTls(
                name,
                Optional.of(folder.resolve("ca.pem")),
                Optional.of(new Credentials.Pair(folder.resolve(name + ".pem"), folder.resolve(name + ".key"))),
                Optional.empty());
    }

    /** A server that asks for certificates, and a client, each believing the one authority. */
    @Test
    void shouldMakeBothEndsOfAConnection() throws Exception {
        assertThat(authority().code()).isZero();
        assertThat(sign("--name", "web-1", "--ip", "127.0.0.1").out())
                .contains("web-1.pem: made, for web-1, 127.0.0.1, good until", "readable by its owner alone");
        assertThat(sign("--name", "Ann@ops", "--client").out()).contains("for CN=Ann@ops, good until");

        try (SSLServerSocket server = (SSLServerSocket) credentials("web-1")
                .context()
                .orElseThrow()
                .getServerSocketFactory()
                .createServerSocket(0, 1, java.net.InetAddress.ofLiteral("127.0.0.1"))) {
            server.setNeedClientAuth(true);
            Thread client = Thread.startVirtualThread(() -> {
                try (SSLSocket socket = (SSLSocket) credentials("Ann@ops")
                        .secured(
                                new java.net.Socket(server.getInetAddress(), server.getLocalPort()),
                                new dev.retier.config.HostPort("127.0.0.1", server.getLocalPort()))) {
                    socket.getOutputStream().write(1);
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            try (SSLSocket accepted = (SSLSocket) server.accept()) {
                assertThat(accepted.getInputStream().read()).isEqualTo(1);
                assertThat(accepted.getSession().getPeerPrincipal().getName()).isEqualTo("CN=Ann@ops");
            }
            client.join();
        }
    }

    @Test
    void shouldBeForTheNodeToo_whenItIsReachedByOtherNames() {
        authority();
        assertThat(sign("--name", "web-1", "--dns", "www.example", "--dns", "web-1")
                        .out())
                .contains("web-1.pem: made, for web-1, www.example, good until");
    }

    @Test
    void shouldKeepKeysFromOthers() throws IOException {
        authority();
        sign("--name", "web-1");
        assertThat(mode("ca.key")).isEqualTo("rw-------");
        assertThat(mode("web-1.key")).isEqualTo("rw-------");
        String key = Files.readString(folder.resolve("ca.key"));
        assertThat(authority().err())
                .doesNotContain(key.lines().skip(1).findFirst().orElseThrow());
    }

    @Test
    void shouldOverwriteNothing() throws IOException {
        authority();
        sign("--name", "web-1");
        byte[] key = Files.readAllBytes(folder.resolve("web-1.key"));
        assertThat(authority().code()).isEqualTo(1);
        assertThat(sign("--name", "web-1").err()).contains("web-1.pem is there already and stays");
        Files.delete(folder.resolve("web-1.pem"));
        assertThat(sign("--name", "web-1").err()).contains("web-1.key is there already and stays");
        assertThat(folder.resolve("web-1.key")).hasBinaryContent(key);
        assertThat(files()).as("nothing half").containsExactly("ca.key", "ca.pem", "web-1.key");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--name ../x --client         | --name ../x: write",
                "--name a/b                   | --name a/b: write",
                "--name Ann@ops               | --name Ann@ops: write a node's name, or --client",
                "--name a --ip host           | --ip host: write an address",
                "--name a --dns a,b           | --dns a,b: write a host name",
                "--name a --client --dns b    | --client is for who is not asked",
                "--name a --days 0            | --days 0: write a number in 1..36500"
            })
    void shouldRefuseWhatMakesNoSense(String options, String message) throws IOException {
        authority();
        CommandRun run = sign(options.strip().split(" ", -1));
        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err()).contains(message.strip());
        assertThat(files()).containsExactly("ca.key", "ca.pem");
    }

    @Test
    void shouldNotOutliveItsAuthority() {
        assertThat(CommandRun.of("cert", "new", folder.toString(), "--days", "10")
                        .code())
                .isZero();
        CommandRun run = sign("--name", "web-1", "--days", "300");
        String until = run.out().lines().findFirst().orElseThrow().replaceFirst(".*good until ", "");
        assertThat(java.time.Instant.parse(until))
                .isBefore(java.time.Instant.now().plus(java.time.Duration.ofDays(11)));
    }

    @Test
    void shouldSayWhatIsMissing_whenThereIsNoAuthority() throws IOException {
        assertThat(sign("--name", "web-1").err())
                .contains(folder.resolve("ca.pem") + ": there is no authority; make one");
        new TestAuthority("x").issue(TestAuthority.Subject.of("leaf")).writeTo(folder, "ca");
        assertThat(sign("--name", "web-1").err()).contains("is no authority", "`retier cert new`");
    }
}
