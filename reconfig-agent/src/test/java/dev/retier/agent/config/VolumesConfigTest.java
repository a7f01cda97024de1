package dev.retier.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.agent.config.VolumesConfig.Planned;
import dev.retier.agent.config.VolumesConfig.Server;
import dev.retier.config.ConfigException;
import dev.retier.config.HostPort;
import dev.retier.link.NodeId;
import dev.retier.volume.VolumeName;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class VolumesConfigTest {
    private static final String CLUSTER = """
            name: small
            secret-env: RETIER_SECRET
            journal-directory: /var/lib/retier/journal
            sites:
              - {id: 1, name: shop}
            nodes:
              - {id: 1, name: one, rdma: "10.0.0.1:9000", agent: "127.0.0.1:9001", role: shop/proxy,
                 server: {address: "10.0.0.1:80", admin: "127.0.0.1:81", role-file: /run/one.json}}
              - {id: 2, name: two, rdma: "10.0.0.2:9000", agent: "127.0.0.1:9001", role: spare,
                 server: {address: "10.0.0.2:80", admin: "127.0.0.1:81", role-file: /run/two.json}}
            witnesses: [one]
            """;
    private static final String SERVERS = """
            volume-servers:
              - {node: two, address: "10.0.0.2:7100", secret-file: /etc/retier/volumes}
              - {node: one, address: "10.0.0.1:7100"}
            """;

    private static ClusterConfig parse(String more) {
        return ClusterConfig.parse(CLUSTER + more, "c.yaml");
    }

    private static void refuses(String more, String... problems) {
        assertThatThrownBy(() -> parse(more))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(problems);
    }

    @Test
    void shouldTellServersAndVolumes() {
        assertThat(parse("").volumes()).isEqualTo(VolumesConfig.NONE);

        VolumesConfig volumes = parse(SERVERS + "volumes:\n  - {name: accounts, server: two, size: 20g}\n")
                .volumes();
        Server two =
                new Server(new NodeId(2), new HostPort("10.0.0.2", 7100), Optional.of(Path.of("/etc/retier/volumes")));
        assertThat(volumes.servers())
                .containsExactly(new Server(new NodeId(1), new HostPort("10.0.0.1", 7100), Optional.empty()), two);
        VolumeName name = new VolumeName("accounts");
        assertThat(volumes.planned(name)).contains(new Planned(name, new NodeId(2), 20L << 30));
        assertThat(volumes.planned(new VolumeName("other"))).isEmpty();
    }

    @Test
    void shouldRefuseWhatCannotBe() {
        refuses("volume-servers: [{node: three, address: 'h:1', pool: x}]\n", "\"three\" is no node", "unknown key");
        refuses(
                "volume-servers: [{node: one, address: 'h:1'}, {node: one, address: 'h:1'}]\n",
                "a node is named twice; a node has one volume server",
                "two items have address h:1");
        refuses(
                "volumes: [{name: accounts, server: one, size: 1g}]\n",
                "the server of accounts is none of volume-servers");
        refuses(
                SERVERS + "volumes: [{name: Accounts, server: one, size: 1g}, {name: a, server: one, size: 5000},"
                        + " {name: b, server: one}, {name: a, server: one, size: 4k, legs: 2}]\n",
                "\"Accounts\" is no name of a volume",
                "5000 bytes are no whole blocks; write a multiple of 4k",
                "volumes[2].size: missing; add it",
                "two items have name a",
                "volumes[3].legs: unknown key");
    }

    @Test
    void shouldNeedARestart_whenServersChangeAndNoneWhenVolumesDo() {
        ClusterConfig before = parse(SERVERS);
        ConfigChange change = ConfigChange.between(before, parse(""));
        assertThat(change.restart()).containsExactly("volume-servers");
        ConfigChange planned =
                ConfigChange.between(before, parse(SERVERS + "volumes: [{name: a, server: one, size: 4k}]\n"));
        assertThat(planned.live()).containsExactly("volumes");
        assertThat(planned.restart()).isEmpty();
    }
}
