package dev.retier.agent.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.EdgeConfig;
import dev.retier.agent.config.EdgeKind;
import dev.retier.agent.config.SecretSource;
import dev.retier.agent.edge.Edge;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.tls.Credentials;
import dev.retier.config.HostPort;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WithheldVariablesTest {
    /** Where {@link Clusters} has the secret. */
    private static final String VARIABLE = "NONE";

    private static final HostPort NOBODY = new HostPort("127.0.0.1", 1);

    /** An edge has no use for the secret, but may be started with the environment of an agent. */
    @Test
    void shouldHideTheSecretFromCommandsOfAnEdge_whenTheConfigurationNamesItsVariable(@TempDir Path folder) {
        ClusterConfig config = Clusters.config(1, 1);
        assertThat(config.secret()).isEqualTo(new SecretSource.InEnvironment(VARIABLE));
        EdgeConfig edge =
                new EdgeConfig("list", Clusters.SHOP, EdgeKind.TARGET_LIST, folder.resolve("targets.json"), null);
        Map<String, String> environment = new HashMap<>(Map.of(VARIABLE, "a secret", "LANG", "C"));

        try (Edge _ = Edge.start(config, edge, new Edge.Agents(List.of(NOBODY, NOBODY), Credentials.NONE))) {
            WithheldVariables.removeFrom(environment);
        }

        assertThat(environment).isEqualTo(Map.of("LANG", "C"));
    }
}
