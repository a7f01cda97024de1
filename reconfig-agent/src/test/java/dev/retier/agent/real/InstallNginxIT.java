package dev.retier.agent.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.doctor.Doctor;
import dev.retier.agent.files.ClusterLines;
import dev.retier.agent.install.Edit;
import dev.retier.agent.install.Installation;
import dev.retier.agent.server.HttpFetch;
import dev.retier.agent.status.Finding;
import dev.retier.config.HostPort;
import dev.retier.link.NodeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Into Debian's nginx as it is packaged, with a site that an administrator has added, and out of it again. */
class InstallNginxIT {
    @TempDir
    private Path folder = Path.of("");

    private DebianNginx machine;

    @BeforeEach
    void copyDebian() throws IOException {
        machine = DebianNginx.in(folder, "[proxy]");
        Files.writeString(machine.site(), """
                # Mine.
                server {
                    listen %s;
                    listen %s; # "the other one" { is }
                    server_name .Shop.example;
                    add_header Strict-Transport-Security "max-age=300" always;
                    location /old { return 302 /new; }
                }
                """.formatted(machine.address, machine.other));
    }

    @AfterEach
    void end() {
        machine.close();
    }

    private Path config() {
        return machine.config();
    }

    private Path site() {
        return machine.site();
    }

    private Installation installation(String hosts) {
        return machine.installation(hosts);
    }

    @Test
    void shouldMakeItAProxyOfItsSitesAlone_andRestoreEachByte() throws Exception {
        String before = Files.readString(config());
        String siteBefore = Files.readString(site());
        try (StubApp app = new StubApp("this is web-2")) {
            Installation installation = machine.installation(app.address(), "shop.example, new.example");
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
            machine.start();

            for (HostPort where : List.of(machine.address, machine.other)) {
                HttpFetch.Answer answer = DebianNginx.asked(where, "www.shop.example", "/x");
                assertThat(answer.body()).isEqualTo("this is web-2");
                assertThat(answer.headers()).containsKeys("x-retier-epoch", "strict-transport-security");
            }
            assertThat(DebianNginx.asked(machine.address, "new.example", "/x").body())
                    .isEqualTo("this is web-2");
            assertThat(DebianNginx.asked(machine.address, "shop.example", "/old")
                            .status())
                    .isEqualTo(302);
            assertThat(DebianNginx.asked(machine.address, "shop.example", "/.retier/status")
                            .status())
                    .isEqualTo(403);
            assertThat(DebianNginx.asked(machine.address, "other.example", "/x").status())
                    .as("of the default site")
                    .isEqualTo(404);
            ClusterConfig cluster = machine.cluster(app.address(), "shop.example, new.example");
            assertThat(new Doctor(cluster, cluster.node(new NodeId(1)), ClusterLines.none())
                            .findings().stream().filter(Finding::isBad))
                    .isEmpty();
            assertThat(machine.installation(app.address(), "shop.example, new.example")
                            .plan())
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
                """.formatted(machine.address, machine.other);
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
                """.formatted(machine.address));

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
                .contains("listen " + machine.address.port() + ";", "listen " + machine.address + ";");

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
                """.formatted(machine.address));
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
                .contains("\tlisten " + machine.address.port() + " default_server;\n\tserver_name _;\n");
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
