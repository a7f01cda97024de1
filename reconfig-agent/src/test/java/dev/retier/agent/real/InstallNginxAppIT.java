package dev.retier.agent.real;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.doctor.Doctor;
import dev.retier.agent.files.ClusterLines;
import dev.retier.agent.install.Edit;
import dev.retier.agent.install.Installation;
import dev.retier.agent.server.HttpFetch;
import dev.retier.agent.server.ManagedServer;
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

/** Into Debian's nginx with a site of PHP-FPM, which is to be proxy and app, and out of it again. */
class InstallNginxAppIT {
    private static final String REDIRECT = "    return 301 https://shop.example$request_uri;\n";

    /** As its administrators have a site; {@code @MORE@} stands in the server block of its name. */
    private static final String SITE = """
            # To the one name.
            server {
                listen @OTHER@;
                server_name shop.example;
                return 301 http://shop.example:@PORT@$request_uri;
            }
            server {
                listen @ADDRESS@;
                server_name shop.example www.shop.example;
                root @ROOT@;
                index index.php index.html;
                rewrite ^/former/(.*)$ /$1 last;
                location / {
                    try_files $uri $uri/ =404;
                }
                location ~* \\.(css|js)$ {
                    expires 30d;
                    add_header Cache-Control public;
                }
                location ~ \\.php$ {
                    fastcgi_pass unix:@SOCKET@;
                    include fastcgi.conf;
                }
            @MORE@}
            server {
                listen @ADDRESS@;
                server_name console.shop.example;
                # retier: leave
                return 200 "the console";
            }
            """;

    @TempDir
    private Path folder = Path.of("");

    private final Installations installed = new Installations();
    private DebianNginx machine;
    private PhpFpm php;

    @BeforeEach
    void setUp() throws IOException, InterruptedException {
        machine = DebianNginx.in(folder, "[proxy, app]");
        php = PhpFpm.start(folder.resolve("php"));
        Files.createDirectories(folder.resolve("www/static"));
        PhpFpm.write(folder.resolve("www"), "web-1");
        Files.writeString(folder.resolve("www/static/retier-proof"), "the shop");
        Files.writeString(folder.resolve("www/page.css"), "/* of web-1 */");
        write("");
    }

    private void write(String more) throws IOException {
        Files.writeString(
                machine.site(),
                SITE.replace("@MORE@", more)
                        .replace("@ADDRESS@", machine.address.toString())
                        .replace("@PORT@", String.valueOf(machine.address.port()))
                        .replace("@OTHER@", machine.other.toString())
                        .replace("@ROOT@", folder.resolve("www").toString())
                        .replace("@SOCKET@", php.socket().toString()));
    }

    @AfterEach
    void end() {
        machine.close();
        php.close();
    }

    private static String body(HostPort where, String host, String path) throws IOException {
        return DebianNginx.asked(where, host, path).body();
    }

    private Path fastcgi() {
        return folder.resolve("nginx/fastcgi.conf");
    }

    private List<Finding> bad(ClusterConfig cluster) throws InterruptedException {
        return new Doctor(cluster, cluster.node(new NodeId(1)), ClusterLines.none())
                .findings().stream().filter(Finding::isBad).toList();
    }

    @Test
    void shouldMakeItProxyAndAppOfItsSites_andRestoreEachByte() throws Exception {
        List<Path> touched = List.of(machine.config(), machine.site(), fastcgi());
        List<String> before = new ArrayList<>();
        for (Path file : touched) {
            before.add(Files.readString(file));
        }
        String hosts = "shop.example, www.shop.example";
        try (StubApp app = new StubApp("this is web-2")) {
            Installation installation = machine.installation(app.address(), hosts);
            List<Edit> edits = installation.plan();
            assertThat(edits).extracting(Edit::file).containsAll(touched);
            assertThat(machine.site()).as("a plan changes nothing").hasContent(before.get(1));
            installation.install(edits, null);
            machine.start();
            ClusterConfig cluster = machine.cluster(app.address(), hosts);
            assertThat(machine.installation(app.address(), hosts).plan())
                    .as("a second time")
                    .isEmpty();

            for (String path : List.of("/app.php", "/page.css", "/static/retier-proof", "/former/app.php")) {
                assertThat(body(machine.address, "www.shop.example", path)).isEqualTo("this is web-2");
            }
            assertThat(DebianNginx.asked(machine.other, "shop.example", "/x").status())
                    .as("what only redirects is left alone")
                    .isEqualTo(301);
            assertThat(body(machine.address, "console.shop.example", "/x")).isEqualTo("the console");
            assertThat(bad(cluster)).isEmpty();
            takesBothRoles(cluster);
        }
        List<String> told = new ArrayList<>();

        machine.installation(hosts).remove(told::add);

        assertThat(told).isEmpty();
        for (int i = 0; i < before.size(); i++) {
            assertThat(Files.readString(touched.get(i))).isEqualTo(before.get(i));
        }
        for (String left : List.of("etc", "nginx/conf.d", "nginx/snippets", "nginx/sites-available")) {
            assertThat(folder.resolve(left)).isEmptyDirectory();
        }
    }

    private void takesBothRoles(ClusterConfig cluster) throws IOException {
        ServerConfig server = cluster.node(new NodeId(1)).server();
        try (ManagedServer managed = installed.open(server)) {
            RealNodes.install(managed, RealNodes.file(cluster, 1, APP, 4, List.of()));
            assertThat(body(machine.address, "shop.example", "/former/app.php"))
                    .startsWith("this is web-1 by PHP: GET /former/app.php https= ");
            try (HttpFetch fetch = new HttpFetch(machine.address, "shop.example")) {
                assertThat(fetch.getSaying("/app.php", "X-Retier-Hop", "test\r\nX-Retier-Tls: on", RealNodes.PATIENCE)
                                .body())
                        .as("what is packaged tells PHP of TLS at the proxy")
                        .contains("https=on");
            }
            RealNodes.install(managed, RealNodes.file(cluster, 1, PROXY, 6, List.of(2)));
            assertThat(body(machine.address, "shop.example", "/app.php")).isEqualTo("this is web-2");
        }
    }

    @Test
    void shouldSayWhatToDo_whenABlockCannotBeBoth() throws IOException {
        write(REDIRECT);
        assertThatThrownBy(() -> machine.installation("shop.example").plan())
                .hasMessageContaining("the server block shop.example www.shop.example has a \"return\"")
                .hasMessageContaining("if ($retier_https = \"\") { return 301 https://$host$request_uri; }");
        write("    location /shop { proxy_pass http://retier-apps; }\n");
        Files.writeString(folder.resolve("nginx/conf.d/apps.conf"), "upstream retier-apps { server 127.0.0.1:9; }\n");
        assertThatThrownBy(() -> machine.installation("shop.example").plan())
                .hasMessageContaining("sends to http://retier-apps by a line of its own")
                .hasMessageContaining("tiers: [proxy]");
        write("");
        assertThatThrownBy(
                        () -> machine.installation("shop.example, new.example").plan())
                .hasMessageContaining(
                        "no server block of nginx has the name new.example at port " + machine.address.port());
    }

    /** A generated file that is there is the agent's, and stays. */
    @Test
    void shouldSayWhatComesFirst_whenTheNodeWasAlwaysAProxyBefore() throws IOException {
        Files.createDirectories(folder.resolve("etc"));
        Files.writeString(folder.resolve("etc/retier.conf"), "upstream retier-apps { server 127.0.0.1:9; }\n");
        assertThatThrownBy(() -> machine.installation("shop.example").plan())
                .hasMessageContaining("let the agent write it anew first");
    }

    @Test
    void shouldPutEachLineInItsPlace_whenTheSiteIsInTheMainFile() throws Exception {
        String site = Files.readString(machine.site());
        Files.delete(machine.site());
        String before = Files.readString(machine.config());
        Files.writeString(machine.config(), before.replace("include " + folder + "/nginx/sites-enabled/*;", site));
        Installation installation = machine.installation("shop.example");

        installation.install(installation.plan(), null);

        assertThat(machine.config())
                .content()
                .contains("http {\n\t# By retier install:\n\tinclude " + folder + "/etc/retier.conf;\n")
                .contains("server {\n\t# By retier install:\n\tinclude " + folder + "/nginx/snippets/retier.conf;\n"
                        + "    listen " + machine.address + ";\n    server_name shop.example");
    }

    @Test
    void shouldFindWhatIsMissing_whenALocationOrABlockIsOfItsOwn() throws Exception {
        write("    location ^~ /static/ { add_header X-Mine 1; }\n");
        try (StubApp app = new StubApp("this is web-2")) {
            Installation installation = machine.installation(app.address(), "shop.example");
            installation.install(installation.plan(), null);
            machine.start();
            ClusterConfig cluster = machine.cluster(app.address(), "shop.example");
            assertThat(bad(cluster)).extracting(Finding::check).containsExactly("header");
            Files.writeString(
                    machine.site(), Files.readString(machine.site()).replaceAll("\t# By retier install:\n.*\n", ""));
            assertThat(bad(cluster)).extracting(Finding::check).contains("server-blocks");
        }
    }

    @Test
    void shouldTakeOutItsLinesAlone_whenSomebodyHasChangedAFile() throws Exception {
        for (Path file : List.of(machine.site(), fastcgi())) {
            InstallChecks.onlyItsLinesGo(machine.installation("shop.example"), file, file);
        }
        Installation installation = machine.installation("shop.example");
        installation.install(installation.plan(), null);
        Files.writeString(fastcgi(), "# mine\n", StandardOpenOption.APPEND);
        installation.remove(_ -> {});
        assertThat(fastcgi()).content().contains("# mine", "$https").doesNotContain("retier");
    }
}
