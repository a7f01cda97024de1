package dev.retier.bench.load;

import dev.retier.link.ReservedPorts;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * One nginx worker on a core of its own that answers everything with 1 KiB and counts its requests. It answers from its
 * configuration and not from a file, so that the generators are the limit sooner than the server.
 */
final class BenchServer implements AutoCloseable {
    private static final int BODY_BYTES = 1024;
    private static final long START_SECONDS = 10;
    private final Pinned nginx;
    private final ReservedPorts ports;
    private final int port;
    private final int statusPort;

    private BenchServer(Pinned nginx, ReservedPorts ports) {
        this.nginx = nginx;
        this.ports = ports;
        this.port = ports.numbers().get(0);
        this.statusPort = ports.numbers().get(1);
    }

    /**
     * Starts it.
     *
     * @throws IOException when nginx is not installed or does not start
     */
    static BenchServer start(Path folder, int core) throws IOException, InterruptedException {
        Path program = Pinned.find("nginx")
                .orElseThrow(() -> new IOException("nginx is not installed; install it (apt-get install nginx-light)"));
        Files.createDirectories(folder);
        ReservedPorts ports = new ReservedPorts(2);
        int port = ports.numbers().get(0);
        int statusPort = ports.numbers().get(1);
        Path config = Files.writeString(folder.resolve("nginx.conf"), config(folder, port, statusPort));
        Pinned nginx = Pinned.start(
                core,
                folder.resolve("nginx.log"),
                List.of(program.toString(), "-c", config.toAbsolutePath().toString(), "-e", "stderr"));
        BenchServer server = new BenchServer(nginx, ports);
        for (long end = System.nanoTime() + START_SECONDS * 1_000_000_000L; ; nginx.letRun(20)) {
            try {
                server.requests();
                return server;
            } catch (IOException e) {
                if (System.nanoTime() > end) {
                    server.close();
                    throw new IOException("nginx did not start: " + nginx.output(), e);
                }
            }
        }
    }

    int port() {
        return port;
    }

    String url() {
        return "http://127.0.0.1:" + port + "/";
    }

    Pinned process() {
        return nginx;
    }

    /** Requests that it has served so far. */
    long requests() throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create("http://127.0.0.1:" + statusPort + "/").toURL().openConnection();
        try (var in = connection.getInputStream()) {
            String status = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            return Long.parseLong(status.lines().toList().get(2).strip().split(" +", -1)[2]);
        }
    }

    @Override
    public void close() {
        nginx.close();
        ports.close();
    }

    private static String config(Path folder, int port, int statusPort) {
        return """
                daemon off; master_process off; pid %1$s/nginx.pid; error_log %1$s/error.log;
                events { worker_connections 4096; }
                http {
                  access_log off; keepalive_requests 100000000; keepalive_timeout 600;
                  client_body_temp_path %1$s/a; proxy_temp_path %1$s/b; fastcgi_temp_path %1$s/c;
                  uwsgi_temp_path %1$s/d; scgi_temp_path %1$s/e;
                  server { listen 127.0.0.1:%2$d backlog=4096; location / { return 200 "%4$s"; } }
                  server { listen 127.0.0.1:%3$d; location / { stub_status; } }
                }
                """.formatted(folder.toAbsolutePath(), port, statusPort, "x".repeat(BODY_BYTES));
    }
}
