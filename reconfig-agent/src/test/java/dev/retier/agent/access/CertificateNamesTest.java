package dev.retier.agent.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.ClusterConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CertificateNamesTest {
    @ParameterizedTest
    @CsvSource({
        "ann, OPERATOR",
        "'x.example,ann', OPERATOR",
        "eve, VIEWER",
        "'eve,ann', OPERATOR",
        "node-1, VIEWER",
        "front, VIEWER",
        "mallory, NONE",
        "'*', NONE",
        "an, NONE",
        "'ann,x', OPERATOR"
    })
    void shouldGiveTheHighestRoleOfAnyName(String names, CallerRole role) throws IOException {
        ClusterConfig cluster = ClusterConfig.parse(
                Files.readString(Path.of("..", "conf", "cluster.yaml"))
                        + "admin: {tls: {certificate: /c, key: /k, client-ca: /a}, viewers: [eve], operators: [Ann]}\n"
                        + "edges: [{name: Front, site: shop, kind: target-list, file: /e}]\n",
                "file");
        Caller caller = CertificateNames.caller(List.of(names.split(",", -1)), cluster, "192.0.2.9");
        assertThat(caller.role()).isEqualTo(role);
        assertThat(caller.isKnown()).isTrue();
        assertThat(caller.address()).isEqualTo("192.0.2.9");
    }

    @Test
    void shouldGiveNothing_toOneWithoutAName() throws IOException {
        ClusterConfig cluster = ClusterConfig.parse(Files.readString(Path.of("..", "conf", "cluster.yaml")), "file");
        assertThat(CertificateNames.caller(List.of(), cluster, "192.0.2.9").role())
                .isEqualTo(CallerRole.NONE);
    }
}
