package dev.retier.agent.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.link.NodeId;
import dev.retier.link.ReservedPorts;
import dev.retier.state.RoleWord;
import dev.retier.state.SharedState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedStatesIT {
    private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");

    @TempDir
    @Nullable
    Path temporary;

    private AgentConfig config(int port) throws IOException {
        Path folder = Objects.requireNonNull(temporary);
        Path secret = Files.writeString(folder.resolve("secret"), "0123456789abcdef0123456789abcdef");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        return new AgentConfig(
                ClusterConfig.parse("""
                        name: small
                        secret-file: %s
                        journal-directory: %s
                        sites: [{id: 1, name: shop}]
                        nodes:
                          - {id: 1, name: node-1, rdma: "127.0.0.1:%d", agent: "127.0.0.1:0", role: shop/proxy,
                             server: {address: "127.0.0.1:80", admin: "127.0.0.1:81", role-file: /run/role.json}}
                        witnesses: [node-1]
                        """.formatted(secret, folder.resolve("journal"), port), "c.yaml"), new NodeId(1));
    }

    private static RoleWord wordAtStart(AgentConfig config, Instant now) {
        try (SharedState state = SharedStates.open(config, now)) {
            return ((RoleWord.Valid) state.ownRoleWord()).word();
        }
    }

    @Test
    void shouldNotRepeatAWord_whenTheClockWasSetBackBeforeTheStart() throws IOException {
        RoleWord first;
        RoleWord second;
        RoleWord third;
        try (ReservedPorts ports = new ReservedPorts(1)) {
            AgentConfig config = config(ports.numbers().getFirst());
            first = wordAtStart(config, NOW);
            second = wordAtStart(config, NOW.minus(Duration.ofHours(3)));
            third = wordAtStart(config, NOW.minus(Duration.ofHours(3)));
        }
        assertThat(first.fence()).isEqualTo((int) Duration.ofDays(59).toSeconds() & RoleWord.MAX_FENCE);
        assertThat((second.fence() - first.fence()) & RoleWord.MAX_FENCE).isEqualTo(4_096);
        assertThat((third.fence() - second.fence()) & RoleWord.MAX_FENCE).isEqualTo(4_096);
    }
}
