package dev.retier.system;

import static org.awaitility.Awaitility.await;

import dev.retier.agent.Agent;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.files.ConfigFile;
import dev.retier.agent.server.HttpFetch;
import dev.retier.link.ReservedPorts;
import dev.retier.testsupport.Daemons;
import dev.retier.testsupport.ExternalTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A site of real httpd nodes, the first two of them proxies, each with its agent as a process of its own, as operators
 * start both. Everything is on loopback below one folder. Ends only what it has started.
 */
final class HttpdCell implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final int PORTS = 4;
    private static final Path TOP = Path.of("..").toAbsolutePath().normalize();
    private static final boolean IS_ROOT = "root".equals(System.getProperty("user.name"));

    private final Path folder;
    private final Path file;
    private final ClusterConfig cluster;
    private final Path httpd = ExternalTool.find("apache2");
    private final ReservedPorts ports;
    private final Map<String, Process> agents = new TreeMap<>();

    private HttpdCell(Path folder, Path file, ReservedPorts ports) {
        this.folder = folder;
        this.file = file;
        this.ports = ports;
        this.cluster = ConfigFile.read(file);
    }

    /**
     * Starts it and waits until every agent is ready.
     *
     * @param settings lines of the cluster file besides nodes and sites
     */
    static HttpdCell start(Path folder, int nodes, String settings) throws Exception {
        Path program = ExternalTool.find("apache2");
        openToAll(folder);
        Path secret = Files.createFile(
                folder.resolve("secret"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(secret, "the secret of the httpd nodes, of some length");
        StringBuilder text = new StringBuilder("name: killed\nsecret-file: " + secret + "\njournal-directory: "
                + folder.resolve("j") + "\n" + settings
                + "sites:\n  - {id: 1, name: shop, proxy: {min: 1}, app: {min: 1}}\nwitnesses: [node-1]\nnodes:\n");
        ReservedPorts ports = new ReservedPorts(nodes * PORTS);
        for (int id = 1; id <= nodes; id++) {
            int first = (id - 1) * PORTS;
            int server = ports.address(first + 2).getPort();
            Path home = folder.resolve("node-" + id);
            int admin = ports.address(first + 3).getPort();
            prepare(home, "127.0.0.1:" + server, "127.0.0.1:" + admin);
            text.append("""
                      - id: %1$d
                        name: node-%1$d
                        role: shop/%2$s
                        rdma: 127.0.0.1:%3$d
                        agent: 127.0.0.1:%4$d
                        server:
                          kind: httpd
                          address: 127.0.0.1:%5$d
                          admin: 127.0.0.1:%6$d
                          role-file: %7$s/retier.conf
                          config: %7$s/httpd.conf
                          pid-file: %7$s/run/httpd.pid
                          program: %8$s
                    """.formatted(
                            id,
                            id <= 2 ? "proxy" : "app",
                            ports.address(first).getPort(),
                            ports.address(first + 1).getPort(),
                            server,
                            admin,
                            home,
                            program));
        }
        HttpdCell cell = new HttpdCell(folder, Files.writeString(folder.resolve("cluster.yaml"), text), ports);
        try {
            for (NodeConfig node : cell.cluster.nodes()) {
                Agent.writeFirstRoleFile(new AgentConfig(cell.cluster, node.id()));
            }
            cell.startAll();
            cell.awaitReady();
            return cell;
        } catch (Exception | Error e) {
            cell.close();
            throw e;
        }
    }

    private static void openToAll(Path folder) throws IOException {
        for (Path path = folder;
                path != null && path.startsWith("/tmp") && !path.equals(Path.of("/tmp"));
                path = path.getParent()) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    private static void prepare(Path home, String address, String admin) throws IOException {
        for (String name : List.of("run", "log", "www/static", "www/dynamic", "cache")) {
            Files.createDirectories(home.resolve(name));
        }
        Files.setPosixFilePermissions(home.resolve("cache"), PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.writeString(home.resolve("www/static/retier-proof"), "proof");
        Files.writeString(home.resolve("www/dynamic/x"), "answer");
        Files.writeString(home.resolve("mime.types"), "text/plain txt\n");
        String config = Files.readString(TOP.resolve("conf/httpd/httpd.conf"))
                .replace("Listen 127.0.0.1:8099", "Listen " + admin)
                .replaceAll("(?m)^Listen 80$", "Listen " + address)
                .replace("*:80", "*:" + address.substring(address.indexOf(':') + 1))
                .replace("/run/retier-httpd", home + "/run")
                .replace("/var/log/retier-httpd", home + "/log")
                .replace("/srv/retier/www", home + "/www")
                .replace("/var/cache/retier-httpd", home + "/cache")
                .replace("/etc/mime.types", home + "/mime.types")
                .replace("/etc/retier/httpd", home.toString());
        Files.writeString(
                home.resolve("httpd.conf"), IS_ROOT ? config : config.replaceAll("(?m)^(User|Group) .*\n", ""));
    }

    /** Starts every server and every agent, at once and in no order. */
    void startAll() throws Exception {
        for (NodeConfig node : cluster.nodes()) {
            startAgent(node.name());
        }
        for (NodeConfig node : cluster.nodes()) {
            startServer(node.name());
        }
    }

    private void startAgent(String name) throws IOException {
        agents.put(
                name,
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-Xmx96m",
                                "-jar",
                                TOP.resolve("cli/target/retier.jar").toString(),
                                "agent",
                                "--config",
                                file.toString(),
                                "--node",
                                name)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(
                                folder.resolve(name + ".log").toFile()))
                        .start());
    }

    private void startServer(String name) throws Exception {
        Path config = folder.resolve(name).resolve("httpd.conf");
        Process start = new ProcessBuilder(httpd.toString(), "-f", config.toString(), "-k", "start")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name).resolve("start.log").toFile())
                .start();
        if (!start.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || start.exitValue() != 0) {
            throw new IllegalStateException(name + " does not start: "
                    + Files.readString(folder.resolve(name).resolve("start.log")));
        }
    }

    private List<ProcessHandle> processes() {
        Stream<ProcessHandle> servers = cluster.nodes().stream()
                .flatMap(node -> Daemons.of(node.server().controlled().pidFile()).stream());
        return Stream.concat(agents.values().stream().map(Process::toHandle), servers)
                .toList();
    }

    /** SIGKILL to every server with its children and to every agent, and nothing else. */
    void killAll() {
        Daemons.killForRestart(processes());
    }

    /** Until every agent knows the others and its server runs its file. */
    void awaitReady() {
        await().atMost(PATIENCE).until(() -> cluster.nodes().stream().allMatch(HttpdCell::isReady));
    }

    private static boolean isReady(NodeConfig node) {
        try (HttpFetch fetch = new HttpFetch(node.agentAdmin())) {
            return fetch.get("/readyz", TIMEOUT).status() == 200;
        } catch (IOException e) {
            return false; // it does not listen yet
        }
    }

    /** What the agent of that node tells of the cluster, as JSON. */
    String status(NodeConfig node) throws IOException {
        try (HttpFetch fetch = new HttpFetch(node.agentAdmin())) {
            return fetch.get("/v1/status", TIMEOUT).body();
        }
    }

    ClusterConfig cluster() {
        return cluster;
    }

    /** The configuration of one agent. */
    AgentConfig config(String name) {
        return new AgentConfig(cluster, cluster.nodeNamed(name).orElseThrow().id());
    }

    @Override
    public void close() {
        Daemons.kill(processes());
        ports.close();
    }
}
