package dev.retier.agent.render;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.SHOP;
import static dev.retier.agent.fixture.Clusters.known;
import static dev.retier.agent.fixture.Clusters.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.EdgeConfig;
import dev.retier.agent.config.EdgeKind;
import dev.retier.agent.config.MainProcess;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerControl;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.config.HostPort;
import dev.retier.link.NodeId;
import dev.retier.state.LoadRecord;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Every generated file, against the file that was reviewed; {@code -Drender.rewrite=true} writes them anew. */
class GeneratedFilesTest {
    private static final Path GOLDEN = Path.of("src/test/resources/render");
    private static final ClusterView VIEW = view(known(1, PROXY), known(2, PROXY), known(3, APP), known(4, PROXY));

    private static ServerConfig server(int id, ServerKind kind) {
        ServerControl control = new ServerControl(
                Path.of("/etc/server/main.conf"),
                new MainProcess.InFile(Path.of("/run/server.pid")),
                kind == ServerKind.HTTPD ? "/counts" : "/.retier/status",
                null,
                null,
                ServerControl.Commands.usual(kind, kind.word()),
                ServerControl.Limits.DEFAULTS,
                List.of());
        HostPort address = new HostPort("10.0.0." + id, 80);
        return new ServerConfig(
                kind,
                address,
                address,
                Path.of("/etc/retier/retier.conf"),
                "/static/retier-proof",
                control,
                kind.tiers());
    }

    /** Node 1 is of that kind, the others are httpd. */
    private static ClusterConfig cluster(ServerKind kind) {
        return Clusters.config(IntStream.rangeClosed(1, 4)
                .mapToObj(id -> new NodeConfig(
                        new NodeId(id),
                        "node-" + id,
                        new HostPort("10.0.0." + id, 9_000),
                        server(id, id == 1 ? kind : ServerKind.HTTPD),
                        null,
                        new HostPort("127.0.0.1", 0),
                        id <= 2 ? PROXY : APP))
                .toList());
    }

    /** Of the first node, with the built-in templates. */
    private static NodeFiles files(ClusterConfig config) {
        return NodeFiles.of(config, config.nodes().getFirst(), server -> BuiltInTemplates.of(server.kind()));
    }

    private static Rendering render(ServerKind kind, ClusterView seen, Role role, long stamp) {
        ClusterConfig config = cluster(kind);
        return files(config).render(seen, role, stamp).orElseThrow();
    }

    private static Rendering edge(EdgeKind kind, ServerKind serverKind, HostPort... targets) {
        ServerConfig server = server(9, serverKind);
        EdgeConfig edge = new EdgeConfig("edge-1", SHOP, kind, server.roleFile(), server);
        return new EdgeFiles(cluster(ServerKind.HTTPD), edge, server, BuiltInTemplates.of(serverKind))
                .render(new TargetList(12, "shop", List.of(targets)))
                .orElseThrow();
    }

    private static void assertGolden(String name, Rendering rendering) throws IOException {
        Path file = GOLDEN.resolve(name);
        if (Boolean.getBoolean("render.rewrite")) {
            Files.createDirectories(GOLDEN);
            Files.writeString(file, rendering.content());
        }
        assertThat(rendering.content()).isEqualTo(Files.readString(file));
    }

    @Test
    void shouldRenderHttpd_inEveryRole() throws IOException {
        assertGolden("httpd-proxy.conf", render(ServerKind.HTTPD, VIEW, PROXY, 12));
        assertGolden("httpd-app.conf", render(ServerKind.HTTPD, VIEW, APP, 12));
        assertGolden("httpd-spare.conf", render(ServerKind.HTTPD, VIEW, Role.SPARE, 12));
    }

    /** The least is of the proxy's own machine; beyond a hundred times that, httpd takes no factor. */
    @Test
    void shouldGiveHttpdLoadFactors_byWhatMachinesCanDo() throws IOException {
        ClusterView unequal = view(able(1, PROXY, 1_000), able(2, PROXY, 0), able(3, APP, 2_500), able(4, APP, 1e6));
        Rendering rendering = render(ServerKind.HTTPD, unequal, PROXY, 12);
        assertThat(rendering.members().stream().map(Member::weight)).containsExactly(Member.UNKNOWN, 250, Member.MOST);
        assertGolden("httpd-proxy-unequal.conf", rendering);
    }

    @Test
    void shouldGiveHaproxyWeights_byWhatMachinesCanDo() throws IOException {
        ClusterView unequal = view(able(1, PROXY, 0), able(2, APP, 0), able(3, APP, 2_500), able(4, APP, 1_000));
        assertGolden("haproxy-proxy-unequal.cfg", render(ServerKind.HAPROXY, unequal, PROXY, 12));
        ClusterView extreme = view(able(1, PROXY, 0), able(2, APP, 1), able(3, APP, 2_500), able(4, APP, 1e9));
        assertThat(render(ServerKind.HAPROXY, extreme, PROXY, 12).members().stream()
                        .map(member -> member.of256(
                                render(ServerKind.HAPROXY, extreme, PROXY, 12).members())))
                .containsExactly(3, 256, 256);
    }

    private static NodeView able(int id, Role role, double unitsPerSecond) {
        return new NodeView.Known(
                new NodeId(id),
                RoleWord.active(0, 0, role),
                new LoadRecord(0, LoadRecord.Health.UP, 0, 0, 0, 0, 0, unitsPerSecond, 0));
    }

    /** It has no use for what only an app's configuration asks for, and each map costs a reload its time. */
    @Test
    void shouldSayLess_ofAnNginxThatIsAlwaysAProxy() throws IOException {
        ClusterConfig config = cluster(ServerKind.NGINX);
        ServerConfig all = server(1, ServerKind.NGINX);
        ServerConfig alone = new ServerConfig(
                all.kind(),
                all.address(),
                all.admin(),
                all.roleFile(),
                all.provePath(),
                all.control(),
                Set.of(Tier.PROXY));
        List<Member> apps = List.of(new Member("node-3", new HostPort("10.0.0.3", 80), true, Member.UNKNOWN));
        TemplateFiles files = new TemplateFiles(config, "node-1", alone, BuiltInTemplates.of(ServerKind.NGINX));

        assertGolden("nginx-proxy-alone.conf", files.render(new TemplateFiles.Model(12, "proxy", "shop", apps)));
    }

    @Test
    void shouldRenderNginxAndHaproxy_inEveryRole() throws IOException {
        assertGolden("nginx-proxy.conf", render(ServerKind.NGINX, VIEW, PROXY, 12));
        assertGolden("nginx-app.conf", render(ServerKind.NGINX, VIEW, APP, 12));
        assertGolden("nginx-spare.conf", render(ServerKind.NGINX, VIEW, Role.SPARE, 12));
        assertGolden("haproxy-proxy.cfg", render(ServerKind.HAPROXY, VIEW, PROXY, 12));
        assertGolden("haproxy-spare.cfg", render(ServerKind.HAPROXY, VIEW, Role.SPARE, 12));
    }

    @Test
    void shouldLetHaproxyStartNodesSlowly_whenAskedTo() {
        ClusterConfig base = cluster(ServerKind.HAPROXY);
        ClusterConfig slow = new ClusterConfig(
                base.name(),
                base.mode(),
                base.transport(),
                base.secret(),
                base.journalDirectory(),
                base.timing(),
                base.decision(),
                base.move().withSlowStart(Duration.ofSeconds(4)),
                base.sites(),
                base.nodes(),
                base.witnesses(),
                base.edges(),
                base.formerHandshake(),
                base.volumes(),
                base.admin(),
                base.rdmaTls());
        assertThat(files(slow).render(VIEW, PROXY, 12).orElseThrow().content()).contains("rise 1 slowstart 4000");
    }

    @Test
    void shouldRenderEdges() throws IOException {
        HostPort second = new HostPort("10.0.0.2", 80);
        assertGolden("nginx-edge.conf", edge(EdgeKind.NGINX, ServerKind.NGINX, second));
        assertGolden("haproxy-edge.cfg", edge(EdgeKind.HAPROXY, ServerKind.HAPROXY, second));
    }

    @Test
    void shouldRenderNothing_whenThereIsNobodyToSendTo() {
        ClusterConfig config = cluster(ServerKind.HTTPD);
        NodeFiles files = files(config);
        assertThat(files.render(view(known(1, PROXY), known(2, PROXY)), PROXY, 12))
                .isEmpty();
        ServerConfig server = server(9, ServerKind.HAPROXY);
        EdgeConfig edge = new EdgeConfig("edge-1", SHOP, EdgeKind.HAPROXY, server.roleFile(), server);
        EdgeFiles edges = new EdgeFiles(config, edge, server, BuiltInTemplates.of(ServerKind.HAPROXY));
        assertThat(edges.render(new TargetList(12, "shop", List.of()))).isEmpty();
        assertThat(edges.render(new TargetList(12, "shop", List.of(new HostPort("10.9.9.9", 80)))))
                .as("no node of the cluster")
                .isEmpty();
    }

    @Test
    void shouldRenderNothing_whenItsKindCannotServeTheRole() {
        ClusterConfig config = cluster(ServerKind.HAPROXY);
        assertThat(files(config).render(VIEW, APP, 12)).isEmpty();
    }

    @Test
    void shouldKeepTheStructure_whenOnlyStampOrMembersChange() {
        ClusterView other = view(known(1, PROXY), known(2, PROXY), known(3, PROXY), known(4, APP));
        Rendering before = render(ServerKind.HTTPD, VIEW, PROXY, 12);
        assertThat(render(ServerKind.HTTPD, other, PROXY, 14).structure()).isEqualTo(before.structure());
        assertThat(render(ServerKind.HTTPD, VIEW, APP, 12).structure())
                .as("another role takes no reload")
                .isEqualTo(before.structure());
        Rendering haproxy = render(ServerKind.HAPROXY, VIEW, PROXY, 12);
        assertThat(render(ServerKind.HAPROXY, VIEW, Role.SPARE, 14).structure()).isEqualTo(haproxy.structure());
        Rendering nginx = render(ServerKind.NGINX, VIEW, PROXY, 12);
        assertThat(render(ServerKind.NGINX, VIEW, PROXY, 14).structure()).isEqualTo(nginx.structure());
        assertThat(render(ServerKind.NGINX, other, PROXY, 12).structure())
                .as("nginx changes members by reload alone")
                .isNotEqualTo(nginx.structure());
        assertThat(render(ServerKind.NGINX, VIEW, APP, 12).structure())
                .as("and its role")
                .isNotEqualTo(nginx.structure());
    }

    @Test
    void shouldBeReadBack_whenWritten() {
        Rendering rendering = render(ServerKind.HTTPD, VIEW, PROXY, 12);
        assertThat(Rendering.Mark.ofFile(rendering.content())).contains(rendering.mark());
        assertThat(Rendering.roleOf(rendering.content())).contains("proxy");
        assertThat(Rendering.Mark.ofFile("# stamp 12, structure 091547cd\n"))
                .as("of the version before")
                .contains(new Rendering.Mark(12, "091547cd"));
        assertThat(Rendering.Mark.ofHeader(rendering.mark().toString())).contains(rendering.mark());
        assertThat(Rendering.Mark.ofHeader("12")).contains(new Rendering.Mark(12, ""));
        assertThat(Rendering.Mark.ofHeader("12-xyz")).isEmpty();
        assertThat(Rendering.Mark.ofFile("Listen 80")).isEmpty();
    }

    @Test
    void shouldFindHazards_inNoBuiltInFileButInAForeignLine() {
        for (ServerKind kind : List.of(ServerKind.HTTPD, ServerKind.NGINX, ServerKind.HAPROXY)) {
            String content = render(kind, VIEW, PROXY, 12).content();
            assertThat(TemplateFiles.hazardIn(kind, content)).isEmpty();
            String bad = kind == ServerKind.HAPROXY ? "  bind :81\n" : "  listen 81\n";
            assertThat(TemplateFiles.hazardIn(kind, content + bad)).isPresent();
        }
        assertThat(TemplateFiles.hazardIn(ServerKind.HTTPD, "LoadModule mpm_worker_module x.so"))
                .hasValueSatisfying(why -> assertThat(why).contains("MPM"));
    }
}
