package dev.retier.agent.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.doctor.Doctor;
import dev.retier.agent.files.ClusterLines;
import dev.retier.agent.files.ConfigFile;
import dev.retier.agent.real.AdministratorsMachine.Change;
import dev.retier.agent.status.Finding;
import dev.retier.link.NodeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each check of the doctor finds a machine that is broken in its way, and none finds anything on a healthy one. */
class DoctorIT {
    private static final String RULES = """
            ServerName shop.example
              RewriteEngine On
              RewriteRule ^/well-known/ - [L]
              RewriteRule ^/gone https://shop.example/ [R=301,L]
              <Location /one>
                RewriteRule ^ /two [L]
              </Location>
              RewriteRule ^/old /index.html [QSA,L]
            """;

    /** Made while the test runs, and gone with it. */
    @TempDir
    private Path folder = Path.of("");

    private static List<Finding> bad(AdministratorsMachine machine) throws InterruptedException {
        return machine.doctor().findings().stream().filter(Finding::isBad).toList();
    }

    /**
     * A machine that is broken.
     *
     * @param name what was done to it
     * @param isBefore whether that was before httpd was started
     * @param change how
     * @param check what finds it, before all others
     * @param told of which place and remedy say this
     */
    record Broken(String name, boolean isBefore, Change change, String check, String told) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Broken before(String name, Change change, String check, String told) {
        return new Broken(name, true, change, check, told);
    }

    private static Broken running(String name, Change change, String check, String told) {
        return new Broken(name, false, change, check, told);
    }

    static Stream<Broken> broken() {
        return Stream.of(files(), checked(), included(), answering(), around()).flatMap(each -> each);
    }

    private static Stream<Broken> files() {
        return Stream.of(
                running(
                        "folder of the file gone",
                        machine -> machine.editCluster("/retier.conf", "/gone/retier.conf"),
                        "role-file",
                        "mkdir -p"),
                running(
                        "a file that is somebody's",
                        machine -> machine.write("retier.conf", "# mine\n"),
                        "role-file",
                        "move it away"),
                running(
                        "no template",
                        machine ->
                                machine.editCluster("( *)program: (.*)", "$1program: $2\n$1template: /nonexistent/t"),
                        "template",
                        "server.template"),
                running(
                        "the generated file is gone",
                        machine -> {
                            machine.delete("retier.conf");
                            machine.reloadWithoutFile();
                        },
                        "status",
                        "start the agent"),
                running("no secret", machine -> machine.delete("secret"), "secret", "secret-file"),
                running("a secret that everybody may read", AdministratorsMachine::exposeSecret, "secret", "chmod o="),
                running(
                        "a journal that nobody can write",
                        machine -> machine.editCluster("journal-directory: .*", "journal-directory: /proc/journal"),
                        "journal",
                        "journal-directory"));
    }

    private static Stream<Broken> checked() {
        return Stream.of(
                running(
                        "a broken file of the administrator's",
                        machine -> machine.edit("</VirtualHost>", "  Nonsense On\n</VirtualHost>"),
                        "check",
                        "httpd.conf:"),
                running(
                        "Debian's variables",
                        machine -> machine.edit("DefaultRuntimeDir \"", "DefaultRuntimeDir \"\\${APACHE_RUN_DIR}"),
                        "check",
                        "apache2ctl"),
                running(
                        "a checker that is not there",
                        machine -> machine.editCluster("program: .*", "program: /nonexistent/apache2"),
                        "check",
                        "server.check"),
                running(
                        "a checker that hardly ends in time",
                        AdministratorsMachine::slowChecker,
                        "check",
                        "server.check-deadline"),
                running(
                        "no mod_rewrite",
                        machine -> machine.drop("LoadModule rewrite_module"),
                        "modules",
                        "a2enmod rewrite"),
                running(
                        "no mod_status",
                        machine -> machine.drop("LoadModule status_module"),
                        "modules",
                        "a2enmod status"),
                running("a key that is not there", machine -> machine.delete("site.key"), "tls-keys", "httpd.conf:"));
    }

    private static Stream<Broken> included() {
        return Stream.of(
                running(
                        "the virtual host with TLS does not include",
                        machine -> machine.edit("(SSLCertificateKeyFile.*\n).*IncludeOptional.*\n", "$1"),
                        "virtual-hosts",
                        "httpd.conf:"),
                running(
                        "the virtual host of another site does not include",
                        AdministratorsMachine::addSiteWithoutInclude,
                        "virtual-hosts",
                        "httpd.conf:"),
                running(
                        "a rule that ends before the file is read",
                        machine -> machine.edit("ServerName shop.example\n", RULES),
                        "virtual-hosts",
                        "httpd.conf:"),
                running(
                        "included in virtual hosts alone",
                        machine -> machine.drop("IncludeOptional"),
                        "include",
                        "before them"),
                running(
                        "included nowhere",
                        machine -> machine.edit("(?m)^ *IncludeOptional.*\n", ""),
                        "include",
                        "before the virtual hosts"),
                before(
                        "another virtual host answers for the site",
                        machine -> machine.edit("ServerName shop.example", "ServerName other.example"),
                        "proof",
                        "ServerName shop.example"),
                running(
                        "a host that no virtual host has",
                        machine -> machine.editCluster("shop.example]", "shop.example, www.shop.example]"),
                        "proof",
                        "ServerName www.shop.example"),
                running(
                        "another program at a port that httpd is to have",
                        AdministratorsMachine::takePort,
                        "reload",
                        "httpd.conf"),
                running("another MPM", machine -> machine.edit("mpm_event", "mpm_worker"), "reload", "httpd.conf"));
    }

    private static Stream<Broken> answering() {
        return Stream.of(
                running("httpd is down", AdministratorsMachine::stop, "process", "server.pid-file"),
                running(
                        "a pid file of another process",
                        AdministratorsMachine::nameAnotherProcess,
                        "process",
                        "server.pid-file"),
                before(
                        "no Listen for the agent",
                        machine -> machine.drop("Listen " + machine.admin()),
                        "status",
                        "Listen"),
                running("small files that httpd may not read", AdministratorsMachine::hideStamp, "flags", "chmod"),
                running("a file that httpd has not loaded", AdministratorsMachine::restructure, "loaded", "reload"),
                running(
                        "nothing at the path of the proof",
                        machine -> machine.delete("www/static/retier-proof"),
                        "content",
                        "server.prove-path"),
                before("everybody is sent to https", machine -> toHttps(machine, ""), "redirect", "%{ENV:HTTPS}"),
                before("a status page for everybody", AdministratorsMachine::exposeStatus, "exposed", "take that"));
    }

    private static void toHttps(AdministratorsMachine machine, String unless) throws IOException {
        machine.edit(
                "ServerName shop.example\n",
                "ServerName shop.example\n  RewriteEngine On\n" + unless
                        + "  RewriteRule ^ https://shop.example%{REQUEST_URI} [R=301,L]\n");
    }

    private static Stream<Broken> around() {
        return Stream.of(
                running(
                        "a node that the file does not have",
                        AdministratorsMachine::addNode,
                        "members",
                        "start the agent again"),
                running("an edge that is down", AdministratorsMachine::addEdge, "edge front", "edges.front"),
                running(
                        "a peer with another secret",
                        machine -> machine.addUnseenPeer("not_connected", "known"),
                        "peers",
                        "secret-file"),
                running(
                        "a peer to which this node has another secret",
                        machine -> machine.addUnseenPeer("known", "not_connected"),
                        "peers",
                        "the same secret"),
                running("a peer that is slow", machine -> machine.addPeerOfAnotherTime(-60), "clocks", "chrony"),
                running("a peer that is fast", machine -> machine.addPeerOfAnotherTime(60), "clocks", "chrony"),
                running(
                        "a peer that refuses this machine",
                        machine -> machine.addPeerServer(403),
                        "peer-servers",
                        "Require ip"),
                running(
                        "a peer that this machine cannot reach",
                        machine -> machine.addPeerServer(0),
                        "peer-servers",
                        "nodes.node-2.server.address"),
                running(
                        "a peer with another file",
                        AdministratorsMachine::addDifferingPeer,
                        "configuration",
                        "the same file"));
    }

    @ParameterizedTest
    @MethodSource("broken")
    void shouldFindIt_whenAMachineIsBrokenInOneWay(Broken broken) throws Exception {
        try (AdministratorsMachine machine = new AdministratorsMachine(folder)) {
            if (broken.isBefore()) {
                broken.change().make(machine);
            }
            machine.start();
            if (!broken.isBefore()) {
                assertThat(bad(machine)).as("before").isEmpty();
                broken.change().make(machine);
            }

            List<Finding> bad = bad(machine);

            assertThat(bad).isNotEmpty();
            Finding first = bad.getFirst();
            assertThat(first.check()).as("%s", bad).isEqualTo(broken.check());
            assertThat(first.detail() + " " + first.place() + " " + first.remedy())
                    .contains(broken.told());
        }
    }

    @Test
    void shouldFindNothing_whenThoseAreSentToHttpsWhoHaveNotComeByIt() throws Exception {
        try (AdministratorsMachine machine = new AdministratorsMachine(folder)) {
            toHttps(machine, "  RewriteCond %{ENV:HTTPS} !=on\n");
            machine.start();

            assertThat(bad(machine)).isEmpty();
            assertThat(machine.doctor().findings()).extracting(Finding::check).contains("redirect");
        }
    }

    /** A link to itself looks to root as a key does to a user who may not get there: nobody can say that it is gone. */
    @Test
    void shouldSayThatItDoesNotKnow_whenAKeyCannotBeSeen() throws Exception {
        try (AdministratorsMachine machine = new AdministratorsMachine(folder)) {
            machine.start();
            machine.delete("site.key");
            Files.createSymbolicLink(machine.file("site.key"), machine.file("site.key"));

            assertThat(bad(machine)).isEmpty();
            assertThat(machine.doctor().findings())
                    .extracting(Finding::detail)
                    .anyMatch(detail -> detail.startsWith("1 of 1 that are named cannot be seen as "));
        }
    }

    @Test
    void shouldFindNothing_whenAgentsSeeEachOther() throws Exception {
        try (AdministratorsMachine machine = new AdministratorsMachine(folder)) {
            machine.start();
            machine.addUnseenPeer("known", "stale");

            assertThat(bad(machine)).isEmpty();
            assertThat(machine.doctor().findings())
                    .extracting(Finding::detail)
                    .contains("all agents answer and are seen, and their clocks agree");
        }
    }

    @Test
    void shouldNameIt_whenAVirtualHostOfTheSiteHasANameThatNoSiteHas() throws Exception {
        try (AdministratorsMachine machine = new AdministratorsMachine(folder)) {
            machine.edit("ServerName shop.example\n", "ServerName shop.example\n  ServerAlias m.shop.example\n");
            machine.start();

            assertThat(bad(machine)).isEmpty();
            assertThat(machine.doctor().findings())
                    .filteredOn(finding -> finding.check().equals("names"))
                    .singleElement()
                    .extracting(Finding::detail)
                    .asString()
                    .contains("also have m.shop.example, which");
        }
    }

    @Test
    void shouldFindNothing_whenThePeerAnswersThisMachine() throws Exception {
        try (AdministratorsMachine machine = new AdministratorsMachine(folder)) {
            machine.start();
            machine.addPeerServer(404);

            assertThat(bad(machine)).isEmpty();
            assertThat(machine.doctor().findings()).extracting(Finding::check).contains("peer-servers");
        }
    }

    @Test
    void shouldExamineBothServers_whenANodeHasTwo() throws Exception {
        Path file = folder.resolve("cluster.yaml");
        Files.writeString(file, """
                name: test
                secret-env: S
                journal-directory: %s/journal
                sites: [{id: 1, name: shop}]
                nodes:
                  - id: 1
                    name: web-1
                    rdma: 127.0.0.1:9001
                    agent: 127.0.0.1:9002
                    role: shop/proxy
                    server: {address: "127.0.0.1:9003", admin: "127.0.0.1:9004", role-file: %s/r1}
                    app-server:
                      {kind: httpd, address: "127.0.0.1:9005", admin: "127.0.0.1:9006", role-file: %s/gone/retier.conf,
                       config: /c, pid-file: /p}
                  - {id: 2, name: web-2, rdma: "127.0.0.1:9007", agent: "127.0.0.1:9008", role: shop/app,
                     server: {address: "127.0.0.1:9009", admin: "127.0.0.1:9010", role-file: /r2}}
                witnesses: [web-1]
                """.formatted(folder, folder, folder));
        ClusterConfig config = ConfigFile.read(file);
        Doctor doctor = new Doctor(config, config.node(new NodeId(1)), ClusterLines.of(file));

        assertThat(doctor.findings())
                .extracting(Finding::detail)
                .anyMatch(detail -> detail.contains("127.0.0.1:9004"))
                .contains(folder + "/gone is no folder");

        Path journal = Files.createDirectories(folder.resolve("journal/web-1"));
        Files.writeString(journal.resolve("stopped-httpd"), "1\n");
        assertThat(doctor.findings())
                .extracting(Finding::detail)
                .noneMatch(detail -> detail.contains("gone"))
                .anyMatch(detail -> detail.startsWith("httpd rests"));
    }

    @Test
    void shouldFindBoth_whenAFolderHasNoSpaceAndCannotBeWrittenIn() throws Exception {
        try (AdministratorsMachine machine = new AdministratorsMachine(folder)) {
            machine.start();
            machine.editCluster("role-file: /tmp.*", "role-file: /proc/retier.conf");

            assertThat(bad(machine)).extracting(Finding::check).contains("space", "role-file");
        }
    }
}
