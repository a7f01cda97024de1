package dev.retier.agent.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.doctor.Doctor;
import dev.retier.agent.files.ClusterLines;
import dev.retier.agent.install.Edit;
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
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Into Debian's httpd as it is packaged, with a site that an administrator has added, and out of it again. */
class InstallHttpdIT {
    private static final Path DEBIAN = Path.of("/etc/apache2");
    private static final String NAME = "shop.example";
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    @TempDir
    private Path folder = Path.of("");

    private final HostPort address = Ports.free();
    private final HostPort second = Ports.free();
    private final HostPort admin = Ports.free();
    private final Path program = ExternalTool.find("apache2");

    private Path root() {
        return folder.resolve("apache2");
    }

    private Path pidFile() {
        return folder.resolve("run/apache2.pid");
    }

    @BeforeEach
    void copyDebian() throws IOException {
        for (String name : List.of("run", "log", "www/static", "default/static", "journal/web-1", "etc")) {
            Files.createDirectories(folder.resolve(name));
        }
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (Stream<Path> all = Files.walk(DEBIAN)) {
            for (Path from : all.toList()) {
                Path to = root().resolve(DEBIAN.relativize(from).toString());
                if (Files.isSymbolicLink(from)) {
                    Files.createSymbolicLink(to, Files.readSymbolicLink(from));
                } else {
                    Files.copy(from, to);
                }
            }
        }
        // What an earlier command of the tests' machine may have enabled.
        for (String module : List.of("rewrite", "headers", "proxy", "proxy_http", "proxy_balancer", "slotmem_shm")) {
            Files.deleteIfExists(root().resolve("mods-enabled/" + module + ".load"));
            Files.deleteIfExists(root().resolve("mods-enabled/" + module + ".conf"));
        }
        Path main = root().resolve("apache2.conf");
        Files.writeString(
                main,
                "ServerRoot \"" + root() + "\"\nServerName localhost\n"
                        + Files.readString(main).replace("/var/www/", folder + "/"));
        Files.writeString(root().resolve("ports.conf"), "Listen " + address + "\nListen " + second + "\n");
        Path standard = root().resolve("sites-available/000-default.conf");
        Files.writeString(
                standard,
                Files.readString(standard)
                        .replace("*:80", "*:" + address.port())
                        .replace("/var/www/html", folder + "/default"));
        Files.writeString(root().resolve("sites-available/shop.conf"), site(address) + "\n" + site(second));
        Files.createSymbolicLink(root().resolve("sites-enabled/shop.conf"), Path.of("../sites-available/shop.conf"));
        Files.writeString(folder.resolve("www/static/retier-proof"), "the shop");
        Files.writeString(folder.resolve("default/static/retier-proof"), "Debian Default Page");
        Files.writeString(folder.resolve("secret"), "a secret of this test, which is long enough");
    }

    private String site(HostPort at) {
        return "<VirtualHost *:" + at.port() + ">\n\tServerName " + NAME + "\n\tDocumentRoot " + folder
                + "/www\n</VirtualHost>\n";
    }

    @AfterEach
    void end() {
        Daemons.kill(Daemons.of(pidFile()));
    }

    private ClusterConfig cluster() {
        String run = ". " + root() + "/envvars; export APACHE_RUN_DIR=" + folder + "/run APACHE_PID_FILE=" + pidFile()
                + " APACHE_LOG_DIR=" + folder + "/log APACHE_LOCK_DIR=" + folder + "/run; exec " + program;
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
                      config: FOLDER/apache2/apache2.conf
                      pid-file: @PID@
                      check: [/bin/sh, -c, '@RUN@ -f "$0" -t -D RETIER_STAGED "$@"', '{config}']
                      restart: [/bin/sh, -c, '@RUN@ -f FOLDER/apache2/apache2.conf -k start']
                  - {id: 2, name: web-2, rdma: "127.0.0.1:9003", agent: "127.0.0.1:9004", role: shop/proxy,
                     server: {address: "127.0.0.1:9005", admin: "127.0.0.1:9006", role-file: /r2}}
                witnesses: [web-1]
                """.replace("@RUN@", run)
                        .replace("FOLDER", folder.toString())
                        .replace("@ADDRESS@", address.toString())
                        .replace("@ADMIN@", admin.toString())
                        .replace("@PID@", pidFile().toString()),
                "cluster.yaml");
    }

    private Installation installation() {
        return new Installation(
                new AgentConfig(cluster(), new NodeId(1), false),
                cluster().nodes().getFirst().server());
    }

    private void start() throws IOException, InterruptedException {
        List<String> command =
                cluster().node(new NodeId(1)).server().controlled().commands().restart();
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("start.log").toFile())
                .start();
        assertThat(process.waitFor())
                .as(Files.readString(folder.resolve("start.log")))
                .isZero();
        await().until(() -> Files.exists(pidFile()));
    }

    /** Every file below with its text, every link with its target. */
    private SortedMap<Path, String> tree() throws IOException {
        SortedMap<Path, String> tree = new TreeMap<>();
        try (Stream<Path> all = Files.walk(root())) {
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

    /** What was written last is taken back first: the second version of a file, then the first. */
    @Test
    void shouldLeaveWhatTheAdministratorAdded_whenItWasInstalledTwice() throws Exception {
        Path shop = root().resolve("sites-available/shop.conf");
        String before = Files.readString(shop);
        Installation installation = installation();
        installation.install(installation.plan(), null);
        String added = site(address).replace("ServerName", "ServerAlias");
        Files.writeString(shop, added, StandardOpenOption.APPEND);
        installation.install(installation.plan(), null);

        List<String> said = new ArrayList<>();
        installation.remove(said::add);

        assertThat(shop).content().isEqualTo(before + added);
        assertThat(said).as("%s", said).hasSize(1);
    }

    private static String body(HostPort at, String host) throws IOException {
        try (HttpFetch fetch = new HttpFetch(at, host)) {
            return fetch.get("/static/retier-proof", TIMEOUT).body();
        }
    }

    @Test
    void shouldMakeItFitForMoves_andRestoreEachByte() throws Exception {
        SortedMap<Path, String> before = tree();
        Installation installation = installation();
        List<Edit> edits = installation.plan();
        assertThat(tree()).as("a plan changes nothing").isEqualTo(before);
        assertThat(edits.stream().flatMap(edit -> Installation.shown(edit).stream()))
                .contains("    +Listen " + admin)
                .anyMatch(line -> line.endsWith("rewrite.load -> ../mods-available/rewrite.load"));

        installation.install(edits, null);

        start();
        List<Finding> findings = new Doctor(cluster(), cluster().node(new NodeId(1)), ClusterLines.none()).findings();
        assertThat(findings.stream().filter(Finding::isBad)).isEmpty();
        assertThat(findings)
                .anyMatch(found ->
                        found.check().equals("virtual-hosts") && found.detail().startsWith("2 "));
        assertThat(body(address, NAME)).isEqualTo("the shop");
        assertThat(body(second, NAME)).isEqualTo("the shop");
        assertThat(body(address, "www.debian.example")).isEqualTo("Debian Default Page");
        assertThat(installation().plan()).as("a second time").isEmpty();

        List<String> told = new ArrayList<>();
        installation().remove(told::add);

        assertThat(tree()).isEqualTo(before);
        assertThat(told).isEmpty();
        assertThat(folder.resolve("etc")).isEmptyDirectory();
        assertThatThrownBy(() -> installation().remove(told::add)).hasMessageContaining("nothing is installed");
    }

    @Test
    void shouldLeaveAVirtualHost_whenItsAdministratorSaysSo() throws Exception {
        Path site = root().resolve("sites-available/shop.conf");
        String text = Files.readString(site);
        int last = text.lastIndexOf("ServerName");
        Files.writeString(site, text.substring(0, last) + "# retier: leave, it is a console\n" + text.substring(last));
        Installation installation = installation();

        installation.install(installation.plan(), null);

        start();
        assertThat(Files.readString(site).split("By retier install", -1)).hasSize(2);
        List<Finding> findings = new Doctor(cluster(), cluster().node(new NodeId(1)), ClusterLines.none()).findings();
        assertThat(findings.stream().filter(Finding::isBad)).isEmpty();
        assertThat(findings)
                .anyMatch(found ->
                        found.check().equals("virtual-hosts") && found.detail().startsWith("1 "));
    }

    @Test
    void shouldTakeOutItsLinesAlone_whenSomebodyHasChangedAFile() throws Exception {
        InstallChecks.onlyItsLinesGo(
                installation(), root().resolve("sites-available/shop.conf"), root().resolve("sites-enabled/shop.conf"));
    }

    @Test
    void shouldLeaveAllAsItWas_whenTheCheckerRefusesTheWhole() throws Exception {
        Files.writeString(
                root().resolve("mods-available/rewrite.load"), "LoadModule rewrite_module /nonexistent/rewrite.so\n");
        SortedMap<Path, String> before = tree();

        InstallChecks.isRefused(installation(), "/nonexistent/rewrite.so");

        assertThat(tree()).isEqualTo(before);
        assertThat(folder.resolve("etc")).isEmptyDirectory();
    }

    @Test
    void shouldLeaveAllAsItWas_whenTheGeneratedFileCannotBeWritten() throws Exception {
        SortedMap<Path, String> before = tree();
        Files.delete(folder.resolve("etc"));
        Files.writeString(folder.resolve("etc"), "no folder");

        InstallChecks.isRefused(installation(), "retier.conf");

        assertThat(tree()).isEqualTo(before);
    }

    @Test
    void shouldKeepTheEndsOfLines_whenAnEditorOfAnotherSystemHasWrittenThem() throws Exception {
        Path site = root().resolve("sites-available/shop.conf");
        String before = Files.readString(site).replace("\n", "\r\n");
        Files.writeString(site, before);
        Installation installation = installation();

        installation.install(installation.plan(), null);

        assertThat(Files.readString(site).replaceAll("\t# By retier install:\n.*\n", ""))
                .isEqualTo(before);
    }

    @Test
    void shouldSayWhatToDo_whenNoVirtualHostIsTheSites() throws Exception {
        Files.delete(root().resolve("sites-enabled/shop.conf"));

        assertThatThrownBy(() -> installation().plan()).hasMessageContaining("ServerName");
    }
}
