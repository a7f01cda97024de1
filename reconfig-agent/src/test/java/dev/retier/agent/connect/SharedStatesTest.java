package dev.retier.agent.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.ClusterConfig;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SharedStatesTest {
    private static Optional<String> refusal(String mode) {
        return SharedStates.refusal(ClusterConfig.parse("""
                        name: small
                        mode: %s
                        transport: native
                        secret-env: SECRET
                        journal-directory: /nowhere
                        sites: [{id: 1, name: shop}]
                        nodes:
                          - {id: 1, name: node-1, rdma: "127.0.0.1:1", agent: "127.0.0.1:0", role: shop/proxy,
                             server: {address: "127.0.0.1:80", admin: "127.0.0.1:81", role-file: /run/role.json}}
                        witnesses: [node-1]
                        """.formatted(mode), "c.yaml"), "siw0 has no atomics");
    }

    @Test
    void shouldRefuseADeviceWithoutAtomics_whenTheAgentIsToMoveNodes() {
        assertThat(refusal("act"))
                .hasValueSatisfying(why -> assertThat(why)
                        .startsWith("transport native: siw0 has no atomics, and without them no node is moved")
                        .endsWith("transport: iwarp, or mode: recommend"));
        assertThat(refusal("recommend")).isEmpty();
        assertThat(refusal("observe")).isEmpty();
    }
}
