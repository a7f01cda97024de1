package dev.retier.agent.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.files.ClusterLines;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.status.Finding;
import dev.retier.testsupport.TestAuthority;
import dev.retier.testsupport.TestAuthority.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsExaminationTest {
    private static final Instant NOW = Instant.parse("2026-11-29T10:00:00Z");

    private static final String ADMIN = "admin: {tls: {certificate: \"FOLDER/node.pem\", key: \"FOLDER/node.key\","
            + " client-ca: \"FOLDER/ca.pem\"}}\n";
    private static final String RDMA =
            "rdma: {tls: {certificate: \"FOLDER/node.pem\", key: \"FOLDER/node.key\", ca: \"FOLDER/ca.pem\"}}\n";

    @TempDir
    private Path folder = Path.of("");

    private final TestAuthority authority = new TestAuthority("shop");

    @BeforeEach
    void write() throws IOException {
        authority.writeTo(folder);
        own(Duration.ofDays(100), "127.0.0.1");
    }

    private void own(Duration left, String... names) throws IOException {
        authority
                .issue(Subject.of("node-1").withNames(names).valid(NOW.minusSeconds(60), NOW.plus(left)))
                .writeTo(folder, "node");
    }

    private List<Finding> findings(String keys) throws IOException {
        return findings(keys, "127.0.0.1");
    }

    private List<Finding> findings(String keys, String host) throws IOException {
        ClusterConfig cluster = ClusterConfig.parse(
                Files.readString(Path.of("..", "conf", "cluster.yaml"))
                                .replace("agent: 127.0.0.1:18201", "agent: " + host + ":18201")
                        + keys.replace("FOLDER", folder.toString()),
                "file");
        return new TlsExamination(cluster, cluster.node(Clusters.node(1)), ClusterLines.none()).findings(NOW);
    }

    private Finding finding() throws IOException {
        return only(findings(ADMIN));
    }

    private Finding ofRdma() throws IOException {
        return only(findings(RDMA));
    }

    private static Finding only(List<Finding> all) {
        assertThat(all).hasSize(1);
        return all.getFirst();
    }

    @Test
    void shouldFindNothing_whereThereIsNoTls() throws IOException {
        assertThat(findings("")).isEmpty();
    }

    @Test
    void shouldSayForWhomAndUntilWhen_whenAllIsGood() throws IOException {
        assertThat(finding().isBad()).isFalse();
        assertThat(finding().detail()).contains("127.0.0.1", "2027-03-09T10:00:00Z");
    }

    @Test
    void shouldFindACertificate_thatEndsSoonOrHasEnded() throws IOException {
        own(Duration.ofDays(14).minusSeconds(1), "127.0.0.1");
        assertThat(finding().isBad()).isTrue();
        assertThat(finding().detail()).contains("good until 2026-12-13T09:59:59Z");
        own(Duration.ofSeconds(-1), "127.0.0.1");
        assertThat(finding().detail()).contains("expired at 2026-11-29T09:59:59Z");
        own(Duration.ofDays(14), "127.0.0.1");
        assertThat(finding().isBad()).isFalse();
    }

    @Test
    void shouldFindACertificate_thatIsForAnotherAddress() throws IOException {
        own(Duration.ofDays(100), "web-1", "192.0.2.1");
        assertThat(finding().isBad()).isTrue();
        assertThat(finding().detail()).contains("for web-1, 192.0.2.1", "reach this agent at 127.0.0.1");
    }

    @Test
    void shouldFindFiles_thatCannotBeUsed() throws IOException {
        Files.delete(folder.resolve("ca.pem"));
        assertThat(finding().detail()).contains(folder.resolve("ca.pem") + ": no such file");
        assertThat(findings("admin: {tokens-file: FOLDER/none}").getFirst().detail())
                .contains(folder.resolve("none") + ": no such file");
    }

    /** RFC 9525 section 6.3: the whole leftmost label, and one only. */
    @Test
    void shouldTakeAWildcard_whenItIsTheLeftmostLabel() throws IOException {
        own(Duration.ofDays(100), "*.shop.example");

        assertThat(only(findings(ADMIN, "Web-1.shop.example")).isBad()).isFalse();
        for (String other : List.of("a.b.shop.example", "shop.example", "web-1.example")) {
            assertThat(only(findings(ADMIN, other)).isBad()).as(other).isTrue();
        }
        own(Duration.ofDays(100), "*.0.2.1");
        assertThat(only(findings(ADMIN, "192.0.2.1")).isBad()).as("an address").isTrue();
    }

    @Test
    void shouldFindACertificateOfRdma_thatEndsSoonOrHasEnded() throws IOException {
        own(Duration.ofDays(100), "node-1");
        assertThat(ofRdma().isBad()).isFalse();
        assertThat(ofRdma().detail()).contains("for node-1", "2027-03-09T10:00:00Z");
        own(Duration.ofDays(14).minusSeconds(1), "node-1");
        assertThat(ofRdma().isBad()).isTrue();
        assertThat(ofRdma().detail()).contains("of node-1 is good until 2026-12-13T09:59:59Z");
        own(Duration.ofSeconds(-1), "node-1");
        assertThat(ofRdma().detail()).contains("expired at 2026-11-29T09:59:59Z");
    }

    @Test
    void shouldFindACertificateOfRdma_thatIsOfAnotherNode() throws IOException {
        own(Duration.ofDays(100), "node-2");
        assertThat(ofRdma().isBad()).isTrue();
        assertThat(ofRdma().detail()).contains("is for node-2, and this node is node-1");
        assertThat(ofRdma().place()).contains("rdma.tls.certificate");
    }

    @Test
    void shouldFindFilesOfRdma_thatCannotBeUsed() throws IOException {
        Files.delete(folder.resolve("ca.pem"));
        assertThat(ofRdma().isBad()).isTrue();
        assertThat(ofRdma().detail()).contains(folder.resolve("ca.pem") + ": no such file");
    }
}
