package dev.retier.agent.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.doctor.Doctor;
import dev.retier.agent.files.ClusterLines;
import dev.retier.agent.install.Installation;
import dev.retier.agent.server.HttpFetch;
import dev.retier.agent.status.Finding;
import dev.retier.config.HostPort;
import dev.retier.link.NodeId;
import dev.retier.testsupport.Daemons;
import dev.retier.testsupport.ExternalTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** httpd with the files of a distribution, and a site that an administrator has added at two ports. */
final class PackagedHttpd implements AutoCloseable {
    static final String NAME = "shop.example";

    private static final Path DEBIAN = Path.of("/etc/apache2");
    private static final Path MODULES = Path.of("/usr/lib/apache2/modules");
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** What RHEL's packages load, of what the tests need; all that is installed is loaded. */
    private static final List<String> BASE = List.of(
            "alias",
            "authz_core",
            "authz_host",
            "authz_user",
            "autoindex",
            "cache",
            "cache_disk",
            "deflate",
            "dir",
            "env",
            "filter",
            "headers",
            "mime",
            "reqtimeout",
            "rewrite",
            "setenvif",
            "slotmem_shm",
            "status");

    private static final List<String> PROXY =
            List.of("lbmethod_bybusyness", "lbmethod_byrequests", "proxy", "proxy_balancer", "proxy_http");

    private final Path folder;
    private final Path root;
    private final String main;
    private final String environment;
    private final HostPort address = Ports.free();
    private final HostPort second = Ports.free();
    private final HostPort admin = Ports.free();
    private final Path program = ExternalTool.find("apache2");

    private PackagedHttpd(Path folder, Path root, String main, String environment) throws IOException {
        this.folder = folder;
        this.root = root;
        this.main = main;
        this.environment = environment;
        for (String name : List.of("run", "log", "www/static", "default/static", "journal/web-1", "etc")) {
            Files.createDirectories(folder.resolve(name));
        }
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(folder.resolve("www/static/retier-proof"), "the shop");
        Files.writeString(folder.resolve("default/static/retier-proof"), "Debian Default Page");
        Files.writeString(folder.resolve("secret"), "a secret of this test, which is long enough");
        Files.setPosixFilePermissions(folder.resolve("secret"), PosixFilePermissions.fromString("rw-------"));
    }

    /** As Debian packages it, from this machine. */
    static PackagedHttpd debian(Path folder) throws IOException {
        Path root = folder.resolve("apache2");
        PackagedHttpd made = new PackagedHttpd(
                folder,
                root,
                "apache2.conf",
                ". " + root + "/envvars; export APACHE_RUN_DIR=" + folder + "/run APACHE_PID_FILE=" + pidFile(folder)
                        + " APACHE_LOG_DIR=" + folder + "/log APACHE_LOCK_DIR=" + folder + "/run; ");
        made.copyDebian();
        return made;
    }

    /** As RHEL's documentation has it, with Debian's program and modules. */
    static PackagedHttpd rhel(Path folder) throws IOException {
        PackagedHttpd made = new PackagedHttpd(folder, folder.resolve("httpd"), "conf/httpd.conf", "");
        made.writeRhel();
        return made;
    }

    Path root() {
        return root;
    }

    HostPort address() {
        return address;
    }

    HostPort second() {
        return second;
    }

    HostPort admin() {
        return admin;
    }

    private static Path pidFile(Path folder) {
        return folder.resolve("run/apache2.pid");
    }

    private void copyDebian() throws IOException {
        try (Stream<Path> all = Files.walk(DEBIAN)) {
            for (Path from : all.toList()) {
                Path to = root.resolve(DEBIAN.relativize(from).toString());
                if (Files.isSymbolicLink(from)) {
                    Files.createSymbolicLink(to, Files.readSymbolicLink(from));
                } else {
                    Files.copy(from, to);
                }
            }
        }
        // What an earlier command of the tests' machine may have enabled.
        for (String module : List.of("rewrite", "headers", "proxy", "proxy_http", "proxy_balancer", "slotmem_shm")) {
            Files.deleteIfExists(root.resolve("mods-enabled/" + module + ".load"));
            Files.deleteIfExists(root.resolve("mods-enabled/" + module + ".conf"));
        }
        Path config = root.resolve(main);
        Files.writeString(
                config,
                "ServerRoot \"" + root + "\"\nServerName localhost\n"
                        + Files.readString(config).replace("/var/www/", folder + "/"));
        Files.writeString(root.resolve("ports.conf"), "Listen " + address + "\nListen " + second + "\n");
        Path standard = root.resolve("sites-available/000-default.conf");
        Files.writeString(
                standard,
                Files.readString(standard)
                        .replace("*:80", "*:" + address.port())
                        .replace("/var/www/html", folder + "/default"));
        Files.writeString(root.resolve("sites-available/shop.conf"), site(address) + "\n" + site(second));
        Files.createSymbolicLink(root.resolve("sites-enabled/shop.conf"), Path.of("../sites-available/shop.conf"));
    }

    private void writeRhel() throws IOException {
        for (String name : List.of("conf", "conf.d", "conf.modules.d")) {
            Files.createDirectories(root.resolve(name));
        }
        Files.createSymbolicLink(root.resolve("modules"), MODULES);
        Files.writeString(root.resolve("conf.modules.d/00-base.conf"), loaded(BASE));
        Files.writeString(root.resolve("conf.modules.d/00-mpm.conf"), loaded(List.of("mpm_event")));
        Files.writeString(root.resolve("conf.modules.d/00-proxy.conf"), loaded(PROXY));
        Files.writeString(root.resolve(main), """
                ServerRoot "ROOT"
                Listen ADDRESS
                Listen SECOND
                Include conf.modules.d/*.conf
                User www-data
                Group www-data
                ServerName localhost
                PidFile "FOLDER/run/apache2.pid"
                <Directory />
                    AllowOverride none
                    Require all denied
                </Directory>
                DocumentRoot "FOLDER/default"
                <Directory "FOLDER">
                    Require all granted
                </Directory>
                ErrorLog "FOLDER/log/error_log"
                TypesConfig /etc/mime.types
                EnableSendfile on
                IncludeOptional conf.d/*.conf
                """.replace("ROOT", root.toString())
                .replace("ADDRESS", address.toString())
                .replace("SECOND", second.toString())
                .replace("FOLDER", folder.toString()));
        Files.writeString(root.resolve("conf.d/README"), "Files that end with .conf are read.\n");
        Files.writeString(
                root.resolve("conf.d/shop.conf"),
                site(address).replace(NAME, "www.other.example").replace("/www\n", "/default\n") + "\n" + site(address)
                        + "\n" + site(second));
    }

    private static String loaded(List<String> modules) {
        StringBuilder lines = new StringBuilder();
        modules.forEach(module -> lines.append("LoadModule ")
                .append(module)
                .append("_module modules/mod_")
                .append(module)
                .append(".so\n"));
        return lines.toString();
    }

    /** A virtual host of the site. */
    String site(HostPort at) {
        return "<VirtualHost *:" + at.port() + ">\n\tServerName " + NAME + "\n\tDocumentRoot " + folder
                + "/www\n</VirtualHost>\n";
    }

    private ClusterConfig cluster() {
        return ClusterConfig.parse(
                """
                name: test
                secret-file: FOLDER/secret
                journal-directory: FOLDER/journal
                sites: [{id: 1, name: shop, hosts: [shop.example]}]
                nodes:
                  - id: 1
                    name: web-1
                    rdma: 127.0.0.1:9001
                    agent: 127.0.0.1:9002
                    role: shop/app
                    server:
                      kind: httpd
                      address: @ADDRESS@
                      admin: @ADMIN@
                      role-file: FOLDER/etc/retier.conf
                      config: @CONFIG@
                      pid-file: @PID@
                      check: [/bin/sh, -c, '@RUN@ -f "$0" -t -D RETIER_STAGED "$@"', '{config}']
                      restart: [/bin/sh, -c, '@RUN@ -f @CONFIG@ -k start']
                  - {id: 2, name: web-2, rdma: "127.0.0.1:9003", agent: "127.0.0.1:9004", role: shop/proxy,
                     server: {address: "127.0.0.1:9005", admin: "127.0.0.1:9006", role-file: /r2}}
                witnesses: [web-1]
                """.replace("@RUN@", environment + "exec " + program)
                        .replace("FOLDER", folder.toString())
                        .replace("@ADDRESS@", address.toString())
                        .replace("@ADMIN@", admin.toString())
                        .replace("@PID@", pidFile(folder).toString())
                        .replace("@CONFIG@", root.resolve(main).toString()),
                "cluster.yaml");
    }

    Installation installation() {
        return new Installation(
                new AgentConfig(cluster(), new NodeId(1), false),
                cluster().nodes().getFirst().server());
    }

    void start() throws IOException, InterruptedException {
        List<String> command =
                cluster().node(new NodeId(1)).server().controlled().commands().restart();
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("start.log").toFile())
                .start();
        assertThat(process.waitFor())
                .as(Files.readString(folder.resolve("start.log")))
                .isZero();
        await().until(() -> Files.exists(pidFile(folder)));
    }

    /** Every file below with its text, every link with its target. */
    SortedMap<Path, String> tree() throws IOException {
        SortedMap<Path, String> tree = new TreeMap<>();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path file : all.toList()) {
                if (Files.isSymbolicLink(file)) {
                    tree.put(file, "-> " + Files.readSymbolicLink(file));
                } else if (Files.isRegularFile(file)) {
                    tree.put(file, Files.getPosixFilePermissions(file) + Files.readString(file));
                }
            }
        }
        return tree;
    }

    /** All that its doctor says. */
    List<Finding> findings() throws InterruptedException {
        ClusterConfig cluster = cluster();
        return new Doctor(cluster, cluster.node(new NodeId(1)), ClusterLines.none()).findings();
    }

    /** What it answers, asked by that name. */
    static String body(HostPort at, String host) throws IOException {
        try (HttpFetch fetch = new HttpFetch(at, host)) {
            return fetch.get("/static/retier-proof", TIMEOUT).body();
        }
    }

    @Override
    public void close() {
        Daemons.kill(Daemons.of(pidFile(folder)));
    }
}
