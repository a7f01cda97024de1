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

    private List<Finding> findings(String admin) throws IOException {
        ClusterConfig cluster = ClusterConfig.parse(
                Files.readString(Path.of("..", "conf", "cluster.yaml")) + admin.replace("FOLDER", folder.toString()),
                "file");
        return new TlsExamination(cluster, cluster.node(Clusters.node(1)), ClusterLines.none()).findings(NOW);
    }

    private Finding finding() throws IOException {
        List<Finding> all = findings("admin: {tls: {certificate: \"FOLDER/node.pem\", key: \"FOLDER/node.key\","
                + " client-ca: \"FOLDER/ca.pem\"}}");
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
}
