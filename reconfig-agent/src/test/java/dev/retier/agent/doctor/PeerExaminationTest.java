package dev.retier.agent.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.doctor.PeerExamination.Unseen;
import dev.retier.agent.files.ClusterLines;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.status.Finding;
import dev.retier.agent.tls.Credentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class PeerExaminationTest {
    private static Finding told(String more) throws IOException {
        ClusterConfig cluster =
                ClusterConfig.parse(Files.readString(Path.of("..", "conf", "cluster.yaml")) + more, "cluster.yaml");
        return new PeerExamination(cluster, cluster.node(Clusters.node(1)), ClusterLines.none(), Credentials.NONE)
                .told(List.of(new Unseen(cluster.node(Clusters.node(1)), cluster.node(Clusters.node(2)))));
    }

    @Test
    void shouldNameTheCertificates_whenThereIsTlsBetweenNodes() throws IOException {
        Finding finding = told("rdma: {tls: {certificate: /c, key: /k, ca: /a}}");

        assertThat(finding.detail())
                .startsWith("node-1 does not see node-2, though")
                .contains("do not believe each other's certificates of rdma.tls", "the same cluster secret");
        assertThat(finding.place()).isEqualTo("rdma.tls");
        assertThat(finding.remedy()).startsWith("let doctor look at the certificates on both machines");
    }

    @Test
    void shouldNameTheSecret_whenThereIsNoTlsBetweenNodes() throws IOException {
        Finding finding = told("");

        assertThat(finding.detail()).contains("prove the same cluster secret").doesNotContain("certificate");
        assertThat(finding.place()).isEqualTo("secret-file");
        assertThat(finding.remedy()).startsWith("give all nodes the same secret");
    }
}
