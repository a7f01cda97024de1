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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Into Debian's nginx as it is packaged, with a site that an administrator has added, and out of it again. */
class InstallNginxIT {
    private static final Path DEBIAN = Path.of("/etc/nginx");
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    @TempDir
    private Path folder = Path.of("");

    private final HostPort address = Ports.free();
    private final HostPort admin = Ports.free();
    private final HostPort other = Ports.free();
    private final Path program = ExternalTool.find("nginx");

    private Path config() {
        return folder.resolve("nginx/nginx.conf");
    }

    private Path site() {
        return folder.resolve("nginx/sites-enabled/shop");
    }

    private Path pidFile() {
        return folder.resolve("run/nginx.pid");
    }

    @BeforeEach
    void copyDebian() throws IOException {
        for (String name : List.of(
                "nginx/conf.d", "nginx/sites-available", "nginx/sites-enabled", "nginx/snippets", "run", "log")) {
            Files.createDirectories(folder.resolve(name));
        }
        for (String name : List.of("journal/web-1", "etc")) {
            Files.createDirectories(folder.resolve(name));
        }
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.copy(DEBIAN.resolve("mime.types"), folder.resolve("nginx/mime.types"));
        Files.writeString(
                config(),
                Files.readString(DEBIAN.resolve("nginx.conf"))
                        .replace("/etc/nginx", folder + "/nginx")
                        .replace("/run/nginx.pid", pidFile().toString())
                        .replace("/var/log/nginx", folder + "/log")
                        .replaceAll("(?m)^include .*modules-enabled.*\n", ""));
        Files.writeString(
                folder.resolve("nginx/sites-enabled/default"),
                Files.readString(DEBIAN.resolve("sites-available/default"))
                        .replace("listen 80 ", "listen " + address + " ")
                        .replaceAll("listen \\[::]:80 .*\n", "\n"));
        Files.writeString(site(), """
                # Mine.
                server {
                    listen %s;
                    listen %s; # "the other one" { is }
                    server_name .Shop.example;
                    add_header Strict-Transport-Security "max-age=300" always;
                    location /old { return 302 /new; }
                }
                """.formatted(address, other));
        Files.writeString(folder.resolve("secret"), "a secret of this test, which is long enough");
    }

    @AfterEach
    void end() {
        Daemons.kill(Daemons.of(pidFile()));
    }

    private ClusterConfig cluster(HostPort app, String hosts) {
        return ClusterConfig.parse(
                """
                name: test
                secret-file: FOLDER/secret
                journal-directory: FOLDER/journal
                sites: [{id: 1, name: shop@HOSTS@}]
                nodes:
                  - id: 1
                    name: web-1
                    rdma: 127.0.0.1:9001
                    agent: 127.0.0.1:9002
                    role: shop/proxy
                    server:
                      kind: nginx
                      address: @ADDRESS@
                      admin: @ADMIN@
                      role-file: FOLDER/etc/retier.conf
                      config: FOLDER/nginx/nginx.conf
                      pid-file: FOLDER/run/nginx.pid
                      program: @PROGRAM@
                  - {id: 2, name: web-2, rdma: "127.0.0.1:9003", agent: "127.0.0.1:9004", role: shop/app,
                     server: {address: "@APP@", admin: "127.0.0.1:9006", role-file: /r2}}
                witnesses: [web-1]
                """.replace("FOLDER", folder.toString())
                        .replace("@HOSTS@", hosts.isEmpty() ? "" : ", hosts: [" + hosts + "]")
                        .replace("@ADDRESS@", address.toString())
                        .replace("@ADMIN@", admin.toString())
                        .replace("@PROGRAM@", program.toString())
                        .replace("@APP@", app.toString()),
                "cluster.yaml");
    }

    private Installation installation(HostPort app, String hosts) {
        ClusterConfig cluster = cluster(app, hosts);
        return new Installation(
                new AgentConfig(cluster, new NodeId(1), false),
                cluster.nodes().getFirst().server());
    }

    private Installation installation(String hosts) {
        return installation(new HostPort("127.0.0.1", 9_005), hosts);
    }

    private void start() throws IOException, InterruptedException {
        Path log = folder.resolve("start.log");
        Process process = new ProcessBuilder(program.toString(), "-c", config().toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(process.waitFor()).as(Files.readString(log)).isZero();
        assertThat(log).content().doesNotContain("conflicting", "[emerg]");
        await().until(() -> Files.exists(pidFile()));
    }

    private static HttpFetch.Answer asked(HostPort where, String host, String path) throws IOException {
        try (HttpFetch fetch = new HttpFetch(where, host)) {
            return fetch.get(path, TIMEOUT);
        }
    }

    @Test
    void shouldMakeItAProxyOfItsSitesAlone_andRestoreEachByte() throws Exception {
        String before = Files.readString(config());
        String siteBefore = Files.readString(site());
        try (StubApp app = new StubApp("this is web-2")) {
            Installation installation = installation(app.address(), "shop.example, new.example");
            List<Edit> edits = installation.plan();
            assertThat(Files.readString(config())).as("a plan changes nothing").isEqualTo(before);

            installation.install(edits, null);
            assertThat(folder.resolve("nginx/snippets/retier.conf"))
                    .as("WebSockets pass")
                    .content()
                    .contains("Upgrade $retier_upgrade;", "Connection $retier_connection;");
            assertThat(folder.resolve("nginx/conf.d/retier.conf"))
                    .content()
                    .contains("map $http_upgrade $retier_upgrade", "$retier_connection {");
            start();

            for (HostPort where : List.of(address, other)) {
                HttpFetch.Answer answer = asked(where, "www.shop.example", "/x");
                assertThat(answer.body()).isEqualTo("this is web-2");
                assertThat(answer.headers()).containsKeys("x-retier-epoch", "strict-transport-security");
            }
            assertThat(asked(address, "new.example", "/x").body()).isEqualTo("this is web-2");
            assertThat(asked(address, "shop.example", "/old").status()).isEqualTo(302);
            assertThat(asked(address, "shop.example", "/.retier/status").status())
                    .isEqualTo(403);
            assertThat(asked(address, "other.example", "/x").status())
                    .as("of the default site")
                    .isEqualTo(404);
            ClusterConfig cluster = cluster(app.address(), "shop.example, new.example");
            assertThat(new Doctor(cluster, cluster.node(new NodeId(1)), ClusterLines.none())
                            .findings().stream().filter(Finding::isBad))
                    .isEmpty();
            assertThat(installation(app.address(), "shop.example, new.example").plan())
                    .as("a second time")
                    .isEmpty();
        }
        List<String> told = new ArrayList<>();

        installation("shop.example").remove(told::add);

        assertThat(Files.readString(config())).isEqualTo(before);
        assertThat(Files.readString(site())).isEqualTo(siteBefore);
        assertThat(told).isEmpty();
        for (String left : List.of("etc", "nginx/conf.d", "nginx/snippets", "nginx/sites-available")) {
            assertThat(folder.resolve(left)).isEmptyDirectory();
        }
        assertThat(folder.resolve("nginx/sites-enabled")).isDirectoryNotContaining("glob:**/retier");
    }

    @Test
    void shouldPutItsLineIntoEachBlock_whenAFileHasSeveral() throws Exception {
        String both = """
                server {
                    listen %s;
                    server_name shop.example;
                    client_max_body_size 1m;
                }
                server {
                    listen %s;
                    server_name www.shop.example;
                    client_max_body_size 2m;
                }
                """.formatted(address, other);
        Files.writeString(site(), both);
        Installation installation = installation("shop.example, www.shop.example");
        installation.install(installation.plan(), null);
        String line = "\t# By retier install:\n\tinclude " + folder + "/nginx/snippets/retier.conf;\n}\n";
        assertThat(site()).content().isEqualTo(both.replace("}\n", line));
    }

    @Test
    void shouldSayWhatToDo_whenALocationIsInTheWay() {
        assertThatThrownBy(() -> installation("").plan())
                .as("without hosts it is the default site")
                .hasMessageContaining("sites-enabled/default")
                .hasMessageContaining("in place of it");
    }

    @Test
    void shouldSayWhatToDo_whenTheSiteRedirectsAll() throws IOException {
        Files.writeString(site(), """
                server {
                    listen %s;
                    server_name shop.example;
                    return 301 https://shop.example$request_uri;
                }
                """.formatted(address));

        assertThatThrownBy(() -> installation("shop.example").plan())
                .hasMessageContaining("sites-enabled/shop: the server block shop.example has a \"return\"")
                .hasMessageContaining("proxy_pass http://retier-apps;");
    }

    @Test
    void shouldKeepTheNamesOfItsOwnServer_whenThereAreMore() throws Exception {
        Installation first = installation("one.example");
        first.install(first.plan(), null);
        Installation second = installation("one.example, two.example");
        second.install(second.plan(), null);

        assertThat(folder.resolve("nginx/sites-available/retier"))
                .content()
                .contains("server_name one.example two.example;")
                .contains("listen " + address.port() + ";", "listen " + address + ";");

        Files.writeString(folder.resolve("nginx/sites-available/retier"), "# mine\n", StandardOpenOption.APPEND);
        second.remove(_ -> {});
        assertThat(folder.resolve("nginx/sites-available")).isEmptyDirectory();
    }

    @Test
    void shouldTakeAnIncludeOfTheOperators_writtenAsNginxLetsThem() throws Exception {
        Files.writeString(site(), """
                server {
                    listen %s;
                    server_name shop.example;
                    include  snippets/retier.conf ; # relative to the main file
                }
                """.formatted(address));
        Files.writeString(folder.resolve("nginx/snippets/retier.conf"), "");

        assertThat(installation("shop.example").plan())
                .noneMatch(edit -> edit.file().equals(site()));
    }

    @Test
    void shouldWriteAServerOfItsOwn_whenNoneIsThere() throws Exception {
        Files.delete(folder.resolve("nginx/sites-enabled/default"));
        Files.delete(site());

        Installation installation = installation("");
        installation.install(installation.plan(), null);

        assertThat(folder.resolve("nginx/sites-enabled/retier"))
                .content()
                .contains("\tlisten " + address.port() + " default_server;\n\tserver_name _;\n");
    }

    @Test
    void shouldTakeOutItsLinesAlone_whenSomebodyHasChangedAFile() throws Exception {
        InstallChecks.onlyItsLinesGo(installation("shop.example"), site(), site());
        InstallChecks.onlyItsLinesGo(installation("shop.example"), config(), config());
    }

    @Test
    void shouldLeaveAllAsItWas_whenTheCheckerRefusesTheWhole() throws Exception {
        // Read after the site's name is: nginx does not take a second one.
        Files.writeString(
                folder.resolve("nginx/conf.d/upstream.conf"), "upstream retier-apps { server 127.0.0.1:9; }\n");
        String before = Files.readString(config());

        InstallChecks.isRefused(installation("shop.example"), "duplicate upstream \"retier-apps\"");

        assertThat(Files.readString(config())).isEqualTo(before);
        assertThat(folder.resolve("etc")).isEmptyDirectory();
    }

    @Test
    void shouldSayWhatToDo_whenItIsNotLaidOutAsDebians() throws IOException {
        Files.delete(folder.resolve("nginx/snippets"));
        assertThatThrownBy(() -> installation("shop.example").plan())
                .hasMessageContaining("include " + folder + "/etc/retier.conf;")
                .hasMessageContaining("stub_status;")
                .hasMessageContaining("proxy_pass http://retier-apps;");
    }
}
