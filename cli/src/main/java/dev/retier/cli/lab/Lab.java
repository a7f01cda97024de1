package dev.retier.cli.lab;

import dev.retier.agent.config.ServerKind;
import dev.retier.cli.Shell;
import dev.retier.cli.lab.plan.LabFiles;
import dev.retier.cli.lab.plan.LabHost;
import dev.retier.cli.lab.plan.LabNetwork;
import dev.retier.cli.lab.plan.LabServers;
import dev.retier.cli.lab.plan.LabSettings;
import dev.retier.cli.lab.plan.NodeGroups;
import dev.retier.cli.lab.plan.Placement;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The one lab of this machine: nodes with Apache httpd, some with HAProxy, in network namespaces of their own, each
 * held to its share of a processor; their agents; HAProxy as the edge. It outlives the process that made it, and
 * everything that belongs to it is found by name, so that any process can remove it, also after a crash. Not
 * thread-safe.
 */
public final class Lab {
    private static final Path HOME = LabFiles.HOME;
    private static final Duration READY_DEADLINE = Duration.ofSeconds(90);
    private static final long LOOK_EVERY_NANOS = 100_000_000;
    private static final int SECRET_BYTES = 32;
    private static final int APPLICATION_PORT = 9000;
    private static final int APPLICATION_WORKERS = 8;
    private static final int AGENT_PORT = 18_200;

    /** Long before now, so that what is derived from a file's age is a long lifetime. */
    private static final FileTime OLD = FileTime.from(Instant.EPOCH);

    private final ControlGroups groups = ControlGroups.find();
    private final LabProcesses processes = new LabProcesses(groups);
    private final Path launcher;

    /**
     * Looks at this machine; makes nothing.
     *
     * @param launcher the script {@code retier}
     * @throws LabException when the machine has no control groups
     */
    public Lab(Path launcher) {
        this.launcher = launcher;
    }

    /**
     * Whether there is one, whole or in part.
     *
     * @throws LabException when the machine does not say
     */
    public boolean exists() throws InterruptedException {
        return !groups.names().isEmpty()
                || Files.exists(HOME)
                || !LabNetwork.namespaces(Shell.run(LabNetwork.list())).isEmpty();
    }

    /**
     * Refuses when there is one, whole or in part.
     *
     * @throws LabException with the remedy
     */
    public void requireNone() throws InterruptedException {
        if (exists()) {
            throw new LabException(
                    "a lab is up, or was left behind by a crash; remove it first with ./retier lab down");
        }
    }

    /**
     * Makes the lab and waits until every node serves and every agent is ready. When that fails, what was made is
     * removed.
     *
     * @param progress hears each step
     * @throws LabException with what failed and the remedy
     */
    public void up(LabSettings settings, Consumer<String> progress) throws InterruptedException {
        LabServers servers = LabTools.find(settings.nginxes() > 0);
        requireNone();
        boolean isUp = false;
        try {
            build(settings, servers, progress);
            isUp = true;
        } finally {
            if (!isUp) {
                down();
            }
        }
    }

    /** Removes all that belongs to a lab, however much of it there is; nothing happens when there is none. */
    public void down() throws InterruptedException {
        processes.endAll();
        groups.removeAll();
        for (String namespace : LabNetwork.namespaces(Shell.run(LabNetwork.list()))) {
            Shell.run(LabNetwork.delete(namespace));
        }
        deleteHome();
    }

    /** How many processes each of its groups has, by name. */
    public List<Group> status() {
        return groups.names().stream()
                .map(name -> new Group(name, groups.processes(name).size()))
                .toList();
    }

    /** A control group, and how many processes are in it. */
    public record Group(String name, int processes) {}

    /** The nodes' agents, as {@code host:port}. */
    public List<String> agents() {
        return groups.names().stream()
                .filter(name -> name.matches("node-\\d+"))
                .map(name -> Integer.parseInt(name.substring("node-".length())))
                .sorted()
                .map(number -> LabHost.node(number).address() + ":" + AGENT_PORT)
                .toList();
    }

    /** Where the edge serves, as {@code host:port}. */
    public String edge() {
        return LabHost.edge().address() + ":" + LabFiles.EDGE_PORT;
    }

    /** The command that runs a sub-command of retier where load comes from. */
    public List<String> onClient(List<String> arguments) {
        List<String> words = new ArrayList<>(List.of(launcher.toString()));
        words.addAll(arguments);
        return processes.on(LabHost.client(), LabProcesses.UNLIMITED, words);
    }

    private void build(LabSettings settings, LabServers servers, Consumer<String> progress)
            throws InterruptedException {
        List<LabHost> nodes = IntStream.rangeClosed(1, settings.nodes())
                .mapToObj(LabHost::node)
                .toList();
        progress.accept("network of " + settings.nodes() + " nodes, an edge and a client");
        groups.create(LabProcesses.UNLIMITED);
        for (List<String> command : LabNetwork.up(LabNetwork.hosts(settings.nodes()))) {
            Shell.run(command);
        }
        List<NodeGroups> limited =
                nodes.stream().map(node -> NodeGroups.of(node, settings)).toList();
        limited.forEach(node -> node.names().forEach(groups::create));
        limited.forEach(node -> node.ofServer().forEach(groups::limit));
        writeFiles(settings, servers);
        progress.accept(settings.placement().words());
        for (LabHost node : nodes) {
            startAgent(node, settings);
        }
        awaitFiles(settings);
        progress.accept("httpd" + (settings.nginxes() > 0 ? ", nginx" : "")
                + (settings.haproxies() > 0 ? ", HAProxy" : "") + ", each with "
                + settings.quotaPercent() + " % of a processor");
        for (int number = 1; number <= settings.nodes(); number++) {
            startServer(number, settings, servers);
        }
        progress.accept("HAProxy as the edge");
        startEdge(settings, servers);
        awaitReady(nodes, settings);
        limited.forEach(node -> node.ofAgent().forEach(groups::limit));
    }

    private void writeFiles(LabSettings settings, LabServers servers) {
        try {
            Files.createDirectory(HOME);
            for (LabHost host : LabNetwork.hosts(settings.nodes())) {
                Files.createDirectories(HOME.resolve(host.name()).resolve("run"));
            }
            Path secret = Files.createFile(
                    HOME.resolve(LabFiles.SECRET),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            byte[] random = new byte[SECRET_BYTES];
            new SecureRandom().nextBytes(random);
            Files.writeString(secret, HexFormat.of().formatHex(random));
            Map<String, String> texts = new HashMap<>();
            for (String name :
                    List.of("httpd.conf", "nginx.conf", "proxy.cfg", LabFiles.EDGE_FILE, LabFiles.EDGE_OF_NEWS)) {
                texts.put(name, resource(name));
            }
            write(LabFiles.configurations(settings, servers, texts));
            write(LabFiles.content(settings));
            write(Map.of(LabFiles.APPLICATION, resource(LabFiles.APPLICATION)));
            for (int number = 1; number <= settings.nodes(); number++) {
                Path cache = Files.createDirectory(
                        HOME.resolve(LabHost.node(number).name()).resolve("cache"));
                Files.setOwner(
                        cache,
                        cache.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(servers.user()));
            }
        } catch (IOException e) {
            throw new LabException("cannot write below " + HOME + ": " + e.getMessage(), e);
        }
    }

    private static void write(Map<String, String> files) throws IOException {
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = HOME.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
            Files.setLastModifiedTime(path, OLD);
        }
    }

    private void startAgent(LabHost node, LabSettings settings) {
        List<String> words = new ArrayList<>();
        if (settings.placement() == Placement.SIDECAR) {
            words.addAll(List.of("unshare", "--mount", "--uts", "--ipc"));
        }
        words.addAll(List.of(launcher.toString(), "agent", "--config", cluster(), "--node", node.name()));
        String group =
                settings.placement().isInside() ? NodeGroups.of(node, settings).agent() : LabProcesses.UNLIMITED;
        processes.start(
                processes.on(node, group, words), HOME.resolve(node.name()).resolve("agent.log"));
    }

    private void startServer(int number, LabSettings settings, LabServers servers) throws InterruptedException {
        LabHost node = LabHost.node(number);
        Path home = HOME.resolve(node.name());
        String group = NodeGroups.of(node, settings).server();
        ServerKind kind = settings.kind(number);
        Path config = home.resolve(LabFiles.configuration(kind));
        if (kind == ServerKind.HAPROXY) {
            startHaproxy(node, group, LabFiles.configuration(kind), List.of(LabFiles.HAPROXY_GENERATED), servers);
            return;
        }
        if (kind == ServerKind.NGINX) {
            Shell.run(processes.on(node, group, List.of(servers.nginx(), "-c", config.toString())));
            return;
        }
        List<String> application = List.of(
                "perl",
                HOME.resolve(LabFiles.APPLICATION).toString(),
                Integer.toString(APPLICATION_PORT),
                Integer.toString(APPLICATION_WORKERS),
                Long.toString(settings.dynamic().toNanos() / 1_000));
        processes.start(processes.on(node, group, application), home.resolve("app.log"));
        Shell.run(processes.on(node, group, List.of(servers.httpd(), "-f", config.toString(), "-k", "start")));
    }

    private void startEdge(LabSettings settings, LabServers servers) throws InterruptedException {
        List<String> files = new ArrayList<>();
        tellEdge("front", LabFiles.HAPROXY_GENERATED, files);
        if (settings.sites().isTwo()) {
            tellEdge("front-news", LabFiles.GENERATED_OF_NEWS, files);
        }
        startHaproxy(LabHost.edge(), LabProcesses.UNLIMITED, LabFiles.EDGE_FILE, files, servers);
    }

    /** Starts the process that writes {@code file} for the edge's HAProxy, and waits for it. */
    private void tellEdge(String name, String file, List<String> files) {
        LabHost edge = LabHost.edge();
        Path home = HOME.resolve(edge.name());
        processes.start(
                processes.on(
                        edge,
                        LabProcesses.UNLIMITED,
                        List.of(launcher.toString(), "edge", "--config", cluster(), "--edge", name)),
                home.resolve(name + ".log"));
        await("the first file of edge " + name, () -> Files.exists(home.resolve(file)));
        files.add(file);
    }

    private void startHaproxy(LabHost host, String group, String config, List<String> generated, LabServers servers)
            throws InterruptedException {
        Path home = HOME.resolve(host.name());
        List<String> words = new ArrayList<>(List.of(
                servers.haproxy(), "-W", "-D", "-f", home.resolve(config).toString()));
        generated.forEach(file -> words.addAll(List.of("-f", home.resolve(file).toString())));
        words.addAll(List.of("-p", home.resolve("run/haproxy.pid").toString()));
        Shell.run(processes.on(host, group, words));
    }

    private static String cluster() {
        return HOME.resolve(LabFiles.CLUSTER).toString();
    }

    private static void awaitFiles(LabSettings settings) {
        await(
                "the agents' first files",
                () -> IntStream.rangeClosed(1, settings.nodes())
                        .allMatch(number -> Files.exists(LabFiles.generated(settings, number))));
    }

    /** The first status takes an agent ten seconds and more once its quota holds it, so it is asked for before. */
    private void awaitReady(List<LabHost> nodes, LabSettings settings) throws InterruptedException {
        StringBuilder script = new StringBuilder("set -e\n");
        for (LabHost node : nodes) {
            script.append(get(node.address(), AGENT_PORT, "/readyz", "localhost"));
            script.append(get(node.address(), AGENT_PORT, "/v1/status", "localhost"));
        }
        String edge = LabHost.edge().address();
        script.append(get(edge, LabFiles.EDGE_PORT, "/static/retier-proof", "shop.example"));
        if (settings.sites().isTwo()) {
            script.append(get(edge, LabFiles.NEWS_PORT, "/static/retier-proof", "news.example"));
        }
        List<String> command = processes.on(
                LabHost.client(), LabProcesses.UNLIMITED, List.of("timeout", "5", "bash", "-c", script.toString()));
        long deadlineNanos = System.nanoTime() + READY_DEADLINE.toNanos();
        while (Shell.ended(command).code() != 0) {
            refuseLate("every agent and the edge to be ready", deadlineNanos);
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
    }

    /** Bash that fails unless a GET is answered by 200. */
    private static String get(String host, int port, String path, String name) {
        return "exec 3<>/dev/tcp/" + host + "/" + port + "; printf 'GET " + path
                + " HTTP/1.0\\r\\nHost: " + name + "\\r\\n\\r\\n' >&3; read -r -u 3 line; exec 3>&-\n"
                + "[[ $line == *' 200 '* ]]\n";
    }

    private static void await(String what, BooleanSupplier condition) {
        long deadlineNanos = System.nanoTime() + READY_DEADLINE.toNanos();
        while (!condition.getAsBoolean()) {
            refuseLate(what, deadlineNanos);
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
    }

    private static void refuseLate(String what, long deadlineNanos) {
        if (Thread.currentThread().isInterrupted()) {
            throw new LabException("stopped while it waited for " + what);
        }
        if (System.nanoTime() - deadlineNanos > 0) {
            throw new LabException("waited " + READY_DEADLINE.toSeconds() + " s in vain for " + what
                    + "; what the parts said:\n" + logs());
        }
    }

    /** The end of each log below the lab's home. */
    private static String logs() {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.walk(HOME)) {
            for (Path log : files.filter(file -> file.toString().endsWith(".log"))
                    .sorted()
                    .toList()) {
                List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
                lines.stream()
                        .skip(Math.max(0, lines.size() - 2))
                        .forEach(line -> text.append(HOME.relativize(log))
                                .append(": ")
                                .append(line)
                                .append('\n'));
            }
        } catch (IOException | UncheckedIOException e) {
            text.append(e.getMessage());
        }
        return text.toString().stripTrailing();
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = Lab.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("resource " + name + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void deleteHome() {
        if (!Files.exists(HOME)) {
            return;
        }
        try (Stream<Path> files = Files.walk(HOME)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            throw new LabException("cannot delete " + HOME + ": " + e.getMessage(), e);
        }
    }
}
