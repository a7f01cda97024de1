package dev.retier.agent.real;

import static dev.retier.agent.fixture.Clusters.PROXY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.apply.AtomicFile;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.real.RealInstance.Options;
import dev.retier.agent.render.BuiltInTemplates;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.server.ServerExamination;
import dev.retier.agent.status.Finding;
import dev.retier.link.NodeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is found at HAProxy and nginx as proxies: nothing where all is well, else what is broken. */
class ProxyExaminationIT {
    @TempDir
    private Path folder = Path.of("");

    private static final String OWN_MEMBERS = Matcher.quoteReplacement(BuiltInTemplates.NGINX_UPGRADE
            + "upstream retier-apps { server 127.0.0.1:9; } map \"\" $retier_epoch { default 1; }");

    private interface Step {
        void go() throws Exception;
    }

    private static List<Finding> bad(ClusterConfig config, Rendering file) throws InterruptedException {
        return new ServerExamination(
                        config,
                        config.node(new NodeId(1)),
                        config.node(new NodeId(1)).server(),
                        key -> key)
                .findings(Optional.of(file)).stream().filter(Finding::isBad).toList();
    }

    private static void edit(RealInstance server, String pattern, String replacement) throws IOException {
        String before = Files.readString(server.config());
        String after = before.replaceAll(pattern, replacement);
        assertThat(after).isNotEqualTo(before);
        Files.writeString(server.config(), after);
    }

    /** The first bad finding of a server after a change that was made before it was started, or none. */
    private static String found(RealInstance server, Step before) throws Exception {
        try (server;
                StubApp app = new StubApp("this is node-2")) {
            ClusterConfig config = RealNodes.cluster(server.server(), app.server());
            Rendering file = RealNodes.file(config, 1, PROXY, 2, List.of(2));
            RealNodes.writeFirst(config, 1, file);
            before.go();
            server.start();
            List<Finding> bad = bad(config, file);
            return bad.isEmpty() ? "" : bad.getFirst().check();
        }
    }

    private RealInstance haproxy() {
        return RealInstance.haproxy(folder, "proxy.cfg", Options.USUAL);
    }

    private RealInstance nginx() {
        return RealInstance.nginx(folder, "proxy.conf", Options.USUAL);
    }

    @Test
    void shouldFindNothing_whenHaproxyIsWell() throws Exception {
        assertThat(found(haproxy(), () -> {})).isEmpty();
    }

    @Test
    void shouldFindTheSocket_whenHaproxyLetsNobodyChangeAnything() throws Exception {
        RealInstance server = haproxy();

        assertThat(found(server, () -> edit(server, "level admin", "level operator")))
                .isEqualTo("status");
    }

    @Test
    void shouldFindTheHeader_whenHaproxyDoesNotSayWhatItRuns() throws Exception {
        RealInstance server = haproxy();

        assertThat(found(server, () -> edit(server, ".*set-header X-Retier-Epoch.*\n", "")))
                .isEqualTo("proof");
    }

    @Test
    void shouldFindTheMember_whenHaproxyRunsAnEarlierFile() throws Exception {
        try (RealInstance server = haproxy();
                StubApp app = new StubApp("this is node-2");
                StubApp other = new StubApp("this is node-3")) {
            ClusterConfig before = RealNodes.cluster(server.server(), app.server());
            RealNodes.writeFirst(before, 1, RealNodes.file(before, 1, PROXY, 2, List.of(2)));
            server.start();
            ClusterConfig config = RealNodes.cluster(server.server(), app.server(), other.server());

            List<Finding> bad = bad(config, RealNodes.file(config, 1, PROXY, 2, List.of(2)));

            assertThat(bad).extracting(Finding::check).containsExactly("members");
            assertThat(bad.getFirst().detail()).contains("node-3");
        }
    }

    @Test
    void shouldFindNothing_whenNginxIsWell() throws Exception {
        assertThat(found(nginx(), () -> {})).isEmpty();
    }

    /** Its main file is checked as a copy of another name, which is gone afterwards, also where a check was killed. */
    @Test
    void shouldLeaveNoCopy_whenNginxIsChecked() throws Exception {
        RealInstance server = nginx();
        Path beside = AtomicFile.parent(server.config());
        String name = "." + server.config().getFileName() + ".retier-check-";
        String alive = name + ProcessHandle.current().pid() + "-0";

        found(server, () -> {
            Files.createFile(beside.resolve(name + Integer.MAX_VALUE + "-17"));
            Files.createFile(beside.resolve(alive));
        });

        try (Stream<Path> files = Files.list(beside)) {
            assertThat(files.map(path -> path.getFileName().toString()).filter(file -> file.startsWith(name)))
                    .containsExactly(alive);
        }
    }

    @Test
    void shouldFindThePage_whenNginxHasNone() throws Exception {
        RealInstance server = nginx();

        assertThat(found(server, () -> edit(server, "stub_status;", "return 404;")))
                .isEqualTo("status");
    }

    @Test
    void shouldFindTheInclude_whenNginxHasTheMembersByItself() throws Exception {
        RealInstance server = nginx();

        assertThat(found(server, () -> edit(server, "include .*retier.conf;", OWN_MEMBERS)))
                .isEqualTo("check");
    }

    /** As one has it whose node was an app, too, before: by then nginx may take it, and never send on. */
    @Test
    void shouldFindWhatIsNotSaid_whenNginxIsAlwaysAProxyAndAsksWhetherItIs() throws Exception {
        RealInstance server = nginx();

        String asks = "if (\\$retier_forward) { set \\$retier_forward \"\"; rewrite ^ /x last; }";

        assertThat(found(server, () -> edit(server, "location / \\{", asks + "\n    location / {")))
                .isEqualTo("server-blocks");
    }

    @Test
    void shouldFindTheSite_whenNginxDoesNotSayThereWhatItRuns() throws Exception {
        RealInstance server = nginx();

        assertThat(found(server, () -> edit(server, "(?s)^(.*?)add_header X-Retier-Epoch", "$1#")))
                .isEqualTo("proof");
    }
}
