package dev.retier.cli.lab.plan;

import dev.retier.agent.config.ServerKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;

/** Every file of a lab, by its path below the lab's home. Stateless: the same settings give the same bytes. */
public final class LabFiles {
    /** The lab's home: a folder that a lab makes, and removes with all that is in it. */
    public static final Path HOME = Path.of("/run/retier-lab");
    /** The cluster file. */
    public static final String CLUSTER = "cluster.yaml";
    /** The application beside each httpd. */
    public static final String APPLICATION = "app.pl";
    /** The cluster secret; its content is not made here. */
    public static final String SECRET = "secret";
    /** The folder of static files. */
    public static final String CONTENT = "www";

    /** The edge's configuration. */
    public static final String EDGE_FILE = "edge.cfg";
    /** What is in that file besides where there are two sites. */
    public static final String EDGE_OF_NEWS = "edge-news.cfg";
    /** What the agent of a node, or the edge of shop, writes for its HAProxy. */
    public static final String HAPROXY_GENERATED = "retier.cfg";
    /** What the edge of news writes, for the same HAProxy. */
    public static final String GENERATED_OF_NEWS = "retier-news.cfg";

    /** Where the edge serves shop. */
    public static final int EDGE_PORT = 8000;
    /** Where it serves news, if there is such a site. */
    public static final int NEWS_PORT = 8001;

    private static final String GENERATED = "retier.conf";
    private static final int STATIC_FILES = 100;
    private static final int LINE_LENGTH = 76;
    private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    private LabFiles() {}

    /**
     * The files of a lab.
     *
     * @param texts of the configurations of each kind and of the edge by the name of the file, with names between at
     *     signs
     */
    public static Map<String, String> configurations(
            LabSettings settings, LabServers servers, Map<String, String> texts) {
        Map<String, String> files = new LinkedHashMap<>();
        files.put(CLUSTER, cluster(settings, servers));
        for (int number = 1; number <= settings.nodes(); number++) {
            LabHost host = LabHost.node(number);
            String file = configuration(settings.kind(number));
            files.put(host.name() + "/" + file, fill(texts.getOrDefault(file, ""), servers, host));
        }
        String edge = texts.getOrDefault(EDGE_FILE, "")
                + (settings.sites().isTwo() ? texts.getOrDefault(EDGE_OF_NEWS, "") : "");
        files.put(LabHost.edge().name() + "/" + EDGE_FILE, fill(edge, servers, LabHost.edge()));
        return files;
    }

    /** The configuration of a node with that server, in its own folder. */
    public static String configuration(ServerKind kind) {
        return switch (kind) {
            case HTTPD -> "httpd.conf";
            case NGINX -> "nginx.conf";
            case HAPROXY -> "proxy.cfg";
            case WEB_NODE, OTHER -> throw new IllegalArgumentException("no lab has a " + kind.word());
        };
    }

    /** What the agent of node {@code number} writes for its server. */
    public static Path generated(LabSettings settings, int number) {
        return HOME.resolve(LabHost.node(number).name())
                .resolve(settings.kind(number) == ServerKind.HAPROXY ? HAPROXY_GENERATED : GENERATED);
    }

    /**
     * The static files, named as made traces of so many objects name them: text that compresses as text does, other for
     * each file.
     */
    public static Map<String, String> content(LabSettings settings) {
        Map<String, String> files = new LinkedHashMap<>();
        for (int number = 0; number < STATIC_FILES; number++) {
            files.put(CONTENT + "/static/o" + number, text(settings.fileBytes(), new SplittableRandom(number)));
        }
        files.put(CONTENT + "/static/retier-proof", "ok\n");
        return files;
    }

    private static String text(int length, SplittableRandom random) {
        StringBuilder text = new StringBuilder(length);
        while (text.length() < length) {
            boolean isLineFull = text.length() % LINE_LENGTH == LINE_LENGTH - 1;
            text.append(isLineFull ? '\n' : LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return text.toString();
    }

    private static String fill(String text, LabServers servers, LabHost host) {
        return text.replace("@HOME@", HOME.resolve(host.name()).toString())
                .replace("@WWW@", HOME.resolve(CONTENT).toString())
                .replace("@NODE@", host.name())
                .replace("@MODULES@", servers.modules())
                .replace("@USER@", servers.user())
                .replace("@GROUP@", servers.group());
    }

    private static String cluster(LabSettings settings, LabServers servers) {
        StringBuilder yaml = new StringBuilder(common(settings));
        for (int number = 1; number <= settings.nodes(); number++) {
            yaml.append(node(settings, servers, number));
        }
        yaml.append("edges:\n").append(edge(servers, "front", "shop", EDGE_PORT, HAPROXY_GENERATED));
        if (settings.sites().isTwo()) {
            yaml.append(edge(servers, "front-news", "news", NEWS_PORT, GENERATED_OF_NEWS));
        }
        return yaml.toString();
    }

    private static String common(LabSettings settings) {
        return """
                # The cluster of a lab, made by `./retier lab up`.
                name: lab
                mode: %s
                secret-file: %s
                journal-directory: %s
                timing:
                  sensitivity: %s
                  publish-interval: 100ms
                  utilisation-window: 500ms
                  read-deadline: 250ms
                  staleness: 2s
                  lease: 2s
                decision:
                  take-history: %s
                  moves-per-hour: 3600
                move:
                  drain-deadline: 10s
                  upstream-deadline: 5s
                  prove-deadline: 5s
                sites:
                  - id: 1
                    name: shop
                    hosts: [shop.example]
                %s    proxy: {min: %d}
                    app: {min: 1}
                %switnesses: [node-1]
                admin: {insecure: true}
                nodes:
                """.formatted(
                        settings.mode(),
                        HOME.resolve(SECRET),
                        HOME.resolve("journal"),
                        text(settings.sensitivity()),
                        text(settings.history()),
                        promise(settings.sites()),
                        settings.minProxies(),
                        settings.sites().isTwo() ? news() : "");
    }

    private static String promise(LabSites sites) {
        return "    priority: 1\n" + (sites.guarantee() > 0 ? "    guarantee: " + sites.guarantee() + "\n" : "");
    }

    private static String news() {
        return """
                  - id: 2
                    name: news
                    hosts: [news.example]
                    priority: 2
                    proxy: {min: 1}
                    app: {min: 1}
                """;
    }

    private static String node(LabSettings settings, LabServers servers, int number) {
        LabHost host = LabHost.node(number);
        String common =
                """
                  - id: %1$d
                    name: %2$s
                    rdma: %3$s:19000
                    agent: %3$s:18200
                    role: %4$s
                    server:
                      address: %3$s:80
                      role-file: %5$s
                """.formatted(number, host.name(), host.address(), settings.role(number), generated(settings, number));
        return common
                + switch (settings.kind(number)) {
                    case HAPROXY -> haproxy(servers, HOME.resolve(host.name()));
                    // It has no content of its own.
                    case NGINX ->
                        byPage(ServerKind.NGINX, servers.nginx(), HOME.resolve(host.name())) + "      tiers: [proxy]\n";
                    case HTTPD, WEB_NODE, OTHER -> byPage(ServerKind.HTTPD, servers.httpd(), HOME.resolve(host.name()));
                };
    }

    private static String byPage(ServerKind kind, String program, Path home) {
        return """
                      kind: %1$s
                      admin: 127.0.0.1:8099
                      config: %2$s
                      pid-file: %3$s/run/%1$s.pid
                      program: %4$s
                """.formatted(kind.word(), home.resolve(configuration(kind)), home, program);
    }

    private static String haproxy(LabServers servers, Path home) {
        return """
                      kind: haproxy
                      config: %1$s
                      pid-file: %2$s/run/haproxy.pid
                      socket: %2$s/run/admin.sock
                      program: %3$s
                """.formatted(home.resolve(configuration(ServerKind.HAPROXY)), home, servers.haproxy());
    }

    private static String edge(LabServers servers, String name, String site, int port, String file) {
        return """
                  - name: %1$s
                    site: %2$s
                    kind: haproxy
                    address: 127.0.0.1:%3$d
                    file: %5$s/%4$s
                    config: %5$s/edge.cfg
                    pid-file: %5$s/run/haproxy.pid
                    socket: %5$s/run/admin.sock
                    program: %6$s
                """.formatted(name, site, port, file, HOME.resolve(LabHost.edge().name()), servers.haproxy());
    }

    private static String text(Duration duration) {
        return duration.toMillis() + "ms";
    }
}
