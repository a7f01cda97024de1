package dev.retier.agent.real;

import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.real.RealNodes.PATIENCE;
import static dev.retier.agent.real.RealNodes.cluster;
import static dev.retier.agent.real.RealNodes.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.DecisionRules;
import dev.retier.agent.real.RealInstance.Options;
import dev.retier.agent.server.InstallerEvents;
import dev.retier.agent.server.ManagedServer;
import dev.retier.agent.server.ManagedServers;
import dev.retier.agent.status.ServerWatch;
import dev.retier.config.HostPort;
import dev.retier.state.LoadRecord;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node publishes while its processor idles and clients take all, or much, of what its server can hold. */
class PressureIT {
    private static final double TAKE_THRESHOLD = DecisionRules.DEFAULTS.takeThreshold();
    private static final Duration WINDOW = Duration.ofMillis(200);
    /** As an agent asks: a look that waits for an answer until a test gives up would be the only one of that test. */
    private static final Duration LOOK_TIMEOUT = Duration.ofSeconds(1);
    /** Longer than httpd's event MPM takes to count its connections anew. */
    private static final Duration LASTING = Duration.ofSeconds(3);

    private static final int ANSWER_TIMEOUT_MS = 1_000;
    private static final String PREFORK = "StartServers 16\nServerLimit 64\nMaxRequestWorkers 16\n";
    private static final String EVENT =
            "StartServers 2\nServerLimit 4\nThreadsPerChild 8\nMaxRequestWorkers 16\nMinSpareThreads 1\n";

    @TempDir
    @Nullable
    Path temporary;

    private Path folder(String name) {
        return Objects.requireNonNull(temporary).resolve(name);
    }

    /** Clients, each on a connection of its own that it keeps. */
    private static final class Clients implements AutoCloseable {
        private final List<Socket> sockets = new ArrayList<>();
        private int unanswered;

        /** Each asks once; with {@code isPatient} it waits a second for the answer, and reads no more than its head. */
        Clients(HostPort server, int count, String path, boolean isPatient) throws IOException {
            for (int i = 0; i < count; i++) {
                Socket socket = new Socket();
                socket.setReceiveBufferSize(4_096);
                socket.setSoTimeout(ANSWER_TIMEOUT_MS);
                socket.connect(new InetSocketAddress(server.host(), server.port()), ANSWER_TIMEOUT_MS);
                sockets.add(socket);
                String request = "GET " + path + " HTTP/1.1\r\nHost: shop\r\n\r\n";
                socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                unanswered += isPatient && !isAnswered(socket) ? 1 : 0;
            }
        }

        private static boolean isAnswered(Socket socket) throws IOException {
            try {
                return socket.getInputStream().read(new byte[512]) > 0;
            } catch (SocketTimeoutException e) {
                return false;
            }
        }

        @Override
        public void close() throws IOException {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    /** A server that runs, with what its node would publish. */
    private static final class Watched implements AutoCloseable {
        private final ManagedServer managed;
        private final ServerWatch watch = new ServerWatch(WINDOW, Duration.ofMinutes(1), System.nanoTime());

        Watched(RealInstance instance, ClusterConfig config) {
            this(started(instance, config));
            await().atMost(PATIENCE).until(() -> utilisation() >= 0);
        }

        /** One that runs. */
        Watched(RealInstance instance) {
            managed = ManagedServers.open("test", instance.server(), InstallerEvents.NONE);
            managed.start();
        }

        private static RealInstance started(RealInstance instance, ClusterConfig config) {
            RealNodes.writeFirst(config, 1, file(config, 1, PROXY, 2, List.of(2)));
            instance.start();
            return instance;
        }

        /** -1 while nothing is published. */
        double utilisation() {
            LoadRecord record = record();
            return record == null ? -1 : record.utilisation();
        }

        @Nullable
        LoadRecord record() {
            long askedAtNanos = System.nanoTime();
            return watch.after(managed.observe(LOOK_TIMEOUT), askedAtNanos, 0, System.nanoTime())
                    .record();
        }

        void shouldBePressed() {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(utilisation()).isGreaterThan(TAKE_THRESHOLD));
        }

        void shouldStayBelow() {
            await().during(LASTING)
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(utilisation()).isBetween(0.0, TAKE_THRESHOLD));
        }

        @Override
        public void close() {
            managed.close();
        }
    }

    private static void edit(RealInstance instance, String pattern, String replacement) throws IOException {
        String text = Files.readString(instance.config());
        String edited = text.replaceAll(pattern, replacement);
        assertThat(edited).as("something to replace").isNotEqualTo(text);
        Files.writeString(instance.config(), edited);
    }

    private RealInstance httpd(String mpm, String workers) throws IOException {
        RealInstance httpd = RealInstance.httpd(folder("node-1"), Options.USUAL);
        edit(httpd, "StartServers[\\s\\S]*MaxRequestWorkers \\d+\n", workers);
        if (mpm.equals("prefork")) {
            edit(httpd, "mpm_event", "mpm_prefork");
        }
        edit(httpd, "KeepAliveTimeout 5", "KeepAliveTimeout 60\nMaxKeepAliveRequests 0");
        return httpd;
    }

    @Test
    void shouldBePressed_whenIdleClientsHaveAllWorkersOfPrefork() throws IOException {
        try (RealInstance httpd = httpd("prefork", PREFORK);
                StubApp app = new StubApp("app");
                Watched watched = new Watched(httpd, cluster(httpd.server(), app.server()));
                Clients clients = new Clients(httpd.server().address(), 17, "/static/retier-proof", true)) {
            assertThat(clients.unanswered).isPositive();
            watched.shouldBePressed();
        }
    }

    /** The agent's question for the page waits in the queue as all others do. */
    @Test
    void shouldBeFullForAWhileAndThenDown_whenItTakesNobodyIn() throws IOException {
        try (RealInstance httpd = httpd("prefork", PREFORK);
                StubApp app = new StubApp("app")) {
            Watched.started(httpd, cluster(httpd.server(), app.server()));
            try (Clients _ = new Clients(httpd.server().address(), 60, "/static/retier-proof", false);
                    Watched watched = new Watched(httpd)) {
                watched.shouldBePressed();
                await().during(LASTING)
                        .atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(watched.record())
                                .isNotNull()
                                .extracting(LoadRecord::serverHealth)
                                .isEqualTo(LoadRecord.Health.UP));
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(watched.record())
                                .isNotNull()
                                .extracting(LoadRecord::serverHealth)
                                .as("it hangs")
                                .isEqualTo(LoadRecord.Health.DOWN));
            }
        }
    }

    /** What waits in its queue are the agent's own questions. */
    @Test
    void shouldBeDownSoon_whenItHangsAndNobodyElseAsks() throws IOException, InterruptedException {
        try (RealInstance httpd = httpd("event", EVENT);
                StubApp app = new StubApp("app");
                Watched watched = new Watched(httpd, cluster(httpd.server(), app.server()))) {
            ProcessHandle parent = ProcessHandle.of(httpd.pid()).orElseThrow();
            List<ProcessHandle> processes =
                    Stream.concat(Stream.of(parent), parent.descendants()).toList();
            signal("-STOP", processes);
            try {
                long stoppedNanos = System.nanoTime();
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(watched.record())
                                .isNotNull()
                                .extracting(LoadRecord::serverHealth)
                                .isEqualTo(LoadRecord.Health.DOWN));
                assertThat(Duration.ofNanos(System.nanoTime() - stoppedNanos)).isLessThan(Duration.ofSeconds(8));
            } finally {
                signal("-CONT", processes);
            }
        }
    }

    private static void signal(String name, List<ProcessHandle> processes) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("kill", name));
        processes.forEach(process -> command.add(Long.toString(process.pid())));
        assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
    }

    /** httpd closes idle ones only when it is full, and tells of its connections late, so more keep coming. */
    @Test
    void shouldBePressed_whenIdleClientsHaveAllConnectionsOfEvent() throws IOException {
        List<Clients> all = new ArrayList<>();
        try (RealInstance httpd = httpd("event", EVENT);
                StubApp app = new StubApp("app");
                Watched watched = new Watched(httpd, cluster(httpd.server(), app.server()))) {
            await().atMost(PATIENCE).until(() -> {
                all.add(new Clients(httpd.server().address(), 4, "/static/retier-proof", false));
                return watched.utilisation() > TAKE_THRESHOLD;
            });
        } finally {
            for (Clients clients : all) {
                clients.close();
            }
        }
    }

    /** More of them than it has workers. */
    @Test
    void shouldNotBePressed_whenTheIdleClientsOfEventKeepNobodyWaiting() throws IOException {
        try (RealInstance httpd = httpd("event", EVENT);
                StubApp app = new StubApp("app");
                Watched watched = new Watched(httpd, cluster(httpd.server(), app.server()));
                Clients idle = new Clients(httpd.server().address(), 24, "/static/retier-proof", true);
                Clients fresh = new Clients(httpd.server().address(), 1, "/static/retier-proof", true)) {
            assertThat(idle.unanswered + fresh.unanswered).isZero();
            watched.shouldStayBelow();
        }
    }

    private RealInstance haproxy() throws IOException {
        RealInstance haproxy = RealInstance.haproxy(folder("node-1"), "proxy.cfg", Options.USUAL);
        edit(haproxy, "maxconn \\d+", "maxconn 32");
        return haproxy;
    }

    @Test
    void shouldBePressed_whenHaproxyLetsNoMoreConnectionsIn() throws IOException {
        CompletableFuture<@Nullable Void> go = new CompletableFuture<>();
        try (RealInstance haproxy = haproxy();
                StubApp app = new StubApp("app", go);
                Watched watched = new Watched(haproxy, cluster(haproxy.server(), app.server()));
                Clients _ = new Clients(haproxy.server().address(), 32, "/dynamic/x", false);
                Clients fresh = new Clients(haproxy.server().address(), 1, "/.retier/status", true)) {
            assertThat(fresh.unanswered).isEqualTo(1);
            watched.shouldBePressed();
        }
    }

    @Test
    void shouldNotBePressed_whenHaproxyCanCloseWhatIsIdle() throws IOException {
        try (RealInstance haproxy = haproxy();
                StubApp app = new StubApp("app");
                Watched watched = new Watched(haproxy, cluster(haproxy.server(), app.server()));
                Clients idle = new Clients(haproxy.server().address(), 31, "/.retier/status", true)) {
            assertThat(idle.unanswered).isZero();
            watched.shouldStayBelow();
        }
    }

    private RealInstance nginx() throws IOException {
        RealInstance nginx = RealInstance.nginx(folder("node-1"), "proxy.conf", Options.USUAL);
        edit(nginx, "worker_connections \\d+", "worker_connections 64");
        edit(nginx, "worker_processes 2", "worker_processes 1");
        return nginx;
    }

    /** nginx takes the whole answer from the app, so that one connection of it is left: that to the client. */
    @Test
    void shouldBePressed_whenSlowClientsHaveTheConnectionsOfNginx() throws IOException {
        try (RealInstance nginx = nginx();
                StubApp app = new StubApp("x".repeat(4 << 20));
                Watched watched = new Watched(nginx, cluster(nginx.server(), app.server()));
                Clients _ = new Clients(nginx.server().address(), 57, "/dynamic/x", true)) {
            watched.shouldBePressed();
        }
    }

    @Test
    void shouldNotBePressed_whenNginxCanCloseWhatIsIdle() throws IOException {
        try (RealInstance nginx = nginx();
                StubApp app = new StubApp("app");
                Watched watched = new Watched(nginx, cluster(nginx.server(), app.server()));
                Clients idle = new Clients(nginx.server().address(), 100, "/dynamic/x", true);
                Clients fresh = new Clients(nginx.server().address(), 1, "/dynamic/x", true)) {
            assertThat(idle.unanswered + fresh.unanswered).isZero();
            watched.shouldStayBelow();
        }
    }
}
