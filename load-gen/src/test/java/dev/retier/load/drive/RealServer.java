package dev.retier.load.drive;

import dev.retier.load.target.Target;
import dev.retier.testsupport.ExternalTool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;

/** A web server as Debian packages it, in the foreground, on a port of its own. */
final class RealServer implements AutoCloseable {
    /** A computed answer of httpd has two chunks of this. */
    static final int CHUNK_BYTES = 5000;

    private static final Path MODULES = Path.of("/usr/lib/apache2/modules");

    private final Process process;
    private final int port;

    private RealServer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static RealServer nginx(Path folder) throws IOException, InterruptedException {
        Path program = find("nginx");
        Path home = Files.createTempDirectory(folder, "nginx");
        RealServersIT.content(home.resolve("root"));
        int port = freePort();
        Path config = Files.writeString(home.resolve("nginx.conf"), """
                daemon off; master_process off; pid %1$s/pid; error_log %1$s/error.log;
                events { }
                http {
                  access_log off; keepalive_requests 7;
                  client_body_temp_path %1$s/a; proxy_temp_path %1$s/b; fastcgi_temp_path %1$s/c;
                  uwsgi_temp_path %1$s/d; scgi_temp_path %1$s/e;
                  server { listen 127.0.0.1:%2$d; root %1$s/root; large_client_header_buffers 2 4k; }
                }
                """.formatted(home, port));
        return start(port, home, List.of(program.toString(), "-c", config.toString(), "-e", home + "/early.log"));
    }

    /** With a CGI script that answers in chunks, and a path whose connections are closed after each answer. */
    static RealServer httpd(Path folder) throws IOException, InterruptedException {
        Path program = find("apache2");
        Path home = Files.createTempDirectory(folder, "httpd");
        RealServersIT.content(home.resolve("root"));
        Path script = Files.writeString(home.resolve("root/chunked.sh"), """
                #!/bin/sh
                printf 'Content-Type: text/plain\\r\\n\\r\\n'
                head -c %1$d /dev/zero
                sleep 0.01
                head -c %1$d /dev/zero
                """.formatted(CHUNK_BYTES));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(home.resolve("root/closing"), "bye");
        int port = freePort();
        StringBuilder config = new StringBuilder();
        for (String module : List.of("mpm_event", "authz_core", "alias", "cgid", "env", "setenvif", "unixd")) {
            Path file = MODULES.resolve("mod_" + module + ".so");
            if (Files.exists(file)) {
                config.append("LoadModule ")
                        .append(module)
                        .append("_module ")
                        .append(file)
                        .append('\n');
            }
        }
        config.append("""
                ServerName localhost
                ServerRoot %1$s
                PidFile %1$s/pid
                Listen 127.0.0.1:%2$d
                ErrorLog %1$s/error.log
                ScriptSock %1$s/cgid
                DocumentRoot %1$s/root
                KeepAlive On
                MaxKeepAliveRequests 7
                LimitRequestLine 4000
                <Directory %1$s/root>
                  Require all granted
                </Directory>
                ScriptAlias /chunked %1$s/root/chunked.sh
                SetEnvIf Request_URI "^/closing" nokeepalive
                """.formatted(home, port));
        if (isRoot()) {
            config.append("User www-data\nGroup www-data\n");
            open(home);
        }
        Path file = Files.writeString(home.resolve("httpd.conf"), config);
        return start(port, home, List.of(program.toString(), "-f", file.toString(), "-DFOREGROUND"));
    }

    static RealServer haproxy(Path folder, List<Integer> servers) throws IOException, InterruptedException {
        Path program = find("haproxy");
        Path home = Files.createTempDirectory(folder, "haproxy");
        int port = freePort();
        StringBuilder config = new StringBuilder("""
                defaults
                  mode http
                  timeout connect 1s
                  timeout client 10s
                  timeout server 10s
                  retries 0
                frontend f
                  bind 127.0.0.1:%d
                  default_backend b
                backend b
                """.formatted(port));
        for (int server : servers) {
            config.append("  server s")
                    .append(server)
                    .append(" 127.0.0.1:")
                    .append(server)
                    .append('\n');
        }
        Path file = Files.writeString(home.resolve("haproxy.cfg"), config);
        return start(port, home, List.of(program.toString(), "-db", "-f", file.toString()));
    }

    int port() {
        return port;
    }

    Target target() {
        return new Target("127.0.0.1", port);
    }

    /** Ends it as a crash would, children included. */
    void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** Ends it and waits for the end; does nothing when it has ended. */
    void stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            kill();
            process.waitFor();
        }
    }

    @Override
    public void close() {
        try {
            stop();
        } catch (InterruptedException e) {
            kill();
            Thread.currentThread().interrupt();
        }
    }

    private static RealServer start(int port, Path home, List<String> command)
            throws IOException, InterruptedException {
        Path log = home.resolve("out.log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        RealServer server = new RealServer(process, port);
        Conditions.await(() -> !process.isAlive() || accepts(port));
        Assertions.assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
        return server;
    }

    private static boolean accepts(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** httpd's workers run as another user than root, and must reach their files. */
    private static void open(Path home) throws IOException {
        List<Path> all = new ArrayList<>(List.of(home, home.resolve("root")));
        for (Path up = home.getParent();
                up != null && up.startsWith(System.getProperty("java.io.tmpdir"));
                up = up.getParent()) {
            if (!up.equals(Path.of(System.getProperty("java.io.tmpdir")))) {
                all.add(up);
            }
        }
        for (Path path : all) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    /** Servers lie in /usr/sbin, which is not on everybody's PATH. */
    private static Path find(String program) {
        Path usual = Path.of("/usr/sbin", program);
        return Files.isExecutable(usual) ? usual : ExternalTool.find(program);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
