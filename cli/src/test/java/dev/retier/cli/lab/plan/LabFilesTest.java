package dev.retier.cli.lab.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.Mode;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.config.SiteConfig;
import dev.retier.config.HostPort;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LabFilesTest {
    private static final LabServers SERVERS = new LabServers(
            "/usr/sbin/apache2", "/usr/lib/apache2", "/usr/sbin/haproxy", "/usr/sbin/nginx", "www-data", "www-data");

    static final LabSites ONE = new LabSites(0, 0, 0);

    static LabSettings settings() {
        return settings(0, 0, ONE);
    }

    private static LabSettings settings(int haproxies, int nginxes, LabSites sites) {
        return new LabSettings(
                5 + sites.newsProxies() + sites.newsApps(),
                haproxies,
                nginxes,
                2,
                2,
                sites,
                10,
                Duration.ofMillis(100),
                Duration.ofMillis(2),
                4096,
                "recommend",
                Placement.OUTSIDE,
                Duration.ofMillis(200),
                Duration.ofMillis(700));
    }

    @Test
    void shouldMakeAClusterFileThatAgentsAccept() {
        Map<String, String> files = LabFiles.configurations(settings(), SERVERS, Map.of());

        ClusterConfig cluster = ClusterConfig.parse(String.valueOf(files.get(LabFiles.CLUSTER)), LabFiles.CLUSTER);

        assertThat(cluster.mode()).isEqualTo(Mode.RECOMMEND);
        assertThat(cluster.timing().sensitivity()).isEqualTo(Duration.ofMillis(200));
        assertThat(cluster.decision().takeHistory()).isEqualTo(Duration.ofMillis(700));
        assertThat(cluster.nodes())
                .hasSize(5)
                .filteredOn(node -> node.initialRole().equals(Role.serving(new SiteId(1), Tier.PROXY)))
                .hasSize(2);
        assertThat(cluster.nodes().getLast().server().address()).isEqualTo(new HostPort("10.77.0.5", 80));
        assertThat(cluster.edgeNamed("front")).isPresent();
    }

    @Test
    void shouldMakeTheLastNodesSparesWithNginxAndHaproxy() {
        LabSettings settings = settings(1, 1, ONE);
        Map<String, String> files = LabFiles.configurations(
                settings, SERVERS, Map.of("httpd.conf", "httpd", "nginx.conf", "@HOME@", "proxy.cfg", "@NODE@"));

        ClusterConfig cluster = ClusterConfig.parse(String.valueOf(files.get(LabFiles.CLUSTER)), LabFiles.CLUSTER);

        assertThat(cluster.sites().getFirst().proxy().min()).isEqualTo(2);
        assertThat(cluster.nodes())
                .extracting(node -> node.server().kind())
                .containsExactly(
                        ServerKind.HTTPD, ServerKind.HTTPD, ServerKind.HTTPD, ServerKind.NGINX, ServerKind.HAPROXY);
        assertThat(cluster.nodes().get(3).tiers()).as("it has no content").containsExactly(Tier.PROXY);
        NodeConfig last = cluster.nodes().getLast();
        assertThat(last.initialRole()).isEqualTo(Role.SPARE);
        assertThat(last.server().roleFile())
                .isEqualTo(LabFiles.generated(settings, 5))
                .hasFileName("retier.cfg");
        assertThat(files)
                .containsEntry("node-3/httpd.conf", "httpd")
                .containsEntry("node-4/nginx.conf", "/run/retier-lab/node-4")
                .containsEntry("node-5/proxy.cfg", "node-5")
                .doesNotContainKey("node-4/httpd.conf");
    }

    @Test
    void shouldMakeASecondSiteOfTheLastNodesWithHttpd() {
        Map<String, String> files = LabFiles.configurations(
                settings(1, 1, new LabSites(300, 2, 1)),
                SERVERS,
                Map.of(LabFiles.EDGE_FILE, "shop at @HOME@\n", LabFiles.EDGE_OF_NEWS, "news at @HOME@\n"));

        ClusterConfig cluster = ClusterConfig.parse(String.valueOf(files.get(LabFiles.CLUSTER)), LabFiles.CLUSTER);

        assertThat(cluster.sites()).extracting(SiteConfig::name).containsExactly("shop", "news");
        assertThat(cluster.sites()).extracting(SiteConfig::priority).containsExactly(1, 2);
        assertThat(cluster.sites())
                .extracting(SiteConfig::guaranteeRequestsPerSecond)
                .containsExactly(300.0, null);
        Role shopApp = Role.serving(new SiteId(1), Tier.APP);
        Role newsProxy = Role.serving(new SiteId(2), Tier.PROXY);
        assertThat(cluster.nodes())
                .extracting(NodeConfig::initialRole)
                .endsWith(shopApp, newsProxy, newsProxy, Role.serving(new SiteId(2), Tier.APP), Role.SPARE, Role.SPARE);
        assertThat(cluster.edgeNamed("front-news")).hasValueSatisfying(edge -> {
            assertThat(edge.site()).isEqualTo(new SiteId(2));
            assertThat(edge.server()).extracting(ServerConfig::address).isEqualTo(new HostPort("127.0.0.1", 8001));
            assertThat(edge.file()).hasFileName("retier-news.cfg");
        });
        assertThat(files)
                .containsEntry("edge/edge.cfg", "shop at /run/retier-lab/edge\nnews at /run/retier-lab/edge\n");
    }

    @Test
    void shouldFillEveryPlace() {
        Map<String, String> files = LabFiles.configurations(
                settings(),
                SERVERS,
                Map.of("httpd.conf", "@HOME@ @WWW@ @NODE@ @MODULES@ @USER@ @GROUP@", LabFiles.EDGE_FILE, "@HOME@"));

        assertThat(files)
                .containsEntry(
                        "node-5/httpd.conf",
                        "/run/retier-lab/node-5 /run/retier-lab/www node-5 /usr/lib/apache2 www-data www-data")
                .containsEntry("edge/edge.cfg", "/run/retier-lab/edge");
    }

    @Test
    void shouldMakeTheSameContentEachTime_andOtherContentForEachFile() {
        Map<String, String> content = LabFiles.content(settings());

        assertThat(content).isEqualTo(LabFiles.content(settings()));
        String first = String.valueOf(content.get("www/static/o0"));
        assertThat(first.getBytes(StandardCharsets.US_ASCII)).hasSize(4096);
        assertThat(content.get("www/static/o1")).isNotEqualTo(first);
    }
}
